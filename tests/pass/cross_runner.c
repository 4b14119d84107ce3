/* Calls kernels of another target as it is told on stdin, and writes each output to stdout.
 *
 * A call is, in 64-bit words: the number of the function, whether arrays lie behind the unreadable
 * page instead of in front of it, the number of arrays and of arguments; each array as its size in
 * bytes and these; each argument as 0 and a word, or 1 and the number of an array. The last array
 * is the output. `kernels` is linked in. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

/* Returned through memory or in registers, as the target does: nobody looks at it. */
struct returned {
  int64_t words[16];
};
enum { MOST_ARGUMENTS = 96, MOST_ARRAYS = 32 };
extern struct returned (*const kernels[])();

struct array {
  char *map, *data;
  int64_t mapped, size;
};

static int64_t read_word(void) {
  int64_t word;
  if (fread(&word, sizeof word, 1, stdin) != 1) {
    fputs("cross_runner: a call ends early\n", stderr);
    exit(2);
  }
  return word;
}

static struct array read_array(int at_start) {
  int64_t page = sysconf(_SC_PAGESIZE), size = read_word();
  int64_t inner = (size + page - 1) / page * page + (size ? 0 : page);
  char *map = mmap(NULL, inner + 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (map == MAP_FAILED || mprotect(map, page, PROT_NONE) ||
      mprotect(map + page + inner, page, PROT_NONE)) {
    perror("cross_runner: no guarded memory");
    exit(2);
  }
  char *data = at_start ? map + page : map + page + inner - size;
  if (size && fread(data, size, 1, stdin) != 1)
    exit(2);
  return (struct array){map, data, inner + 2 * page, size};
}

#define A8(n) a[n], a[n + 1], a[n + 2], a[n + 3], a[n + 4], a[n + 5], a[n + 6], a[n + 7]
#define A32(n) A8(n), A8(n + 8), A8(n + 16), A8(n + 24)

static void call(int64_t number) {
  struct array arrays[MOST_ARRAYS];
  int64_t a[MOST_ARGUMENTS] = {0};
  int at_start = read_word();
  int64_t count = read_word(), arguments = read_word();
  if (count > MOST_ARRAYS || arguments > MOST_ARGUMENTS)
    exit(2);
  for (int64_t i = 0; i < count; ++i)
    arrays[i] = read_array(at_start);
  for (int64_t i = 0; i < arguments; ++i) {
    int64_t is_array = read_word(), word = read_word();
    a[i] = is_array ? (int64_t)arrays[word].data : word;
  }
  kernels[number](A32(0), A32(32), A32(64));
  fwrite(arrays[count - 1].data, arrays[count - 1].size, 1, stdout);
  for (int64_t i = 0; i < count; ++i)
    munmap(arrays[i].map, arrays[i].mapped);
}

int main(void) {
  for (int64_t number; fread(&number, sizeof number, 1, stdin) == 1;)
    call(number);
  return 0;
}
