// What a checked run costs where many blocks read the same memory (`tilesim run --races`): products of
// dense matrices, through views and through pointers, of a sparse matrix with a vector, and a histogram
// whose bins earlier launches have counted in, too.
//
// Prints milliseconds of one launch of each for bench/run.py, which sets them beside those of a run
// without checking.
//
// SPDX-License-Identifier: Apache-2.0
#include "measured.h"

#include <cuda_tile.h>

#include <algorithm>
#include <cstdio>
#include <vector>

namespace ct = cuda::tiles;
using namespace ct::literals;

constexpr int side = 1024;
constexpr int tile = 64;
using floats = ct::tile<float, ct::shape<tile, tile>>;

__tile_global__ void views(const float* a, const float* b, float* c) {
  ct::partition_view as{ct::tensor_span{a, ct::extents{side, side}}, ct::shape<tile, tile>{}};
  ct::partition_view bs{ct::tensor_span{b, ct::extents{side, side}}, ct::shape<tile, tile>{}};
  ct::partition_view cs{ct::tensor_span{c, ct::extents{side, side}}, ct::shape<tile, tile>{}};
  const int i = ct::bid().x, j = ct::bid().y;
  auto sum = ct::zeros<floats>();
  for (int s = 0; s < side / tile; ++s) {
    sum = ct::mma(as.load(i, s), bs.load(s, j), sum);
  }
  cs.store(sum, i, j);
}

__tile_global__ void pointers(const float* a, const float* b, float* c) {
  const int i = ct::bid().x, j = ct::bid().y;
  auto line = ct::iota<ct::tile<int, ct::shape<tile>>>();
  auto place = ct::reshape(line, ct::shape<tile, 1>{}) * side + ct::reshape(line, ct::shape<1, tile>{});
  auto sum = ct::zeros<floats>();
  for (int s = 0; s < side / tile; ++s) {
    sum = ct::mma(ct::load(a + (i * side + s) * tile + place), ct::load(b + (s * side + j) * tile + place), sum);
  }
  ct::store(c + (i * side + j) * tile + place, sum);
}

constexpr int rows = 1 << 15, lanes = 32, rows_at_once = 16;

// y = A x, with `lanes` elements to a row, as many as fit a tile at once.
__tile_global__ void sparse(const int* columns, const float* values, const float* x, float* y) {
  auto row = static_cast<int>(ct::bid().x) * rows_at_once +
             ct::reshape(ct::iota<ct::tile<int, ct::shape<rows_at_once>>>(), ct::shape<rows_at_once, 1>{});
  auto place = row * lanes + ct::reshape(ct::iota<ct::tile<int, ct::shape<lanes>>>(), ct::shape<1, lanes>{});
  auto product = ct::load(values + place) * ct::load(x + ct::load(columns + place));
  ct::store(y + row, ct::sum(product, 1_ic));
}

constexpr int counted = 1 << 20, bins = 256, at_once = 1024;

__tile_global__ void histogram(const int* values, int* counts) {
  auto i = static_cast<int>(ct::bid().x) * at_once + ct::iota<ct::tile<int, ct::shape<at_once>>>();
  ct::atomic_add<ct::memory_order::relaxed, ct::thread_scope::device>(
      counts + ct::load(values + i), ct::ones<ct::tile<int, ct::shape<at_once>>>());
}

double processor_ms() {
  return 1e-6 * nanoseconds(CLOCK_PROCESS_CPUTIME_ID);
}

/// The median launch: the first one makes the shadow memory, later ones meet what earlier ones left.
template <class Launch>
void measure(const char* name, int repeats, Launch launch) {
  std::vector<double> times;
  for (int i = 0; i < repeats; ++i) {
    const double start = processor_ms();
    launch();
    cudaDeviceSynchronize();
    times.push_back(processor_ms() - start);
  }
  std::sort(times.begin(), times.end());
  std::printf("reads %s ms %.3f\n", name, times[times.size() / 2]);
}

int main() {
  unsigned state = 1;
  const auto draw = [&state] { return (state = state * 1664525U + 1013904223U) >> 8U; };
  const auto matrix = std::vector<float>(side * side, 1.0F);
  float *a = fresh(matrix), *b = fresh(matrix), *c = fresh(matrix);
  measure("views", 3, [&] { views<<<dim3(side / tile, side / tile), 1>>>(a, b, c); });
  measure("pointers", 3, [&] { pointers<<<dim3(side / tile, side / tile), 1>>>(a, b, c); });

  std::vector<int> places(rows * lanes);
  for (int& p : places) {
    p = static_cast<int>(draw() % rows);
  }
  int* columns = fresh(places);
  float *values = fresh(std::vector<float>(rows * lanes, 1.0F)), *x = fresh(std::vector<float>(rows, 1.0F)),
        *y = fresh(std::vector<float>(rows));
  measure("sparse", 5, [&] { sparse<<<rows / rows_at_once, 1>>>(columns, values, x, y); });

  std::vector<int> drawn(counted);
  for (int& v : drawn) {
    v = static_cast<int>(draw() % bins);
  }
  int *what = fresh(drawn), *counts = fresh(std::vector<int>(bins));
  measure("histogram", 10, [&] { histogram<<<counted / at_once, 1>>>(what, counts); });
}
