// A correct program that is easily unlucky: block 0 gives its lock back only behind much computing. With an argument: two blocks that
// wait for ever, and a host that looks on.
// SPDX-License-Identifier: Apache-2.0
#include <cuda_runtime.h>
#include "cuda_tile.h"
namespace ct = cuda::tiles;
__tile_global__ void k(int* p) {
  using enum ct::memory_order;
  int b = (int)ct::bid().x;
  auto at = [&](int i) { return ct::full<ct::tile<int*, ct::shape<>>>(p + i); };
  auto one = ct::full<ct::tile<int, ct::shape<>>>(1);
  auto zero = ct::full<ct::tile<int, ct::shape<>>>(0);
  if (b == 0) {
    bool done = false;
    while (!done) {
      while ((int)ct::atomic_compare_exchange<acquire>(at(1), zero, one) != 0) {}
      done = (int)ct::atomic_load<relaxed>(at(0)) != 0;
      auto x = ct::full<ct::tile<int, ct::shape<8>>>(1);
      for (int i = 0; i < 150; ++i) x = x ^ 3;
      ct::atomic_store<release>(at(1), zero);
    }
  } else {
    bool over = false;
    while (!over) {
      ct::atomic_add<relaxed>(at(2), one);
      bool m = (int)ct::atomic_compare_exchange<acquire>(at(1), zero, one) == 0;
      if (m) { ct::atomic_store<relaxed>(at(0), one); ct::atomic_store<release>(at(1), zero); }
      ct::atomic_add<relaxed>(at(2), ct::full<ct::tile<int, ct::shape<>>>(-1));
      over = m;
    }
  }
}
__tile_global__ void look(int* p) {
  using enum ct::memory_order;
  auto at = [&](int i) { return ct::full<ct::tile<int*, ct::shape<>>>(p + i); };
  auto one = ct::full<ct::tile<int, ct::shape<>>>(1);
  auto zero = ct::full<ct::tile<int, ct::shape<>>>(0);
  bool done = false;
  while (!done) {
    while ((int)ct::atomic_compare_exchange<acquire>(at(1), zero, one) != 0) {}
    done = (int)ct::atomic_load<relaxed>(at(0)) != 0;
    ct::atomic_store<release>(at(1), zero);
  }
}
int main(int argc, char** argv) {
  int* p; cudaMalloc(&p, 64); cudaMemset(p, 0, 64);
  if (argc > 1) { look<<<2,1>>>(p); while (cudaStreamQuery(0) == cudaErrorNotReady) {} }
  else k<<<5,1>>>(p);
  cudaDeviceSynchronize(); cudaFree(p);
}
