// C = A B for float, tf32, half, bfloat16 and 8-bit integers, and with the sum over k split among blocks
// that add their parts atomically.
// SPDX-License-Identifier: Apache-2.0
#include "support.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_tf32.h>

namespace ct = cuda::tiles;

constexpr int tile_m = 32, tile_n = 32, tile_k = 32;

// Element: what mma multiplies; the arrays hold In.
template <class Element, class In, class Out>
__tile_global__ void matmul(const In* a, const In* b, Out* c, int m, int n, int k) {
  ct::partition_view as{ct::tensor_span{a, ct::extents{m, k}}, ct::shape<tile_m, tile_k>{}};
  ct::partition_view bs{ct::tensor_span{b, ct::extents{k, n}}, ct::shape<tile_k, tile_n>{}};
  ct::partition_view cs{ct::tensor_span{c, ct::extents{m, n}}, ct::shape<tile_m, tile_n>{}};
  const int i = ct::bid().x;
  const int j = ct::bid().y;
  auto sum = ct::zeros<ct::tile<Out, ct::shape<tile_m, tile_n>>>();
  for (int s : ct::irange(0, (k + tile_k - 1) / tile_k)) {
    sum = ct::mma(ct::element_cast<Element>(as.load_masked(i, s)), ct::element_cast<Element>(bs.load_masked(s, j)), sum);
  }
  cs.store_masked(sum, i, j);
}

// Block (i, j, p) sums part p of the k steps. The sizes are multiples of the tile: view atomics have no mask.
__tile_global__ void matmul_split_k(const float* a, const float* b, float* c, int m, int n, int k) {
  ct::partition_view as{ct::tensor_span{a, ct::extents{m, k}}, ct::shape<tile_m, tile_k>{}};
  ct::partition_view bs{ct::tensor_span{b, ct::extents{k, n}}, ct::shape<tile_k, tile_n>{}};
  ct::partition_view cs{ct::tensor_span{c, ct::extents{m, n}}, ct::shape<tile_m, tile_n>{}};
  const int i = ct::bid().x;
  const int j = ct::bid().y;
  const int part = ct::bid().z;
  const int parts = ct::num_blocks().z;
  auto sum = ct::zeros<ct::tile<float, ct::shape<tile_m, tile_n>>>();
  for (int s : ct::irange(part, k / tile_k, parts)) {
    sum = ct::mma(as.load(i, s), bs.load(s, j), sum);
  }
  cs.atomic_add(sum, ct::memory_order_relaxed_t{}, ct::thread_scope_device_t{}, i, j);
}

template <class T>
std::vector<double> product(const std::vector<T>& a, const std::vector<T>& b, int m, int n, int k) {
  std::vector<double> c(m * n);
  for (int i = 0; i < m; ++i) {
    for (int s = 0; s < k; ++s) {
      for (int j = 0; j < n; ++j) {
        c[i * n + j] += static_cast<double>(static_cast<float>(a[i * k + s])) * static_cast<float>(b[s * n + j]);
      }
    }
  }
  return c;
}

template <class Element, class In, class Out>
int try_type(const char* name, const std::vector<In>& a, const std::vector<In>& b, int m, int n, int k, double bound) {
  In *da = on_device(a), *db = on_device(b);
  Out* dc = zeros_on_device<Out>(m * n);
  matmul<Element, In, Out><<<dim3((m + tile_m - 1) / tile_m, (n + tile_n - 1) / tile_n), 1>>>(da, db, dc, m, n, k);
  std::vector<Out> c(m * n);
  cudaMemcpy(c.data(), dc, c.size() * sizeof(Out), cudaMemcpyDeviceToHost);
  cudaFree(da);
  cudaFree(db);
  cudaFree(dc);
  return verdict(name, c, product(a, b, m, n, k), bound, 0);
}

int main() {
  const int m = 80, n = 72, k = 136;
  const auto a = noise_array(m * k, 1), b = noise_array(k * n, 2);
  // Inputs have 8 bits, so that products are exact in every type, and so are these sums in float.
  int failures = try_type<float, float, float>("matmul float", a, b, m, n, k, 0);
  failures += try_type<__nv_tf32, float, float>("matmul tf32", a, b, m, n, k, 0);
  failures += try_type<__half, __half, float>("matmul half", noise_array<__half>(m * k, 1), noise_array<__half>(k * n, 2), m, n, k, 0);
  failures += try_type<__nv_bfloat16, __nv_bfloat16, float>("matmul bfloat16", noise_array<__nv_bfloat16>(m * k, 1),
                                                            noise_array<__nv_bfloat16>(k * n, 2), m, n, k, 0);
  std::vector<signed char> ai(m * k), bi(k * n);
  for (int i = 0; i < m * k; ++i) {
    ai[i] = static_cast<signed char>(noise(i, 3) * 128);
  }
  for (int i = 0; i < k * n; ++i) {
    bi[i] = static_cast<signed char>(noise(i, 4) * 128);
  }
  failures += try_type<signed char, signed char, int>("matmul int8", ai, bi, m, n, k, 0);

  const int m2 = 64, n2 = 96, k2 = 256;
  const auto a2 = noise_array(m2 * k2, 5), b2 = noise_array(k2 * n2, 6);
  float *da = on_device(a2), *db = on_device(b2), *dc = zeros_on_device<float>(m2 * n2);
  matmul_split_k<<<dim3(m2 / tile_m, n2 / tile_n, 4), 1>>>(da, db, dc, m2, n2, k2);
  std::vector<float> c(m2 * n2);
  cudaMemcpy(c.data(), dc, c.size() * sizeof(float), cudaMemcpyDeviceToHost);
  cudaFree(da);
  cudaFree(db);
  cudaFree(dc);
  failures += verdict("matmul split k", c, product(a2, b2, m2, n2, k2), 0, 0);
  return failures != 0;
}
