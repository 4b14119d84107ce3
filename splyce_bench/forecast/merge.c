/* A scalar two-finger loop, as the sparsifier makes it, to learn what a step costs here. */
#include <stdint.h>

double merge(const int64_t *a, const double *x, int64_t n, const int64_t *b,
             const double *y, int64_t m) {
  double sum = 0.0;
  for (int64_t p = 0, q = 0; p < n && q < m;) {
    int64_t i = a[p], j = b[q], least = j < i ? j : i;
    if (i == least && j == least)
      sum += x[p] * y[q];
    p += i == least;
    q += j == least;
    __asm__ volatile("" ::: "memory");
  }
  return sum;
}
