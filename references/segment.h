/* Stored segments, and how the words of a call lead to them (the order of the
   words: splyce_bench/compile/stub.py). References are written for 64-bit
   positions and coordinates and f64 values. */
#ifndef SEGMENT_H
#define SEGMENT_H
#include <stdint.h>

/* Ascending coordinates and their values. */
struct segment {
  const int64_t *coordinates;
  const double *values;
  int64_t count;
};

/* A compressed level and the values below it. */
struct level {
  const int64_t *positions, *coordinates;
  const double *values;
};

/* The array of a memref, given the pointer to its descriptor. */
static inline void *array_at(int64_t word) {
  return (void *)((const int64_t *)word)[1];
}

/* The compressed level whose positions, coordinates and values begin at `w`. */
static inline struct level level_at(const int64_t *w) {
  return (struct level){array_at(w[0]), array_at(w[1]), array_at(w[2])};
}

static inline struct segment segment_at(const struct level *level, int64_t n) {
  int64_t first = level->positions[n];
  return (struct segment){level->coordinates + first, level->values + first,
                          level->positions[n + 1] - first};
}
#endif
