/* Method masked: blocks of 8 of both segments by AVX-512 (F and DQ), advanced
   by whole vectors, the last block of a segment under a mask; one sum a lane.
   Whether the processor has AVX-512 is asked at run time; PORTABLE leaves it
   out. */
#include "two_finger.h"

#if defined(__x86_64__) && !defined(PORTABLE)
#include "masked_avx512.h"

struct kept {
  struct segment segment;
  int wide;
  struct padded last;
};

static inline struct kept room_for(int64_t size) {
  (void)size;
  return (struct kept){.wide = __builtin_cpu_supports("avx512f") &&
                               __builtin_cpu_supports("avx512dq")};
}

static inline void keep(struct kept *kept, struct segment segment) {
  kept->segment = segment;
  if (kept->wide)
    fill_last(&kept->last, segment);
}

static inline double add_dot(const struct kept *kept, struct segment segment,
                             double scale, double sum) {
  if (!segment.count)
    return sum;
  return kept->wide
             ? add_dot_avx512(segment, kept->segment, &kept->last, scale, sum)
             : add_dot_two_finger(segment, kept->segment, scale, sum);
}
#else
struct kept {
  struct segment segment;
};

static inline struct kept room_for(int64_t size) {
  (void)size;
  return (struct kept){{0, 0, 0}};
}

static inline void keep(struct kept *kept, struct segment segment) {
  kept->segment = segment;
}

static inline double add_dot(const struct kept *kept, struct segment segment,
                             double scale, double sum) {
  return add_dot_two_finger(segment, kept->segment, scale, sum);
}
#endif

static inline void forget(struct kept *kept) { (void)kept; }

static inline void give_back(struct kept *kept) { (void)kept; }
