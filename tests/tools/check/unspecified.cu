// What depends on an unspecified value, and what does not: the first argument says which.
//
// SPDX-License-Identifier: Apache-2.0
#include "cuda_runtime.h"
#include "cuda_tile.h"

#include <cuda/atomic>

#include <cstdio>
#include <cstring>
#include <unistd.h>

namespace ct = cuda::tiles;
constexpr auto relaxed = ct::memory_order_relaxed_t{};
using eight = ct::tile<int, ct::shape<8>>;
using floats = ct::tile<float, ct::shape<8>>;
using zero = ct::integral_constant<0>;

constexpr int n = 5; // elements that there are

__tile_global__ void sum(const float* x, float* y) {
  auto i = ct::iota<eight>();
  auto v = ct::load_masked(x + i, i < n); // origin: sum
  *y = static_cast<float>(ct::sum(v, zero{}));
}

__tile_global__ void branch(const float* x, float* y) {
  auto i = ct::iota<eight>();
  auto v = ct::load_masked(x + i, i < n); // origin: branch
  if (static_cast<float>(ct::reduce_max(v, zero{})) > 10.0F) // use: branch
    ct::store(y, 1.0F);
  else
    ct::store(y, 1.0F);
}

__tile_global__ void address(const int* index, float* y) {
  auto i = ct::iota<eight>();
  auto at = ct::load_masked(index + i, i < n); // origin: address
  ct::store(y + (at & 7), ct::full<floats>(1.0F)); // use: address
}

__tile_global__ void gather(const int* index, const float* x, float* y) {
  auto i = ct::iota<eight>();
  auto at = ct::load_masked(index + i, i < n);
  ct::store_masked(y + i, ct::load_masked(x + at, i < n), i < n);
}

__tile_global__ void mask(const int* index, float* y) {
  auto i = ct::iota<eight>();
  auto at = ct::load_masked(index + i, i < n); // origin: mask
  ct::store_masked(y + i, ct::full<floats>(1.0F), at > 2); // use: mask
}

__tile_global__ void poison(const float* x, float* y) {
  auto i = ct::iota<eight>();
  auto w = ct::load_masked(x + i, i < n); // origin: poison
  auto squares = ct::select(i < n, w * w, w * 0.0F); // drops nothing where w is NaN
  ct::store(y + i, squares);
}

__tile_global__ void largest(const float* x, float* y) {
  auto i = ct::iota<eight>();
  auto v = ct::load_masked(x + i, i < n); // origin: largest
  ct::store(y + i, ct::max(v, ct::full<floats>(-1.0F)));
}

__tile_global__ void adds(const int* x, int* y) {
  auto i = ct::iota<eight>();
  auto v = ct::load_masked(x + i, i < n); // origin: adds
  ct::atomic_add(y + i, v & 1023, relaxed);
}

__tile_global__ void old_value(int* x, int* y) {
  auto i = ct::iota<eight>();
  auto v = ct::atomic_add_masked(x + i, ct::full<eight>(1), i < n, relaxed); // origin: old
  ct::store(y + i, v);
}

__tile_global__ void prints(const int* x) {
  auto i = ct::iota<eight>();
  auto v = ct::load_masked(x + i, i < n); // origin: prints
  std::printf("%d\n", v); // use: prints
}

__tile_global__ void copy(const float* x, float* y) {
  auto i = ct::iota<eight>();
  auto v = ct::load_masked(x + i, i < n); // origin: copy
  ct::store(y + i, v);
}

__tile_global__ void drop(const float* x, float* y) {
  auto i = ct::iota<eight>();
  auto v = ct::load_masked(x + i, i < n);
  ct::store(y + i, ct::select(i < n, v, ct::full<floats>(0.0F)));
}

__tile_global__ void keep_out(const float* x, float* y) {
  auto i = ct::iota<eight>();
  auto v = ct::load_masked(x + i, i < n);
  ct::store_masked(y + i, v * v + 1.0F, i < n);
}

__tile_global__ void again(const float* x, float* y) {
  auto i = ct::iota<eight>();
  ct::store(y + i, ct::load(x + i)); // use: again
}

__tile_global__ void both(const float* x, float* y) {
  auto i = ct::iota<eight>();
  auto a = ct::load_masked(x + i, i < n);
  auto b = ct::load_masked(x + i, i < n); // origin: both
  auto c = ct::load_masked(x + i, i < n);
  ct::store(y + i, ct::select(i < n, a + c, b));
}

__tile_global__ void choice(const int* x, int* y) {
  auto i = ct::iota<eight>();
  auto v = ct::load_masked(x + i, i < n); // origin: choice
  ct::store(y + i, ct::select((v & 1) == 1, ct::full<eight>(1), ct::full<eight>(2)));
}

__tile_global__ void inner_choice(const int* x, int* y) {
  auto i = ct::iota<eight>();
  auto v = ct::load_masked(x + i, i < n);
  auto odd = ct::select((v & 1) == 1, ct::full<eight>(1), ct::full<eight>(2));
  ct::store(y + i, ct::select(i < n, odd, ct::full<eight>(0)));
}

// The mask that comes from the values has the bits of the one that does not.
__tile_global__ void same_bits(const int* x, int* y) {
  auto i = ct::iota<eight>();
  auto v = ct::load_masked(x + i, i < n);
  auto small = v < 8;
  auto chosen = ct::select(small, v, ct::full<eight>(0));
  auto inside = i < n;
  ct::store(y + i, ct::select(inside, chosen, ct::full<eight>(0)));
}

__tile_global__ void padded_mask(const int* x, int* y) {
  auto i = ct::iota<eight>();
  auto v = ct::load_masked(x + i, i < n); // origin: padded-mask
  ct::store(y + i, ct::load_masked(x + i, (v & 1) == 1, 0)); // use: padded-mask
}

// The sum is 0 but for a NaN, and goes through a scalar of C++.
__tile_global__ void poison_sum(const float* x, float* y) {
  auto i = ct::iota<eight>();
  auto w = ct::load_masked(x + i, i < n); // origin: poison-sum
  auto s = ct::sum(ct::select(i < n, ct::full<floats>(0.0F), w * 0.0F), zero{});
  ct::store(y, static_cast<float>(s));
}

// Hardly any value is equal to what is there: that one may be is what counts.
__tile_global__ void exchange(const int* x, int* y) {
  auto i = ct::iota<eight>();
  auto v = ct::load_masked(x + i, i < n); // origin: exchange
  ct::atomic_compare_exchange(y + i, v, i, relaxed); // use: exchange
}

__tile_global__ void raw_exchange(const int* x, int* y) {
  auto i = ct::iota<eight>();
  auto v = ct::load_masked(x + i, i < n); // origin: raw-exchange
  int expected = static_cast<int>(ct::reduce_max(v, zero{}));
  cuda::atomic_ref<int>(*y).compare_exchange_strong(expected, 1); // use: raw-exchange
}

__tile_global__ void exchange_inside(const int* x, int* y) {
  auto i = ct::iota<eight>();
  auto v = ct::load_masked(x + i, i < n);
  ct::atomic_compare_exchange_masked(y + i, v, i, i < n, relaxed);
}

// What memory holds is compared with itself.
__tile_global__ void exchange_what_is_there(int* y) {
  auto i = ct::iota<eight>();
  auto old = ct::load(y + i);
  ct::atomic_compare_exchange(y + i, old, old ^ 1, relaxed);
}

__tile_global__ void overflow(const int* x, int* y) {
  auto i = ct::iota<eight>();
  auto v = ct::load_masked(x + i, i < n); // origin: overflow
  *y = static_cast<int>(ct::sum(v & 0x3fffffff | 0x38000000, zero{})); // use: overflow
}

__tile_global__ void own_overflow(const int* x, int* y) {
  auto i = ct::iota<eight>();
  auto v = ct::load_masked(x + i, i < n);
  *y = static_cast<int>(ct::sum(ct::select(i < n, ct::full<eight>(0x7fffffff), v & 0), zero{}));
}

template <class T>
T* on_device(const T* from) {
  T* p = nullptr;
  cudaMalloc(&p, 8 * sizeof(T));
  cudaMemcpy(p, from, 8 * sizeof(T), cudaMemcpyHostToDevice);
  return p;
}

int main(int, char** arguments) {
  const auto is = [&](const char* mode) { return std::strcmp(arguments[1], mode) == 0; };
  const float values[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  const int numbers[8] = {0, 1, 2, 3, 4, 5, 6, 7};
  float* x = on_device(values);
  float* y = on_device(values);
  float* z = on_device(values);
  int* i = on_device(numbers);
  int* j = on_device(numbers);
  float* managed = nullptr;
  cudaMallocManaged(&managed, 8 * sizeof(float));
  float result[8] = {};
  const auto part = [&](const void* from, std::size_t count) {
    cudaMemcpy(result, from, count * sizeof(float), cudaMemcpyDeviceToHost); // copy
  };
  if (is("sum"))
    sum<<<1, 1>>>(x, y), part(y, 1);
  else if (is("branch"))
    branch<<<1, 1>>>(x, y), part(y, 1);
  else if (is("address"))
    address<<<1, 1>>>(i, y), part(x, 1);
  else if (is("gather"))
    gather<<<1, 1>>>(i, x, y), part(y, 8);
  else if (is("mask"))
    mask<<<1, 1>>>(i, y), part(x, 1);
  else if (is("poison"))
    poison<<<1, 1>>>(x, y), part(y, 8);
  else if (is("largest"))
    largest<<<1, 1>>>(x, y), part(y, 8);
  else if (is("adds"))
    adds<<<1, 1>>>(i, j), part(j, 8);
  else if (is("old"))
    old_value<<<1, 1>>>(i, j), part(j, 8);
  else if (is("prints"))
    prints<<<1, 1>>>(i);
  else if (is("managed")) {
    copy<<<1, 1>>>(x, managed);
    cudaDeviceSynchronize();
    std::printf("%s\n", managed[6] > 0 ? "positive" : "negative"); // managed
  } else if (is("through"))
    copy<<<1, 1>>>(x, y), again<<<1, 1>>>(y, z), part(z, 8);
  else if (is("drop"))
    drop<<<1, 1>>>(x, y), part(y, 8);
  else if (is("keep-out"))
    keep_out<<<1, 1>>>(x, y), part(y, 8);
  else if (is("dead"))
    copy<<<1, 1>>>(x, y);
  else if (is("overwritten"))
    copy<<<1, 1>>>(x, y), again<<<1, 1>>>(x, y), part(y, 8);
  else if (is("other-part"))
    copy<<<1, 1>>>(x, y), part(y, n);
  else if (is("stays"))
    copy<<<1, 1>>>(x, y), again<<<1, 1>>>(y, z), part(z, n);
  else if (is("choice"))
    choice<<<1, 1>>>(i, j), part(j, 8);
  else if (is("inner-choice"))
    inner_choice<<<1, 1>>>(i, j), part(j, 8);
  else if (is("same-bits"))
    same_bits<<<1, 1>>>(i, j), part(j, 8);
  else if (is("padded-mask"))
    padded_mask<<<1, 1>>>(i, j), part(x, 1);
  else if (is("poison-sum"))
    poison_sum<<<1, 1>>>(x, y), part(y, 1);
  else if (is("exchange"))
    exchange<<<1, 1>>>(i, j), part(x, 1);
  else if (is("raw-exchange"))
    raw_exchange<<<1, 1>>>(i, j), part(x, 1);
  else if (is("exchange-inside"))
    exchange_inside<<<1, 1>>>(i, j), part(j, 8);
  else if (is("exchange-what-is-there"))
    copy<<<1, 1>>>(reinterpret_cast<float*>(i), reinterpret_cast<float*>(j)),
        exchange_what_is_there<<<1, 1>>>(j), part(j, n);
  else if (is("overflow"))
    overflow<<<1, 1>>>(i, j), part(x, 1);
  else if (is("own-overflow"))
    own_overflow<<<1, 1>>>(i, j), part(x, 1);
  else if (is("both"))
    both<<<1, 1>>>(x, y), part(y, 8);
  else if (is("differs"))
    copy<<<1, 1>>>(x, y), part(y, n), std::printf("%d\n", static_cast<int>(getpid()));
  else if (is("host-line")) {
    copy<<<1, 1>>>(x, managed);
    cudaDeviceSynchronize();
    std::printf("%g\n", managed[6]);
  }
  cudaDeviceSynchronize();
  for (void* p : {static_cast<void*>(x), static_cast<void*>(y), static_cast<void*>(z),
                  static_cast<void*>(i), static_cast<void*>(j), static_cast<void*>(managed)})
    cudaFree(p);
}
