// A sparse matrix in compressed rows times a vector: a warp to a row, whose lanes add up by
// shuffles.
//
// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <cuda_runtime.h>
#include <vector>

__global__ void multiply(const int* begins,
                         const int* columns,
                         const float* values,
                         const float* x,
                         float* y,
                         int rows) {
  const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  const int lane = threadIdx.x % 32;
  if (row >= rows) { // a whole warp
    return;
  }
  float sum = 0.0F;
  for (int i = begins[row] + lane; i < begins[row + 1]; i += 32) {
    sum += values[i] * __ldg(x + columns[i]);
  }
  for (int distance = 16; distance > 0; distance /= 2) {
    sum += __shfl_xor_sync(0xffffffffU, sum, distance);
  }
  if (lane == 0) {
    y[row] = sum;
  }
}

template <class T>
T* on_device(const std::vector<T>& values) {
  T* p = nullptr;
  cudaMalloc(&p, values.size() * sizeof(T));
  cudaMemcpy(p, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice);
  return p;
}

int main() {
  const int rows = 150;
  std::vector<int> begins{0};
  std::vector<int> columns;
  std::vector<float> values;
  std::vector<float> x(rows);
  for (int r = 0; r < rows; ++r) {
    x[r] = static_cast<float>(r % 4);
    for (int c = r % 5; c < rows; c += 1 + r % 7) {
      columns.push_back(c);
      values.push_back(static_cast<float>((r + c) % 3));
    }
    begins.push_back(static_cast<int>(columns.size()));
  }
  int* const d_begins = on_device(begins);
  int* const d_columns = on_device(columns);
  float* const d_values = on_device(values);
  float* const d_x = on_device(x);
  float* const d_y = on_device(std::vector<float>(rows));
  const int threads = 128;
  multiply<<<(rows * 32 + threads - 1) / threads, threads>>>(
      d_begins, d_columns, d_values, d_x, d_y, rows);
  std::vector<float> y(rows);
  cudaMemcpy(y.data(), d_y, rows * sizeof(float), cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int r = 0; r < rows; ++r) {
    float sum = 0;
    for (int i = begins[r]; i < begins[r + 1]; ++i) {
      sum += values[i] * x[columns[i]];
    }
    wrong += y[r] != sum ? 1 : 0;
  }
  std::printf(
      "spmv: %d rows, %zu elements, y[7] = %.0f, %d wrong\n", rows, values.size(), y[7], wrong);
  cudaFree(d_begins);
  cudaFree(d_columns);
  cudaFree(d_values);
  cudaFree(d_x);
  cudaFree(d_y);
  return wrong == 0 ? 0 : 1;
}
