/* Timing around a kernel call, in C so that no interpreter runs inside a sample. */
#include <stdint.h>
#include <string.h>
#include <time.h>

#if defined(__SSE__)
#include <xmmintrin.h>
#endif

typedef void (*kernel_call)(const int64_t *words);

int64_t splyce_now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC_RAW, &t);
  return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* Smallest step of the clock that two reads can show, in nanoseconds. */
int64_t splyce_clock_step(void) {
  int64_t least = INT64_MAX;
  for (int i = 0; i < 10000; ++i) {
    int64_t start = splyce_now(), end = start;
    while (end == start)
      end = splyce_now();
    if (end - start < least)
      least = end - start;
  }
  return least;
}

/* Zero the output `batch` times, then call the kernel `batch` times; ns[0] and
   ns[1] receive the whole times. The output starts as zero and accumulates. */
void splyce_sample(kernel_call call, const int64_t *words, int64_t batch,
                   void *output, int64_t bytes, int64_t *ns) {
  int64_t start = splyce_now();
  for (int64_t i = 0; i < batch; ++i) {
    memset(output, 0, (size_t)bytes);
    __asm__ volatile("" ::: "memory");
  }
  int64_t zeroed = splyce_now();
  for (int64_t i = 0; i < batch; ++i)
    call(words);
  ns[0] = zeroed - start;
  ns[1] = splyce_now() - zeroed;
}

/* Floating-point control: MXCSR on x86 (flush-to-zero 0x8000, denormals-are-
   zero 0x0040), FPCR on AArch64, -1 elsewhere. */
int64_t splyce_float_control(void) {
#if defined(__SSE__)
  return (int64_t)_mm_getcsr();
#elif defined(__aarch64__)
  uint64_t value;
  __asm__ volatile("mrs %0, fpcr" : "=r"(value));
  return (int64_t)value;
#else
  return -1;
#endif
}
