/* Workspace with one accumulator: additions in source order, so the bits of the
   sparsifier's loop. */
#include "workspace.h"

static inline double add_dot(const struct kept *kept, struct segment segment,
                             double scale, double sum) {
  for (int64_t n = 0; n < segment.count; ++n)
    sum += product(kept, segment, n, scale);
  return sum;
}
