// assert in kernels: what fails, beside what holds. A block ends where its assertion fails, the others
// go on; the device is lost then, until it is reset.
//
// check.py reads the comments, see arithmetic.cu.
// SPDX-License-Identifier: Apache-2.0
#include "cuda_runtime.h"
#include "cuda_tile.h"

#include <cassert>
#include <cstdio>

namespace ct = cuda::tiles;
using namespace ct::literals;

__tile_global__ void holds(int n, int* seen) {
  auto i = ct::iota<ct::tile<int, ct::shape<8>>>();
  assert(n > 0);
  assert(seen);
  assert(ct::all_of(i < n, 0_ic));
  assert((ct::full<ct::tile<bool, ct::shape<>>>(n > 1)));
  seen[0] = n;
}

template <class T> __tile__ void check(T x) {
  assert(x < T(3) && "small"); // error: assertion failed: x < T(3) && "small" [assertion-failed]
                               // | by tile block (3,0,0) of some_fail, which ends here
                               // | the next call that waits for the device returns cudaErrorLaunchFailure
}

__tile_global__ void some_fail(int* seen) {
  const int b = ct::bid().x;
  auto i = ct::iota<ct::tile<int, ct::shape<8>>>();
  seen[b] = 1;
  check(b);
  assert(ct::reduce_max(i, 0_ic) < 7 + b); // error: assertion failed: ct::reduce_max(i, 0_ic) < 7 + b [assertion-failed]
                                           // | by tile block (0,0,0) of some_fail, which ends here
  seen[b] = 2;
}

static void say(const char* what, cudaError_t error) { std::printf("%s: %s\n", what, cudaGetErrorName(error)); }

int main() {
  int* seen = nullptr;
  int* memory = nullptr;
  cudaHostAlloc(reinterpret_cast<void**>(&seen), 64, cudaHostAllocMapped);
  cudaMalloc(&memory, 64);
  holds<<<1, 1>>>(8, seen);
  say("holds", cudaDeviceSynchronize());
  some_fail<<<4, 1>>>(seen);
  say("launched", cudaGetLastError());
  say("waited", cudaDeviceSynchronize());
  std::printf("seen: %d %d %d %d\n", seen[0], seen[1], seen[2], seen[3]);
  int copied = 0;
  say("copied", cudaMemcpy(&copied, memory, 4, cudaMemcpyDeviceToHost));
  holds<<<1, 1>>>(8, seen);
  say("launched again", cudaGetLastError());
  std::printf("seen: %d\n", seen[0]);
  say("reset", cudaDeviceReset());
  cudaMallocManaged(&seen, 64);
  holds<<<1, 1>>>(9, seen);
  say("after the reset", cudaDeviceSynchronize());
  std::printf("seen: %d\n", seen[0]);
}
