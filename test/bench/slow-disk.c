/* Between a program and the kernel: every sync takes SLOW_DISK_MS longer, as on a volume over a network. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <unistd.h>

static int slowly(const char *call, int file) {
  usleep(atoi(getenv("SLOW_DISK_MS")) * 1000);
  return ((int (*)(int))dlsym(RTLD_NEXT, call))(file);
}

int fsync(int file) { return slowly("fsync", file); }
int fdatasync(int file) { return slowly("fdatasync", file); }
