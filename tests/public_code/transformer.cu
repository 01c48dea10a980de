// Parts of a transformer layer as libraries of kernels have them: rotation by a SIMT kernel and by
// tiles, RMS norm whose rows are assumed aligned, softmax that goes through its columns once with
// plain numbers, products of batches with large tiles on half of the multiprocessors, a gradient
// that loads all and selects afterwards. SPDX-License-Identifier: Apache-2.0
#include "cuda_tile.h"
#include "helper_checks.h"

#include <cmath>
#include <cuda_fp16.h>

namespace ct = cuda::tiles;
using namespace ct::literals;

template <typename T, int... N>
using tile = ct::tile<T, ct::shape<N...>>;

// The table of the rotation, one angle a thread.
__global__ void angles(float* cosine, float* sine, int rows, int half) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < rows * half) {
    float frequency = powf(10000.0f, -float(i % half) / float(half));
    float angle = float(i / half) * frequency;
    cosine[i] = cosf(angle);
    sine[i] = sinf(angle);
  }
}

// Full tiles: no masks.
__tile_global__ void
rotate(float* __restrict__ x, const float* __restrict__ cosine, const float* __restrict__ sine) {
  constexpr int half = 16;
  ct::partition_view rows{ct::tensor_span{x, ct::extents{8, 2 * half}}, ct::shape<1, half>{}};
  ct::partition_view c{ct::tensor_span{cosine, ct::extents{8, half}}, ct::shape<1, half>{}};
  ct::partition_view s{ct::tensor_span{sine, ct::extents{8, half}}, ct::shape<1, half>{}};
  int row = ct::bid().x;
  auto a = rows.load(row, 0), b = rows.load(row, 1);
  auto cos_row = c.load(row, 0), sin_row = s.load(row, 0);
  rows.store(a * cos_row - b * sin_row, row, 0);
  rows.store(b * cos_row + a * sin_row, row, 1);
}

// Every row assumed aligned: right as long as the stride is.
__tile_global__ void
rms_norm(float* __restrict__ out, const float* __restrict__ x, int stride, int n) {
  auto at = ct::iota<tile<int, 64>>();
  auto row = ct::assume_aligned<16>(x + int(ct::bid().x) * stride);
  auto inside = at < n;
  auto v = ct::load_masked(row + at, inside, 0.0f);
  float mean = static_cast<float>(ct::sum(v * v, 0_ic)) / n;
  float scale = ct::rsqrt(mean + 1e-6f);
  ct::store_masked(out + int(ct::bid().x) * stride + at, v * scale, inside);
}

// Largest element and sum so far as plain numbers.
__tile_global__ void softmax(const float* __restrict__ x, float* __restrict__ out, int n) {
  constexpr int width = 16;
  auto at = ct::iota<tile<int, width>>();
  const float* row = x + int(ct::bid().x) * n;
  float m = -INFINITY, l = 0.0f;
  for (int first : ct::irange(0, n, width)) {
    auto v = ct::load_masked(row + first + at, first + at < n, -INFINITY);
    float next = ct::max(m, static_cast<float>(ct::reduce_max<0>(v)));
    l *= ct::exp(m - next);
    l += static_cast<float>(ct::sum(ct::exp(v - next), 0_ic));
    m = next;
  }
  for (int first : ct::irange(0, n, width)) {
    auto inside = first + at < n;
    auto v = ct::load_masked(row + first + at, inside, 0.0f);
    ct::store_masked(out + int(ct::bid().x) * n + first + at, ct::exp(v - m) / l, inside);
  }
}

// Tiles of 1x256x64 and 1x64x256, as many blocks as half of the multiprocessors.
__tile_global__ void batched(const __half* __restrict__ a,
                             const __half* __restrict__ b,
                             float* __restrict__ c,
                             int batches,
                             int k) {
  ct::partition_view left{ct::tensor_span{a, ct::extents{batches, 256_ic, k}},
                          ct::shape<1, 256, 64>{}};
  ct::partition_view right{ct::tensor_span{b, ct::extents{batches, k, 256_ic}},
                           ct::shape<1, 64, 256>{}};
  ct::partition_view to{ct::tensor_span{c, ct::extents{batches, 256_ic, 256_ic}},
                        ct::shape<1, 256, 256>{}};
  for (int batch : ct::irange<int>(ct::bid().x, batches, ct::num_blocks().x)) {
    auto sum = ct::zeros<tile<float, 1, 256, 256>>();
    for (int step = 0; step < (k + 63) / 64; ++step) {
      sum = ct::mma(left.load(batch, 0, step), right.load(batch, step, 0), sum);
    }
    to.store(sum, batch, 0, 0);
  }
}

// In bounds because the length is a multiple of the tile's.
__tile_global__ void gradient(const float* l, const float* p, float* out, int length) {
  int first = ct::bid().x * 16;
  auto at = first + ct::iota<tile<int, 16>>();
  auto largest = ct::load(l + at);
  auto d = ct::select(at <= length / 2, ct::load(p + at) - largest, ct::zeros<tile<float, 16>>());
  ct::store(out + at, d);
}

bool close(float a, float b) {
  return std::fabs(a - b) <= 2e-5f * (1 + std::fabs(b));
}

int main() {
  cudaDeviceProp properties;
  CHECK_CUDA(cudaGetDeviceProperties(&properties, best_device()));

  constexpr int rows = 8, half = 16;
  std::vector<float> x(rows * 2 * half);
  for (int i = 0; i < rows * 2 * half; ++i) {
    x[i] = float(i % 13) - 6;
  }
  device_array<float> rotated(x), cosine(rows * half), sine(rows * half);
  angles<<<4, 32>>>(cosine.data, sine.data, rows, half);
  rotate<<<rows, 1>>>(rotated.data, cosine.data, sine.data);
  CHECK_LAUNCHES();
  for (int i = 0; i < rows * half; ++i) {
    const double angle = i / half * std::pow(10000.0, -double(i % half) / half);
    const int at = i / half * 2 * half + i % half;
    EXPECT(
        close(rotated.host()[at], float(x[at] * std::cos(angle) - x[at + half] * std::sin(angle))));
    EXPECT(close(rotated.host()[at + half],
                 float(x[at + half] * std::cos(angle) + x[at] * std::sin(angle))));
  }

  constexpr int n = 50, stride = 52; // a multiple of four floats
  std::vector<float> matrix(rows * stride);
  for (int i = 0; i < rows * stride; ++i) {
    matrix[i] = float(i * 7 % 31) / 8 - 1;
  }
  device_array<float> in(matrix), normed(rows * stride, 0.0f);
  rms_norm<<<rows, 1>>>(normed.data, in.data, stride, n);
  device_array<float> shares(rows * n, 0.0f);
  softmax<<<rows, 1>>>(in.data, shares.data, n);
  CHECK_LAUNCHES();
  for (int r = 0; r < rows; ++r) {
    double squares = 0, total = 0;
    for (int c = 0; c < n; ++c) {
      squares += double(matrix[r * stride + c]) * matrix[r * stride + c];
      total += std::exp(double(matrix[r * n + c]));
    }
    for (int c = 0; c < n; ++c) {
      EXPECT(close(normed.host()[r * stride + c],
                   float(matrix[r * stride + c] / std::sqrt(squares / n + 1e-6))));
      EXPECT(close(shares.host()[r * n + c], float(std::exp(double(matrix[r * n + c])) / total)));
    }
  }

  constexpr int batches = 2, k = 128;
  std::vector<__half> a(batches * 256 * k), b(batches * k * 256);
  for (size_t i = 0; i < a.size(); ++i) {
    a[i] = __half{float(i % 5) - 2}; // whole numbers: exact in every order
    b[i] = __half{float(i % 7) - 3};
  }
  device_array<__half> da(a), db(b);
  device_array<float> dc(batches * 256 * 256, -1.0f);
  batched<<<properties.multiProcessorCount / 2, 1>>>(da.data, db.data, dc.data, batches, k);
  CHECK_LAUNCHES();
  const auto product = dc.host();
  for (int i = 0; i < batches * 256 * 256; i += 1237) {
    float sum = 0;
    for (int j = 0; j < k; ++j) {
      sum += float(a[i / 256 * k + j]) * float(b[(i / 65536 * k + j) * 256 + i % 256]);
    }
    EXPECT(product[i] == sum);
  }

  device_array<float> largest(64, 0.5f), p(64, 2.0f), gradients(64);
  gradient<<<4, 1>>>(largest.data, p.data, gradients.data, 64);
  CHECK_LAUNCHES();
  EXPECT(gradients.host()[32] == 1.5f && gradients.host()[33] == 0.0f);
  return verdict("transformer");
}
