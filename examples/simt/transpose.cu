// A matrix transposed by way of shared memory: rows are read and rows are written, and the tile's
// rows are one element longer than they need to be, so that a column of it lies in different banks.
//
// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <cuda_runtime.h>
#include <vector>

constexpr int side = 32;
constexpr int rows = 8; // of threads: each moves side / rows elements

__global__ void transpose(const float* in, float* out, int width, int height) {
  __shared__ float tile[side][side + 1];
  int x = blockIdx.x * side + threadIdx.x;
  int y = blockIdx.y * side + threadIdx.y;
  for (int i = 0; i < side; i += rows) {
    if (x < width && y + i < height) {
      tile[threadIdx.y + i][threadIdx.x] = in[(y + i) * width + x];
    }
  }
  __syncthreads();
  x = blockIdx.y * side + threadIdx.x;
  y = blockIdx.x * side + threadIdx.y;
  for (int i = 0; i < side; i += rows) {
    if (x < height && y + i < width) {
      out[(y + i) * height + x] = tile[threadIdx.x][threadIdx.y + i];
    }
  }
}

int main() {
  const int width = 100;
  const int height = 70;
  std::vector<float> matrix(width * height);
  for (int i = 0; i < width * height; ++i) {
    matrix[i] = static_cast<float>(i);
  }
  const size_t bytes = matrix.size() * sizeof(float);
  float* in = nullptr;
  float* out = nullptr;
  cudaMalloc(&in, bytes);
  cudaMalloc(&out, bytes);
  cudaMemcpy(in, matrix.data(), bytes, cudaMemcpyHostToDevice);
  const dim3 grid((width + side - 1) / side, (height + side - 1) / side);
  transpose<<<grid, dim3(side, rows)>>>(in, out, width, height);
  std::vector<float> result(matrix.size());
  cudaMemcpy(result.data(), out, bytes, cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      wrong += result[x * height + y] != matrix[y * width + x] ? 1 : 0;
    }
  }
  std::printf("transpose: %dx%d, %d wrong\n", width, height, wrong);
  cudaFree(in);
  cudaFree(out);
  return wrong == 0 ? 0 : 1;
}
