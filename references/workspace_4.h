/* Workspace with four accumulators, which do not wait for each other. */
#include "workspace.h"

static inline double add_dot(const struct kept *kept, struct segment segment,
                             double scale, double sum) {
  double second = -0.0, third = -0.0, fourth = -0.0;
  int64_t n = 0;
  for (; n + 4 <= segment.count; n += 4) {
    sum += product(kept, segment, n, scale);
    second += product(kept, segment, n + 1, scale);
    third += product(kept, segment, n + 2, scale);
    fourth += product(kept, segment, n + 3, scale);
  }
  for (; n < segment.count; ++n)
    sum += product(kept, segment, n, scale);
  return (sum + second) + (third + fourth);
}
