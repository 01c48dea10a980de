// Sums of tiles that come through views, through pointers with a promised alignment, or have three
// dimensions: the hardware spreads them over its threads in other ways, so the order is compared by
// what any order gives. All numbers are positive, so that the bound is relative to the result.
// SPDX-License-Identifier: Apache-2.0
#include "reductions.hpp"

using namespace gpu_test;

template <class T, int M, int N>
__tile_global__ void of_view(T* out, const T* in, int rows) {
  ct::partition_view from{ct::tensor_span{in, ct::extents{rows, ct::integral_constant<N>{}}},
                          shape<M, N>{}};
  auto r = ct::sum<1>(from.load_masked(ct::bid().x, 0));
  ct::store(place_of_tile<decltype(r)>(out, static_cast<int>(ct::bid().x)), r);
}

template <class T, int M, int N>
__tile_global__ void of_aligned(T* out, const T* in) {
  const int b = static_cast<int>(ct::bid().x);
  auto r = ct::sum<1>(load_tile<shape<M, N>>(ct::assume_aligned<16>(in), b));
  ct::store(place_of_tile<decltype(r)>(out, b), r);
}

constexpr int elements = 2048;

template <class T>
std::vector<bits> positive() {
  return numbers_between(element<T>::layout, elements, -4, 1, true, 40);
}

template <class T, int M, int N>
void rows() {
  const std::string type = std::string(element<T>::name) + ", rows of " + std::to_string(N);
  const device_array<T> in(positive<T>());
  const device_array<T> out(elements / N);
  constexpr unsigned tiles = elements / (M * N);
  of_view<T, M, N><<<tiles, 1>>>(out.data(), in.data(), elements / N);
  check(cudaGetLastError(), "of_view");
  out.retrieve("sum of a view, " + type);
  of_aligned<T, M, N><<<tiles, 1>>>(out.data(), in.data());
  check(cudaGetLastError(), "of_aligned");
  out.retrieve("sum of aligned pointers, " + type);
  operations += 2;
}

int main() {
  for_each(floats{}, []<class T>() {
    rows<T, 8, 8>();
    rows<T, 4, 32>();
  });
  for_each(list<float, double>{}, []<class T>() {
    rows<T, 16, 64>();
    rows<T, 1, 1024>();
  });
  run_along<op::sum, 0, shape<16, 4, 4>, float>(positive<float>());
  run_along<op::sum, 0, shape<4, 8, 16>, double>(positive<double>());
  run_along<op::sum, 1, shape<4, 8, 16>, float>(positive<float>());
  run_along<op::prod, 0, shape<4, 8, 16>, float>(
      numbers_between(element<float>::layout, elements, -1, 1, true, 41));
  return done();
}
