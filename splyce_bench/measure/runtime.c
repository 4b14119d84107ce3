/* Timing and counting around a kernel call, in C so that no interpreter runs inside a sample. */
#include <poll.h>
#include <stdint.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

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

/* Write a command to perf's control fifo and wait for its acknowledgement,
   which is "ack\n" and a zero byte. 0, or -1 when none comes in time. */
static int perf_command(const char *command, int control, int ack,
                        int timeout_ms) {
  char answer[16];
  struct pollfd wait = {.fd = ack, .events = POLLIN};
  if (write(control, command, strlen(command)) < 0 ||
      poll(&wait, 1, timeout_ms) != 1)
    return -1;
  return read(ack, answer, sizeof answer) > 0 ? 0 : -1;
}

/* Call the kernel `batch` times on a zeroed output while perf counts. 0, -1 when
   perf did not acknowledge the start, -2 when it did not acknowledge the end. */
int splyce_count(kernel_call call, const int64_t *words, int64_t batch,
                 void *output, int64_t bytes, int control, int ack,
                 int timeout_ms) {
  memset(output, 0, (size_t)bytes);
  if (perf_command("enable\n", control, ack, timeout_ms))
    return -1;
  for (int64_t i = 0; i < batch; ++i)
    call(words);
  return perf_command("disable\n", control, ack, timeout_ms) ? -2 : 0;
}

/* A client request of valgrind on x86-64, by the instruction sequence and the
   numbers that its manual and valgrind.h fix, so that no header is needed. On a
   real processor the sequence does nothing and the result is 0. */
static uint64_t valgrind_request(uint64_t request) {
#if defined(__x86_64__)
  volatile uint64_t arguments[6] = {request, 0, 0, 0, 0, 0};
  uint64_t result = 0;
  __asm__ volatile("rolq $3, %%rdi; rolq $13, %%rdi\n\t"
                   "rolq $61, %%rdi; rolq $51, %%rdi\n\t"
                   "xchgq %%rbx, %%rbx"
                   : "=d"(result)
                   : "a"(arguments), "0"(result)
                   : "cc", "memory");
  return result;
#else
  (void)request;
  return 0;
#endif
}

enum {
  RUNNING_ON_VALGRIND = 0x1001,
  CALLGRIND = ('C' << 24) | ('T' << 16),
  DUMP_STATS = CALLGRIND,
  ZERO_STATS,
  TOGGLE_COLLECT,
  DUMP_STATS_AT,
  START_INSTRUMENTATION,
  STOP_INSTRUMENTATION,
};

/* Call the kernel once on a zeroed output while callgrind counts, and have it
   write its counts. 0, or -1 when valgrind does not run this process. */
int splyce_simulate(kernel_call call, const int64_t *words, void *output,
                    int64_t bytes) {
  if (!valgrind_request(RUNNING_ON_VALGRIND))
    return -1;
  memset(output, 0, (size_t)bytes);
  valgrind_request(START_INSTRUMENTATION);
  valgrind_request(ZERO_STATS);
  valgrind_request(TOGGLE_COLLECT);
  call(words);
  valgrind_request(TOGGLE_COLLECT);
  valgrind_request(DUMP_STATS);
  valgrind_request(STOP_INSTRUMENTATION);
  return 0;
}
