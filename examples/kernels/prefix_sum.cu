// A prefix sum in one pass over memory, by decoupled look-back: a block publishes the sum of its tile, then
// walks back over its predecessors until one has published the sum of everything before it.
//
// What a block publishes is an ordinary store followed by a release of its state; who reads it has seen the
// state by an acquire. Blocks take their tiles from a counter, so that every predecessor has started.
// SPDX-License-Identifier: Apache-2.0
#include "support.h"

namespace ct = cuda::tiles;
using namespace ct::literals;

constexpr int tile_size = 128;
constexpr int sum_known = 1, prefix_known = 2;

__tile_global__ void prefix_sum(const int* in, int* out, int n, int* ticket, int* state, int* sums, int* prefixes) {
  const int tile = ct::atomic_add<ct::memory_order::relaxed, ct::thread_scope::device>(ticket, 1);
  auto i = tile * tile_size + ct::iota<ct::tile<int, ct::shape<tile_size>>>();
  auto inside = i < n;
  auto scanned = ct::partial_sum(ct::load_masked(in + i, inside, 0), 0_ic);
  const int sum = static_cast<int>(ct::reduce_max(scanned, 0_ic)); // elements are not negative: the last is the greatest

  int before = 0;
  if (tile > 0) {
    sums[tile] = sum;
    ct::atomic_store<ct::memory_order::release, ct::thread_scope::device>(state + tile, sum_known);
    int at = tile - 1;
    while (at >= 0) {
      const int seen = ct::atomic_load<ct::memory_order::acquire, ct::thread_scope::device>(state + at);
      if (seen == prefix_known) {
        before = before + prefixes[at];
        at = -1;
      } else if (seen == sum_known) {
        before = before + sums[at];
        at = at - 1;
      }
    }
  }
  prefixes[tile] = before + sum;
  ct::atomic_store<ct::memory_order::release, ct::thread_scope::device>(state + tile, prefix_known);
  ct::store_masked(out + i, scanned + before, inside);
}

int main() {
  const int n = 5000;
  const int tiles = (n + tile_size - 1) / tile_size;
  std::vector<int> in(n);
  for (int i = 0; i < n; ++i) {
    in[i] = static_cast<int>(128 * (1 + noise(i, 1)));
  }
  int *din = on_device(in), *dout = zeros_on_device<int>(n), *ticket = zeros_on_device<int>(1);
  int *state = zeros_on_device<int>(tiles), *sums = zeros_on_device<int>(tiles), *prefixes = zeros_on_device<int>(tiles);
  prefix_sum<<<tiles, 1>>>(din, dout, n, ticket, state, sums, prefixes);
  std::vector<int> out(n);
  cudaMemcpy(out.data(), dout, n * sizeof(int), cudaMemcpyDeviceToHost);
  for (int* p : {din, dout, ticket, state, sums, prefixes}) {
    cudaFree(p);
  }

  std::vector<double> want(n);
  double running = 0;
  for (int i = 0; i < n; ++i) {
    want[i] = running += in[i];
  }
  return verdict("prefix_sum", out, want, 0, 0);
}
