// Flash decoding: one query per head, a long list of keys. Every split of the keys gives a partial result
// with its maximum and sum; a second kernel joins them.
// SPDX-License-Identifier: Apache-2.0
#include "support.h"

namespace ct = cuda::tiles;
using namespace ct::literals;

constexpr int head_size = 64, keys = 32, splits = 8;

// k, v: [heads, length, head_size]; partial: [heads, splits, head_size]
__tile_global__ void decode_split(const float* q, const float* k, const float* v, float* partial, float* maxima, float* totals,
                                  int heads, int length, float scale) {
  const int split = ct::bid().x;
  const int head = ct::bid().y;
  const auto shape = ct::extents{heads, length, 64_ic};
  ct::partition_view ks{ct::tensor_span{k, shape}, ct::shape<1, keys, head_size>{}};
  ct::partition_view vs{ct::tensor_span{v, shape}, ct::shape<1, keys, head_size>{}};
  ct::partition_view partials{ct::tensor_span{partial, ct::extents{heads, 8_ic, 64_ic}}, ct::shape<1, 1, head_size>{}};
  auto query = ct::load(q + head * head_size + ct::iota<ct::tile<int, ct::shape<head_size>>>());
  float maximum = -1e30F;
  float total = 0;
  auto sum = ct::zeros<ct::tile<float, ct::shape<1, head_size>>>();
  const int steps = (length + keys - 1) / keys;
  for (int step : ct::irange(split, steps, splits)) {
    auto key = ct::reshape(ks.load_masked(head, step, 0), ct::shape<keys, head_size>{});
    auto value = ct::reshape(vs.load_masked(head, step, 0), ct::shape<keys, head_size>{});
    auto index = step * keys + ct::reshape(ct::iota<ct::tile<int, ct::shape<keys>>>(), ct::shape<keys, 1>{});
    auto dots = ct::sum(key * query, 1_ic) * scale;
    auto scores = ct::select(index < length, dots, ct::full<ct::tile<float, ct::shape<keys, 1>>>(-1e30F));
    const float higher = ct::max(maximum, static_cast<float>(ct::reduce_max(scores, 0_ic)));
    auto weights = ct::exp(scores - higher);
    const float shrink = ct::exp(maximum - higher);
    total = total * shrink + static_cast<float>(ct::sum(weights, 0_ic));
    sum = sum * shrink + ct::sum(weights * value, 0_ic);
    maximum = higher;
  }
  partials.store(ct::reshape(sum, ct::shape<1, 1, head_size>{}), head, split, 0);
  maxima[head * splits + split] = maximum;
  totals[head * splits + split] = total;
}

__tile_global__ void join_splits(const float* partial, const float* maxima, const float* totals, float* out, int heads) {
  const int head = ct::bid().x;
  ct::partition_view partials{ct::tensor_span{partial, ct::extents{heads, 8_ic, 64_ic}}, ct::shape<1, splits, head_size>{}};
  auto at = head * splits + ct::reshape(ct::iota<ct::tile<int, ct::shape<splits>>>(), ct::shape<splits, 1>{});
  auto m = ct::load(maxima + at);
  auto weights = ct::exp(m - ct::reduce_max(m, 0_ic));
  auto total = ct::sum(ct::load(totals + at) * weights, 0_ic);
  auto parts = ct::reshape(partials.load(head, 0, 0), ct::shape<splits, head_size>{});
  auto joined = ct::sum(parts * weights, 0_ic) / total;
  ct::store(out + head * head_size + ct::iota<ct::tile<int, ct::shape<head_size>>>(), ct::reshape(joined, ct::shape<head_size>{}));
}

int main() {
  const int heads = 3, length = 500;
  const auto q = noise_array(heads * head_size, 1);
  const auto k = noise_array(heads * length * head_size, 2), v = noise_array(heads * length * head_size, 3);
  float *dq = on_device(q), *dk = on_device(k), *dv = on_device(v);
  float *partial = zeros_on_device<float>(heads * splits * head_size), *dout = zeros_on_device<float>(heads * head_size);
  float *maxima = zeros_on_device<float>(heads * splits), *totals = zeros_on_device<float>(heads * splits);
  const float scale = 0.125F;
  decode_split<<<dim3(splits, heads), 1>>>(dq, dk, dv, partial, maxima, totals, heads, length, scale);
  join_splits<<<heads, 1>>>(partial, maxima, totals, dout, heads);
  std::vector<float> out(heads * head_size);
  cudaMemcpy(out.data(), dout, out.size() * sizeof(float), cudaMemcpyDeviceToHost);
  for (float* p : {dq, dk, dv, partial, dout, maxima, totals}) {
    cudaFree(p);
  }

  std::vector<double> want(out.size()), weight(length);
  for (int h = 0; h < heads; ++h) {
    double total = 0;
    for (int j = 0; j < length; ++j) {
      double dot = 0;
      for (int d = 0; d < head_size; ++d) {
        dot += static_cast<double>(q[h * head_size + d]) * k[(h * length + j) * head_size + d];
      }
      total += weight[j] = std::exp(dot * scale);
    }
    for (int j = 0; j < length; ++j) {
      for (int d = 0; d < head_size; ++d) {
        want[h * head_size + d] += weight[j] / total * v[(h * length + j) * head_size + d];
      }
    }
  }
  return verdict("flash_decoding", out, want, 2e-6, 0);
}
