// A product of matrices, tile by tile through shared memory.
//
// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <cuda_runtime.h>
#include <vector>

template <int Side>
__global__ void multiply(const float* a, const float* b, float* c, int n) {
  __shared__ float of_a[Side][Side];
  __shared__ float of_b[Side][Side];
  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = blockIdx.y * Side + ty;
  const int column = blockIdx.x * Side + tx;
  float sum = 0.0F;
  for (int tile = 0; tile < n; tile += Side) {
    of_a[ty][tx] = row < n && tile + tx < n ? a[row * n + tile + tx] : 0.0F;
    of_b[ty][tx] = tile + ty < n && column < n ? b[(tile + ty) * n + column] : 0.0F;
    __syncthreads(); // both tiles are there
    for (int k = 0; k < Side; ++k) {
      sum += of_a[ty][k] * of_b[k][tx];
    }
    __syncthreads(); // and used, before the next ones come
  }
  if (row < n && column < n) {
    c[row * n + column] = sum;
  }
}

int main() {
  const int n = 50;
  constexpr int side = 16;
  std::vector<float> a(n * n);
  std::vector<float> b(n * n);
  for (int i = 0; i < n * n; ++i) {
    a[i] = static_cast<float>(i % 5);
    b[i] = static_cast<float>(i % 3 - 1);
  }
  const size_t bytes = a.size() * sizeof(float);
  float* d[3] = {};
  for (float*& p : d) {
    cudaMalloc(&p, bytes);
  }
  cudaMemcpy(d[0], a.data(), bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(d[1], b.data(), bytes, cudaMemcpyHostToDevice);
  const dim3 grid((n + side - 1) / side, (n + side - 1) / side);
  multiply<side><<<grid, dim3(side, side)>>>(d[0], d[1], d[2], n);
  std::vector<float> c(n * n);
  cudaMemcpy(c.data(), d[2], bytes, cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      float sum = 0;
      for (int k = 0; k < n; ++k) {
        sum += a[i * n + k] * b[k * n + j];
      }
      wrong += c[i * n + j] != sum ? 1 : 0;
    }
  }
  std::printf("matrix_product: %dx%d, c[7][9] = %.0f, %d wrong\n", n, n, c[7 * n + 9], wrong);
  for (float* p : d) {
    cudaFree(p);
  }
  return wrong == 0 ? 0 : 1;
}
