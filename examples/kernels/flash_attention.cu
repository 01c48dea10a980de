// Flash attention, forward, causal: a block owns 32 queries of one head, walks over the keys before them,
// and keeps a running maximum and sum, so that the matrix of scores never exists.
// SPDX-License-Identifier: Apache-2.0
#include "support.h"

#include <cuda_fp16.h>

namespace ct = cuda::tiles;
using namespace ct::literals;

constexpr int queries = 32, keys = 32, head_size = 32;
constexpr float log2_e = 1.44269504F;

// All arrays: [heads, length, head_size].
__tile_global__ void flash_attention(const __half* q, const __half* k, const __half* v, float* out, int heads, int length, float scale) {
  const auto shape = ct::extents{heads, length, 32_ic};
  ct::partition_view qs{ct::tensor_span{q, shape}, ct::shape<1, queries, head_size>{}};
  ct::partition_view ks{ct::tensor_span{k, shape}, ct::shape<1, keys, head_size>{}};
  ct::partition_view vs{ct::tensor_span{v, shape}, ct::shape<1, keys, head_size>{}};
  ct::partition_view outs{ct::tensor_span{out, shape}, ct::shape<1, queries, head_size>{}};
  const int block = ct::bid().x;
  const int head = ct::bid().y;

  auto query = ct::reshape(qs.load_masked(head, block, 0), ct::shape<queries, head_size>{});
  auto row = block * queries + ct::reshape(ct::iota<ct::tile<int, ct::shape<queries>>>(), ct::shape<queries, 1>{});
  auto maximum = ct::full<ct::tile<float, ct::shape<queries, 1>>>(-1e30F);
  auto total = ct::zeros<ct::tile<float, ct::shape<queries, 1>>>();
  auto sum = ct::zeros<ct::tile<float, ct::shape<queries, head_size>>>();
  for (int step : ct::irange(0, block + 1)) {
    auto key = ct::reshape(ks.load_masked(head, step, 0), ct::shape<keys, head_size>{});
    auto value = ct::reshape(vs.load_masked(head, step, 0), ct::shape<keys, head_size>{});
    auto scores = ct::mma(query, ct::transpose(key), ct::zeros<ct::tile<float, ct::shape<queries, keys>>>()) * (scale * log2_e);
    auto column = step * keys + ct::reshape(ct::iota<ct::tile<int, ct::shape<keys>>>(), ct::shape<1, keys>{});
    auto visible = (column <= row) & (column < length);
    auto masked = ct::select(visible, scores, ct::full<ct::tile<float, ct::shape<queries, keys>>>(-1e30F));
    auto higher = ct::max(maximum, ct::reduce_max(masked, 1_ic));
    auto weights = ct::exp2(masked - higher);
    auto shrink = ct::exp2(maximum - higher);
    total = total * shrink + ct::sum(weights, 1_ic);
    sum = ct::mma(ct::element_cast<__half>(weights), value, sum * shrink);
    maximum = higher;
  }
  outs.store_masked(ct::reshape(sum / total, ct::shape<1, queries, head_size>{}), head, block, 0);
}

int main() {
  const int heads = 2, length = 100;
  const std::size_t count = heads * length * head_size;
  const auto q = noise_array<__half>(count, 1), k = noise_array<__half>(count, 2), v = noise_array<__half>(count, 3);
  __half *dq = on_device(q), *dk = on_device(k), *dv = on_device(v);
  float* dout = zeros_on_device<float>(count);
  const float scale = 0.17677669F; // 1 / sqrt(head_size)
  flash_attention<<<dim3((length + queries - 1) / queries, heads), 1>>>(dq, dk, dv, dout, heads, length, scale);
  std::vector<float> out(count);
  cudaMemcpy(out.data(), dout, count * sizeof(float), cudaMemcpyDeviceToHost);
  cudaFree(dq);
  cudaFree(dk);
  cudaFree(dv);
  cudaFree(dout);

  std::vector<double> want(count);
  std::vector<double> score(length);
  for (int h = 0; h < heads; ++h) {
    for (int i = 0; i < length; ++i) {
      double total = 0;
      for (int j = 0; j <= i; ++j) {
        double dot = 0;
        for (int d = 0; d < head_size; ++d) {
          dot += static_cast<double>(static_cast<float>(q[(h * length + i) * head_size + d])) *
                 static_cast<float>(k[(h * length + j) * head_size + d]);
        }
        total += score[j] = std::exp(dot * scale);
      }
      for (int d = 0; d < head_size; ++d) {
        for (int j = 0; j <= i; ++j) {
          want[(h * length + i) * head_size + d] += score[j] / total * static_cast<float>(v[(h * length + j) * head_size + d]);
        }
      }
    }
  }
  // The weights are rounded to half before the second product.
  return verdict("flash_attention", out, want, 1e-3, 0);
}
