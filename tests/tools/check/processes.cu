// Processes that a program makes, under `tilesim check`. The arguments say what each child does, one after the other.
// SPDX-License-Identifier: Apache-2.0
#include "cuda_tile.h"

#include <csignal>
#include <cstdlib>
#include <cstring>
#include <sys/wait.h>
#include <unistd.h>

namespace ct = cuda::tiles;

__tile_global__ void two_writers(int* cell) {
  if (ct::bid().x == 0)
    ct::store(cell, 1); // first writer
  else
    ct::store(cell, 2); // second writer
}

__tile_global__ void one_writer(int* cells) {
  ct::store(cells + ct::bid().x, 1);
}

// The device's memory is never freed: no leak of a child's.
static int* cells() {
  int* p = nullptr;
  cudaMalloc(&p, 2 * sizeof(int));
  return p;
}

static void child(const char* what) {
  if (std::strcmp(what, "exec") == 0)
    execl("/bin/true", "true", nullptr);
  if (std::strncmp(what, "race", 4) == 0)
    two_writers<<<2, 1>>>(cells());
  else
    one_writer<<<2, 1>>>(cells());
  cudaDeviceSynchronize();
  if (std::strcmp(what, "abort") == 0)
    std::abort();
  if (std::strcmp(what, "segv") == 0)
    *static_cast<volatile int*>(nullptr) = 1;
  if (std::strcmp(what, "term") == 0)
    raise(SIGTERM);
  if (std::strcmp(what, "late") == 0)
    usleep(300'000);
  if (std::strcmp(what, "race and exit") == 0)
    std::exit(0);
  _exit(3);
}

int main(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "here") == 0) {
      int* const p = cells();
      one_writer<<<2, 1>>>(p);
      cudaFree(p);
      continue;
    }
    const pid_t process = fork();
    if (process == 0)
      child(argv[i]);
    if (std::strcmp(argv[i], "late") != 0)
      waitpid(process, nullptr, 0);
  }
}
