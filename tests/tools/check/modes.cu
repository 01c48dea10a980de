// A program that does what its first argument says: one for each thing that `tilesim check` tells.
// SPDX-License-Identifier: Apache-2.0
#include "cuda_tile.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sys/socket.h>
#include <unistd.h>

namespace ct = cuda::tiles;

constexpr ct::memory_order_relaxed_t relaxed{};
constexpr ct::thread_scope_device_t device{};

__tile_global__ void count(int* cells) {
  ct::atomic_add(cells, 1, relaxed, device);
}

__tile_global__ void count_without_atomics(int* cells) {
  int seen = ct::load(cells);
  ct::store(cells, seen + 1);
}

__tile_global__ void count_raw(int* cells) {
  cells[1] += 1;
}

// cells[0] becomes the last block's number: which one, the schedule says.
__tile_global__ void last(int* cells) {
  int block = ct::bid().x;
  ct::atomic_store(cells, block, relaxed, device);
}

__tile_global__ void masked(int* cells) {
  using four = ct::tile<int, ct::shape<4>>;
  auto value = ct::load_masked(cells + ct::iota<four>(), ct::iota<four>() < 3); // no padding
  ct::store(cells + ct::iota<four>(), value);
}

__tile_global__ void padded(int* cells) {
  using four = ct::tile<int, ct::shape<4>>;
  auto value = ct::load_masked(cells + ct::iota<four>(), ct::iota<four>() < 3, 0);
  ct::store(cells + ct::iota<four>(), value);
}

__tile_global__ void print(int* cells) {
  int block = ct::bid().x;
  std::printf("block %d\n", block);
  ct::atomic_add(cells, 1, relaxed, device);
}

__tile_global__ void outside(int* cells) {
  ct::store(cells + 4, 1);
}

// Its second element lies outside; behind it block 1 races with block 0.
__tile_global__ void partly_outside(int* cells) {
  using two = ct::tile<int, ct::shape<2>>;
  ct::store(cells + 3 + ct::iota<two>(), ct::iota<two>());
  ct::store(cells, int(ct::bid().x));
}

__tile_global__ void raw_outside(int* cells) {
  if (ct::bid().x == 0)
    cells[4] = 1;
  cells[1] = 1; // not made by block 0
}

// A value is handed over by a flag.
__tile_global__ void message(int* cells) {
  if (ct::bid().x == 0) {
    ct::store(cells, 1);
    ct::atomic_store(cells + 1, 1, ct::memory_order_release_t{}, device);
  } else if (ct::atomic_load(cells + 1, ct::memory_order_acquire_t{}, device) == 1) {
    cells[2] = ct::load(cells);
  }
}

__tile_global__ void wait_for_nobody(int* cells) {
  while (ct::atomic_load(cells, relaxed, device) == 0) {
  }
}

__tile_global__ void endless(int* cells) {
  for (;;)
    ct::atomic_add(cells, 1, relaxed, device);
}

// Counts in memory while it waits, so it never does the same twice.
__tile_global__ void count_in_vain(int* cells) {
  while (ct::atomic_load(cells, relaxed, device) == 0)
    ct::atomic_add(cells + 1, 1, relaxed, device);
}

// Two locks, taken in either order: whoever comes first waits for the other.
__tile_global__ void two_locks(int* cells) {
  const int mine = int(ct::bid().x);
  while (ct::atomic_xchg(cells + mine, 1, relaxed, device) != 0) {
  }
  ct::atomic_add(cells + 2, 1, relaxed, device);
  while (ct::atomic_load(cells + 2, relaxed, device) != 2) {
  }
  if (mine == 0)
    while (ct::atomic_xchg(cells + 1, 1, relaxed, device) != 0) { // waits for the second
    }
  else
    while (ct::atomic_xchg(cells, 1, relaxed, device) != 0) { // waits for the first
    }
}

__tile_global__ void nothing(int*) {}

// Of 64 blocks the 6th and the 61st write the same cell.
__tile_global__ void far(int* cells) {
  int block = ct::bid().x;
  if (block == 5 || block == 60)
    ct::store(cells, block);
}

// Blocks 1 and 2 race, but only behind block 12.
__tile_global__ void helped(int* cells) {
  int block = ct::bid().x;
  if (block == 12)
    ct::atomic_store(cells + 1, 1, relaxed, device);
  else if (block == 1 || block == 2) {
    int seen = ct::atomic_load(cells + 1, relaxed, device);
    if (seen == 1)
      ct::store(cells, block);
  }
}

// Two blocks race where the second runs between two operations of the first.
__tile_global__ void between(int* cells) {
  int block = ct::bid().x;
  if (block == 3) {
    int before = ct::atomic_load(cells + 1, relaxed, device);
    int after = ct::atomic_load(cells + 1, relaxed, device);
    if (before != after)
      ct::store(cells, block);
  } else if (block == 4) {
    ct::atomic_store(cells + 1, 1, relaxed, device);
    ct::store(cells, block);
  }
}

int main(int count_of_words, char** words) {
  const char* mode = count_of_words > 1 ? words[1] : "clean";
  const auto is = [&](const char* name) { return std::strcmp(mode, name) == 0; };
  if (is("host")) {
    std::puts("no device");
    return 0;
  }
  if (is("crash"))
    *static_cast<volatile int*>(nullptr) = 1; // cells, before they are allocated
  int* cells = nullptr;
  cudaMalloc(&cells, 4 * sizeof(int));
  cudaMemset(cells, 0, 4 * sizeof(int));
  int* seen = nullptr; // by the host without a copy
  cudaMallocManaged(&seen, sizeof(int));
  *seen = 0;
  int word = 0;
  if (is("writes"))
    std::ofstream(words[2]) << "a result\n";
  if (is("socket"))
    close(socket(AF_UNIX, SOCK_STREAM, 0));
  if (is("reads"))
    std::ifstream(words[2]).get();
  if (is("slow"))
    usleep(300000);
  if (is("race"))
    count_without_atomics<<<8, 1>>>(cells);
  else if (is("raw"))
    count_raw<<<8, 1>>>(cells);
  else if (is("last"))
    last<<<8, 1>>>(cells);
  else if (is("masked"))
    masked<<<1, 1>>>(cells);
  else if (is("padded"))
    padded<<<1, 1>>>(cells);
  else if (is("print"))
    print<<<8, 1>>>(cells);
  else if (is("last-line") || is("last-status"))
    last<<<8, 1>>>(seen);
  else if (is("far"))
    far<<<64, 1>>>(cells);
  else if (is("helped"))
    helped<<<16, 1>>>(cells);
  else if (is("between"))
    between<<<8, 1>>>(cells);
  else if (is("outside"))
    outside<<<1, 1>>>(cells);
  else if (is("partly-outside"))
    partly_outside<<<2, 1>>>(cells);
  else if (is("raw-outside"))
    raw_outside<<<2, 1>>>(cells);
  else if (is("message"))
    message<<<2, 1>>>(cells);
  else if (is("pair"))
    count_without_atomics<<<2, 1>>>(cells);
  else if (is("three"))
    count_without_atomics<<<3, 1>>>(cells);
  else if (is("deadlock"))
    wait_for_nobody<<<1, 1>>>(cells);
  else if (is("two-locks"))
    two_locks<<<2, 1>>>(cells);
  else if (is("livelock"))
    count_in_vain<<<1, 1>>>(cells);
  else if (is("endless")) {
    std::puts("starts");
    std::fflush(stdout);
    endless<<<1, 1>>>(cells);
  } else if (is("nothing"))
    nothing<<<8, 1>>>(cells);
  else
    count<<<8, 1>>>(cells);
  cudaDeviceSynchronize();
  if (is("sum"))
    for (int next = 0; std::scanf("%d", &next) == 1;)
      word += next;
  int result[4] = {};
  cudaMemcpy(result, cells, sizeof result, cudaMemcpyDeviceToHost);
  if (!is("leak"))
    cudaFree(cells);
  const int value = *seen;
  cudaFree(seen);
  std::printf("%s: %d %d\n", mode, is("masked") ? result[3] : result[0], word);
  if (is("last-line"))
    std::printf("block %d\n", value);
  if (is("errors"))
    std::fprintf(stderr, "to standard error\n");
  if (is("process"))
    std::printf("%d\n", static_cast<int>(getpid()));
  std::fflush(stdout);
  if (is("abort"))
    std::abort();
  return is("fail") ? 7 : is("last-status") ? value : 0;
}
