/* Method masked: blocks of 8 of both segments by AVX-512 (F and DQ), advanced
   by whole vectors, the last block of a segment under a mask; one sum a lane.
   Whether the processor has AVX-512 is asked at run time; PORTABLE leaves it
   out. */
#include "two_finger.h"

struct kept {
  struct segment segment;
  int wide;
};

#if defined(__x86_64__) && !defined(PORTABLE)
#include "masked_avx512.h"

static inline int has_wide(void) {
  return __builtin_cpu_supports("avx512f") &&
         __builtin_cpu_supports("avx512dq");
}
#else
static inline int has_wide(void) { return 0; }

static inline double add_dot_avx512(struct segment a, struct segment b,
                                    double scale, double sum) {
  return add_dot_two_finger(a, b, scale, sum);
}
#endif

static inline struct kept room_for(int64_t size) {
  (void)size;
  return (struct kept){{0, 0, 0}, has_wide()};
}

static inline void keep(struct kept *kept, struct segment segment) {
  kept->segment = segment;
}

static inline void forget(struct kept *kept) { (void)kept; }

static inline void give_back(struct kept *kept) { (void)kept; }

static inline double add_dot(const struct kept *kept, struct segment segment,
                             double scale, double sum) {
  if (!segment.count)
    return sum;
  return kept->wide ? add_dot_avx512(segment, kept->segment, scale, sum)
                    : add_dot_two_finger(segment, kept->segment, scale, sum);
}
