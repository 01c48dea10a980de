// mma and matmul: blocked products with accumulators, batches, every pair of types, 1×K shapes.
// SPDX-License-Identifier: Apache-2.0
#include "helper_checks.h"

#include "cuda_tile.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <cuda_tf32.h>

namespace ct = cuda::tiles;
using namespace ct::literals;

template <typename T, int... N>
using tile = ct::tile<T, ct::shape<N...>>;

// C = A · B with tiles of 16x16 over k, one block a tile of C.
template <typename In, typename Sum>
__tile_global__ void product(const float* a, const float* b, float* c, int n) {
  constexpr int size = 16;
  auto across = ct::reshape<ct::shape<1, size>>(ct::iota<tile<int, size>>());
  auto down = ct::reshape<ct::shape<size, 1>>(ct::iota<tile<int, size>>());
  int top = ct::bid().y * size, left_edge = ct::bid().x * size;
  auto row = top + down;
  auto column = left_edge + across;
  auto sum = ct::zeros<tile<Sum, size, size>>();
  for (int k = 0; k < n; k += size) {
    auto left = ct::element_cast<In>(ct::load(a + (row * n + (k + across))));
    auto right = ct::element_cast<In>(ct::load(b + ((k + down) * n + column)));
    sum = ct::mma(left, right, sum);
  }
  ct::store(c + (row * n + column), ct::element_cast<float>(sum));
}

// A vector times a matrix, as for one token: 1x16 · 16x32.
__tile_global__ void one_row(const float* x, const float* w, float* y) {
  auto v = ct::load(x + ct::iota<tile<int, 1, 16>>());
  auto m = ct::load(w + ct::iota<tile<int, 16, 32>>());
  ct::store(y + ct::iota<tile<int, 1, 32>>(), ct::matmul(v, m));
}

__tile_global__ void batches(const int* x, int* y) {
  auto bytes = ct::element_cast<signed char>(ct::load(x + ct::iota<tile<int, 2, 2, 4>>()));
  auto one = ct::element_cast<unsigned char>(ct::load(x + ct::iota<tile<int, 1, 4, 2>>()));
  ct::store(y + ct::iota<tile<int, 2, 2, 2>>(), ct::matmul(bytes, one));
  auto acc = ct::full<tile<int, 2, 2, 2>>(100);
  ct::store(y + 8 + ct::iota<tile<int, 2, 2, 2>>(), ct::mma(bytes, one, acc));
}

template <typename In, typename Sum>
bool multiplies(const std::vector<float>& x, const std::vector<float>& y, int n) {
  device_array<float> a(x), b(y), c(n * n, -1.0f);
  product<In, Sum><<<dim3(n / 16, n / 16), 1>>>(a.data, b.data, c.data, n);
  CHECK_LAUNCHES();
  const auto got = c.host();
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      float sum = 0;
      for (int k = 0; k < n; ++k) {
        sum += x[i * n + k] * y[k * n + j];
      }
      if (got[i * n + j] != sum) {
        return false;
      }
    }
  }
  return true;
}

int main() {
  constexpr int n = 32;
  std::vector<float> x(n * n), y(n * n);
  for (int i = 0; i < n * n; ++i) {
    x[i] = static_cast<float>(i % 7); // small whole numbers: sums are exact in every order and type
    y[i] = static_cast<float>(i % 5 % 3);
  }
  EXPECT((multiplies<float, float>(x, y, n)));
  EXPECT((multiplies<double, double>(x, y, n)));
  EXPECT((multiplies<__nv_tf32, float>(x, y, n)));
  EXPECT((multiplies<__half, float>(x, y, n)));
  EXPECT((multiplies<__half, __half>(x, y, n)));
  EXPECT((multiplies<__nv_bfloat16, float>(x, y, n)));
  EXPECT((multiplies<__nv_fp8_e4m3, float>(x, y, n)));
  EXPECT((multiplies<__nv_fp8_e4m3, __half>(x, y, n)));
  EXPECT((multiplies<__nv_fp8_e5m2, float>(x, y, n)));
  EXPECT((multiplies<signed char, int>(x, y, n)));
  EXPECT((multiplies<unsigned char, int>(x, y, n)));

  device_array<float> v(std::vector<float>(x.begin(), x.begin() + 16)), m(y), r(32);
  one_row<<<1, 1>>>(v.data, m.data, r.data);
  CHECK_LAUNCHES();
  for (int j = 0; j < 32; ++j) {
    float sum = 0;
    for (int k = 0; k < 16; ++k) {
      sum += x[k] * y[k * 32 + j];
    }
    EXPECT(r.host()[j] == sum);
  }

  std::vector<int> numbers(16);
  for (int i = 0; i < 16; ++i) {
    numbers[i] = i - 8;
  }
  device_array<int> in(numbers), out(16);
  batches<<<1, 1>>>(in.data, out.data);
  CHECK_LAUNCHES();
  const auto got = out.host();
  for (int b = 0; b < 2; ++b) {
    for (int i = 0; i < 2; ++i) {
      for (int j = 0; j < 2; ++j) {
        int sum = 0;
        for (int k = 0; k < 4; ++k) {
          sum += numbers[(b * 2 + i) * 4 + k] * static_cast<unsigned char>(numbers[k * 2 + j]);
        }
        EXPECT(got[(b * 2 + i) * 2 + j] == sum && got[8 + (b * 2 + i) * 2 + j] == sum + 100);
      }
    }
  }
  return verdict("matrices");
}
