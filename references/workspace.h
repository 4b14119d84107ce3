/* Method workspace: the kept segment as a dense array with a tag an element, so
   that an element of another segment finds its partner by its coordinate. An
   element without a partner adds -0.0, which changes no sum and lets no
   infinity through. */
#ifndef WORKSPACE_H
#define WORKSPACE_H
#include "segment.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct kept {
  double *values;
  unsigned char *tags;
  struct segment segment;
};

static void *zeros(int64_t count, size_t size) {
  void *found = calloc((size_t)count + 1, size);
  if (!found) {
    fprintf(stderr, "no memory for a workspace of %lld elements\n",
            (long long)count);
    abort();
  }
  return found;
}

static inline struct kept room_for(int64_t size) {
  return (struct kept){zeros(size, sizeof(double)), zeros(size, 1), {0, 0, 0}};
}

static inline void keep(struct kept *kept, struct segment segment) {
  kept->segment = segment;
  for (int64_t n = 0; n < segment.count; ++n) {
    kept->values[segment.coordinates[n]] = segment.values[n];
    kept->tags[segment.coordinates[n]] = 1;
  }
}

static inline void forget(struct kept *kept) {
  for (int64_t n = 0; n < kept->segment.count; ++n)
    kept->tags[kept->segment.coordinates[n]] = 0;
}

static inline void give_back(struct kept *kept) {
  free(kept->values);
  free(kept->tags);
}

/* Element `n` of a segment times `scale` and its partner; -0.0 without one,
   chosen by bits: of a condition the compiler makes a branch, which the
   processor cannot predict. */
static inline double product(const struct kept *kept, struct segment segment,
                             int64_t n, double scale) {
  int64_t at = segment.coordinates[n];
  double found = scale * segment.values[n] * kept->values[at];
  uint64_t bits, present = -(uint64_t)kept->tags[at],
                 neutral = (uint64_t)1 << 63;
  memcpy(&bits, &found, sizeof bits);
  bits = (bits & present) | (neutral & ~present);
  memcpy(&found, &bits, sizeof bits);
  return found;
}
#endif
