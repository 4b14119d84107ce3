/* The intersection of two segments, element by element: what is left to a
   processor without wide vectors. */
#ifndef TWO_FINGER_H
#define TWO_FINGER_H
#include "segment.h"

static double add_dot_two_finger(struct segment a, struct segment b,
                                 double scale, double sum) {
  int64_t p = 0, q = 0;
  while (p < a.count && q < b.count) {
    int64_t at = a.coordinates[p], other = b.coordinates[q];
    if (at == other)
      sum += scale * a.values[p] * b.values[q];
    p += at <= other;
    q += other <= at;
  }
  return sum;
}
#endif
