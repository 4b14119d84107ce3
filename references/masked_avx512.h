/* Blocks of 8 elements of two segments: all pairs are compared, each element of
   `a` is multiplied with its partner, and whoever ends first advances by 8. */
#include "segment.h"
#include <immintrin.h>

enum { WIDTH = 8 };

/* DQ has the union of 8-bit masks; without it each goes through a general
   register. */
#define AVX512 __attribute__((target("avx512f,avx512dq")))

/* The last block of a segment, filled up to 8 elements. */
struct padded {
  int64_t coordinates[WIDTH];
  double values[WIDTH];
};

static inline __mmask8 first_lanes(int64_t count) {
  return count < WIDTH ? (__mmask8)((1u << count) - 1) : 0xff;
}

/* No coordinate is negative, so what fills up meets no partner. */
AVX512 static void fill_last(struct padded *block, struct segment s) {
  int64_t at = s.count - s.count % WIDTH;
  __mmask8 lanes = first_lanes(s.count - at);
  __m512i coordinates =
      _mm512_mask_loadu_epi64(_mm512_set1_epi64(-1), lanes, s.coordinates + at);
  _mm512_storeu_si512(block->coordinates, coordinates);
  _mm512_storeu_pd(block->values, _mm512_maskz_loadu_pd(lanes, s.values + at));
}

/* 8 where a block does not end after the other, else 0. The compiler must not
   see it as a condition: half of the branches that it makes of it are
   mispredicted.
 */
static inline int64_t step(int64_t end, int64_t other) {
  int64_t found = (end <= other) * WIDTH;
  __asm__("" : "+r"(found));
  return found;
}

/* Add the products of a block of `a` to the lanes whose element has a partner
   among the 8 elements of `b`; the others keep their sum, whatever is stored
   there. */
AVX512 static inline __m512d add_block(__m512d sums, struct segment a,
                                       __mmask8 lanes, struct segment b,
                                       __m512d scale) {
  __m512i mine =
      _mm512_mask_loadu_epi64(_mm512_set1_epi64(-2), lanes, a.coordinates);
  __m512d partner = _mm512_setzero_pd();
  __mmask8 found = 0;
#pragma GCC unroll 8
  for (int n = 0; n < WIDTH; ++n) {
    __mmask8 same =
        _mm512_cmpeq_epi64_mask(mine, _mm512_set1_epi64(b.coordinates[n]));
    partner = _mm512_mask_mov_pd(partner, same, _mm512_set1_pd(b.values[n]));
    found = _kor_mask8(found, same);
  }
  __m512d values = _mm512_maskz_loadu_pd(lanes, a.values);
  __m512d products = _mm512_mul_pd(_mm512_mul_pd(scale, values), partner);
  return _mm512_mask_add_pd(sums, found, sums, products);
}

static inline struct segment rest_of(struct segment s, int64_t at) {
  return (struct segment){s.coordinates + at, s.values + at, s.count - at};
}

static inline int64_t end_of_block(struct segment s) {
  return s.coordinates[s.count < WIDTH ? s.count - 1 : WIDTH - 1];
}

/* `last` is the last block of `b`, filled up. Whole blocks first; what is left
   of either segment goes through masks. */
AVX512 static double add_dot_avx512(struct segment a, struct segment b,
                                    const struct padded *last, double scale,
                                    double sum) {
  __m512d sums = _mm512_set1_pd(-0.0), scales = _mm512_set1_pd(scale);
  int64_t p = 0, q = 0;
  while (p + WIDTH <= a.count && q + WIDTH <= b.count) {
    sums = add_block(sums, rest_of(a, p), 0xff, rest_of(b, q), scales);
    int64_t end = a.coordinates[p + WIDTH - 1],
            other = b.coordinates[q + WIDTH - 1];
    p += step(end, other);
    q += step(other, end);
  }
  while (p < a.count && q < b.count) {
    struct segment mine = rest_of(a, p), other = rest_of(b, q), read = other;
    if (other.count < WIDTH)
      read = (struct segment){last->coordinates, last->values, WIDTH};
    sums = add_block(sums, mine, first_lanes(mine.count), read, scales);
    p += step(end_of_block(mine), end_of_block(other));
    q += step(end_of_block(other), end_of_block(mine));
  }
  return sum + _mm512_reduce_add_pd(sums);
}
