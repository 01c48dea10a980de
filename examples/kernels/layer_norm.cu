// Layer norm, forward and backward. The gradients of weight and bias are sums over all rows: every block
// adds its share with a relaxed atomic, so the order of these additions is open.
// SPDX-License-Identifier: Apache-2.0
#include "support.h"

namespace ct = cuda::tiles;
using namespace ct::literals;

constexpr int width = 128;
constexpr float epsilon = 1e-5F;
using row_shape = ct::shape<1, width>;
using column_index = ct::tile<int, ct::shape<width>>;

__tile_global__ void forward(const float* x, const float* weight, const float* bias, float* y, float* mean, float* rstd, int rows) {
  const int row = ct::bid().x;
  auto columns = ct::iota<column_index>();
  ct::partition_view from{ct::tensor_span{x, ct::extents{rows, 128_ic}}, row_shape{}};
  ct::partition_view to{ct::tensor_span{y, ct::extents{rows, 128_ic}}, row_shape{}};
  auto v = from.load(row, 0);
  auto m = ct::sum(v, 1_ic) / static_cast<float>(width);
  auto d = v - m;
  auto r = ct::rsqrt(ct::sum(d * d, 1_ic) / static_cast<float>(width) + epsilon);
  to.store(d * r * ct::load(weight + columns) + ct::load(bias + columns), row, 0);
  mean[row] = static_cast<float>(m);
  rstd[row] = static_cast<float>(r);
}

__tile_global__ void backward(const float* x, const float* weight, const float* mean, const float* rstd, const float* dy,
                              float* dx, float* dweight, float* dbias, int rows) {
  const int first = ct::bid().x;
  const int blocks = ct::num_blocks().x;
  auto columns = ct::iota<column_index>();
  ct::partition_view x_rows{ct::tensor_span{x, ct::extents{rows, 128_ic}}, row_shape{}};
  ct::partition_view dy_rows{ct::tensor_span{dy, ct::extents{rows, 128_ic}}, row_shape{}};
  ct::partition_view dx_rows{ct::tensor_span{dx, ct::extents{rows, 128_ic}}, row_shape{}};
  auto w = ct::load(weight + columns);
  auto dw = ct::zeros<ct::tile<float, row_shape>>();
  auto db = ct::zeros<ct::tile<float, row_shape>>();
  for (int row : ct::irange(first, rows, blocks)) {
    auto g = dy_rows.load(row, 0);
    auto normal = (x_rows.load(row, 0) - mean[row]) * rstd[row];
    auto wg = g * w;
    auto c1 = ct::sum(normal * wg, 1_ic) / static_cast<float>(width);
    auto c2 = ct::sum(wg, 1_ic) / static_cast<float>(width);
    dx_rows.store((wg - (normal * c1 + c2)) * rstd[row], row, 0);
    dw = dw + g * normal;
    db = db + g;
  }
  ct::atomic_add<ct::memory_order::relaxed, ct::thread_scope::device>(dweight + columns, ct::reshape(dw, ct::shape<width>{}));
  ct::atomic_add<ct::memory_order::relaxed, ct::thread_scope::device>(dbias + columns, ct::reshape(db, ct::shape<width>{}));
}

int main() {
  const int rows = 64;
  const std::vector<float> x = noise_array(rows * width, 1), dy = noise_array(rows * width, 2);
  const std::vector<float> weight = noise_array(width, 3), bias = noise_array(width, 4);
  float *dx_ = on_device(x), *ddy = on_device(dy), *dweight_ = on_device(weight), *dbias_ = on_device(bias);
  float *y_ = zeros_on_device<float>(x.size()), *mean_ = zeros_on_device<float>(rows), *rstd_ = zeros_on_device<float>(rows);
  float *gx_ = zeros_on_device<float>(x.size()), *gw_ = zeros_on_device<float>(width), *gb_ = zeros_on_device<float>(width);
  forward<<<rows, 1>>>(dx_, dweight_, dbias_, y_, mean_, rstd_, rows);
  backward<<<8, 1>>>(dx_, dweight_, mean_, rstd_, ddy, gx_, gw_, gb_, rows);

  std::vector<float> y(x.size()), gx(x.size()), gw(width), gb(width);
  cudaMemcpy(y.data(), y_, y.size() * sizeof(float), cudaMemcpyDeviceToHost);
  cudaMemcpy(gx.data(), gx_, gx.size() * sizeof(float), cudaMemcpyDeviceToHost);
  cudaMemcpy(gw.data(), gw_, gw.size() * sizeof(float), cudaMemcpyDeviceToHost);
  cudaMemcpy(gb.data(), gb_, gb.size() * sizeof(float), cudaMemcpyDeviceToHost);

  std::vector<double> want_y(x.size()), want_gx(x.size()), want_gw(width), want_gb(width);
  for (int r = 0; r < rows; ++r) {
    const float* v = &x[r * width];
    double m = 0, variance = 0;
    for (int c = 0; c < width; ++c) {
      m += v[c] / static_cast<double>(width);
    }
    for (int c = 0; c < width; ++c) {
      variance += (v[c] - m) * (v[c] - m) / width;
    }
    const double s = 1 / std::sqrt(variance + epsilon);
    double c1 = 0, c2 = 0;
    for (int c = 0; c < width; ++c) {
      const double normal = (v[c] - m) * s, g = dy[r * width + c];
      want_y[r * width + c] = normal * weight[c] + bias[c];
      want_gw[c] += g * normal;
      want_gb[c] += g;
      c1 += normal * g * weight[c] / width;
      c2 += g * weight[c] / width;
    }
    for (int c = 0; c < width; ++c) {
      want_gx[r * width + c] = (dy[r * width + c] * weight[c] - ((v[c] - m) * s * c1 + c2)) * s;
    }
  }
  for (void* p : {dx_, ddy, dweight_, dbias_, y_, mean_, rstd_, gx_, gw_, gb_}) {
    cudaFree(p);
  }
  int failures = verdict("layer_norm forward", y, want_y, 4e-6, 4e-6);
  failures += verdict("layer_norm input gradient", gx, want_gx, 1e-5, 1e-5);
  failures += verdict("layer_norm weight gradient", gw, want_gw, 4e-5, 1e-5);
  failures += verdict("layer_norm bias gradient", gb, want_gb, 1e-5, 1e-5);
  return failures != 0;
}
