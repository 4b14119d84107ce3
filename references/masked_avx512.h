/* Blocks of 8 elements of two segments: all pairs are compared, each element of
   `a` is multiplied with its partner, and whoever ends first advances by 8. */
#include "segment.h"
#include <immintrin.h>

enum { WIDTH = 8 };

#define AVX512 __attribute__((target("avx512f")))

/* Where a block of the other segment is read from; the last one is padded. */
struct block {
  const int64_t *coordinates;
  const double *values;
  int64_t padded_coordinates[WIDTH];
  double padded_values[WIDTH];
};

static inline __mmask8 first_lanes(int64_t count) {
  return count < WIDTH ? (__mmask8)((1u << count) - 1) : 0xff;
}

AVX512 static inline void load_block(struct block *block, struct segment s,
                                     int64_t at) {
  block->coordinates = s.coordinates + at;
  block->values = s.values + at;
  if (s.count - at >= WIDTH)
    return;
  __mmask8 lanes = first_lanes(s.count - at);
  /* No coordinate is negative, so padding meets no partner. */
  _mm512_storeu_si512(block->padded_coordinates,
                      _mm512_mask_loadu_epi64(_mm512_set1_epi64(-1), lanes,
                                              s.coordinates + at));
  _mm512_storeu_pd(block->padded_values,
                   _mm512_maskz_loadu_pd(lanes, s.values + at));
  block->coordinates = block->padded_coordinates;
  block->values = block->padded_values;
}

static inline int64_t last_of_block(struct segment s, int64_t at) {
  int64_t end = at + WIDTH < s.count ? at + WIDTH : s.count;
  return s.coordinates[end - 1];
}

/* Add the products of a block of `a` to the lanes whose element has a partner;
   the others keep their sum, whatever is stored there. */
AVX512 static inline __m512d add_block(__m512d sums, struct segment a,
                                       int64_t at, const struct block *b,
                                       __m512d scale) {
  __mmask8 lanes = first_lanes(a.count - at);
  __m512i mine = _mm512_mask_loadu_epi64(_mm512_set1_epi64(-2), lanes,
                                         a.coordinates + at);
  __m512d partner = _mm512_setzero_pd();
  __mmask16 found = 0;
#pragma GCC unroll 8
  for (int n = 0; n < WIDTH; ++n) {
    __mmask8 same =
        _mm512_cmpeq_epi64_mask(mine, _mm512_set1_epi64(b->coordinates[n]));
    partner =
        _mm512_mask_mov_pd(partner, same, _mm512_set1_pd(b->values[n]));
    found = _mm512_kor(found, same);
  }
  __m512d values = _mm512_maskz_loadu_pd(lanes, a.values + at);
  __m512d products =
      _mm512_mul_pd(_mm512_mul_pd(scale, values), partner);
  return _mm512_mask_add_pd(sums, (__mmask8)found, sums, products);
}

AVX512 static double add_dot_avx512(struct segment a, struct segment b,
                                    double scale, double sum) {
  __m512d sums = _mm512_set1_pd(-0.0), scales = _mm512_set1_pd(scale);
  struct block block;
  int64_t p = 0, q = 0, loaded = -1;
  while (p < a.count && q < b.count) {
    if (loaded != q)
      load_block(&block, b, loaded = q);
    sums = add_block(sums, a, p, &block, scales);
    int64_t mine = last_of_block(a, p), other = last_of_block(b, q);
    p += (mine <= other) * WIDTH;
    q += (other <= mine) * WIDTH;
  }
  return sum + _mm512_reduce_add_pd(sums);
}
