// Every way to copy from the device to the host that the recorder knows, in a program that knows
// nothing of recorders. SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <cstdlib>
#include <cuda_fp16.h>
#include <cuda_tile.h>
#include <vector>

namespace ct = ::cuda::tiles;

__tile_global__ void numbers(float* out) {
  const auto i = ct::iota<ct::tile<int, ct::shape<64>>>();
  ct::store(out + i, ct::element_cast<float>(i) / 4.0f);
}

__tile_global__ void halves(__half* out) {
  const auto i = ct::iota<ct::tile<int, ct::shape<64>>>();
  ct::store(out + i,
            ct::element_cast<__half>(i) / ct::element_cast<__half>(i - i)); // NaN, infinity
}

__tile__ int counter = 7;

static void check(cudaError_t status) {
  if (status != cudaSuccess) {
    std::fprintf(stderr, "%s\n", cudaGetErrorString(status));
    std::exit(1);
  }
}

int main() {
  float* device = nullptr;
  check(cudaMalloc(&device, 64 * sizeof(float)));
  numbers<<<1, 1>>>(device);

  float array[64];
  check(cudaMemcpy(array, device, sizeof array, cudaMemcpyDeviceToHost));
  std::vector<float> vector(64);
  check(::cudaMemcpy(vector.data() + 8, device, 32 * sizeof(float), cudaMemcpyDeviceToHost));
  float matrix[2][4];
  check(cudaMemcpy(matrix, device + 4, sizeof matrix, cudaMemcpyDefault));
  float4 four;
  check(cudaMemcpy(&four, device + 1, sizeof four, cudaMemcpyDeviceToHost));
  struct {
    float x, y;
    int tag;
  } mixed[2];
  check(cudaMemcpy(&mixed, device, sizeof mixed, cudaMemcpyDeviceToHost));
  void* bytes = array;
  check(cudaMemcpy(bytes, device, 5, cudaMemcpyDeviceToHost));

  // A part of a matrix: 3 columns of 2 rows.
  check(cudaMemcpy2D(matrix,
                     sizeof matrix[0],
                     device,
                     8 * sizeof(float),
                     3 * sizeof(float),
                     2,
                     cudaMemcpyDeviceToHost));

  // What the device is given is not recorded, nor what stays there or on the host.
  float* other = nullptr;
  check(cudaMalloc(&other, 64 * sizeof(float)));
  check(cudaMemcpy(other, array, sizeof array, cudaMemcpyHostToDevice));
  check(cudaMemcpy(other, device, sizeof array, cudaMemcpyDeviceToDevice));
  check(cudaMemcpy(array, vector.data(), 4, cudaMemcpyHostToHost));

  // The values are those of the moment when the copy is done: the buffer is used twice.
  cudaStream_t stream;
  check(cudaStreamCreate(&stream));
  check(cudaMemcpyAsync(vector.data(), device, 16 * sizeof(float), cudaMemcpyDeviceToHost, stream));
  check(cudaMemsetAsync(device, 0, 64 * sizeof(float), stream));
  check(cudaMemcpyAsync(vector.data(), device, 16 * sizeof(float), cudaMemcpyDeviceToHost, stream));
  check(cudaStreamSynchronize(stream));

  __half* narrow = nullptr;
  check(cudaMalloc(&narrow, 64 * sizeof(__half)));
  halves<<<1, 1>>>(narrow);
  __half half_results[64];
  check(cudaMemcpy(half_results, narrow, sizeof half_results, cudaMemcpyDeviceToHost));

  int counted = 0;
  check(cudaMemcpyFromSymbol(&counted, counter, sizeof counted));

  // Addresses differ from run to run: recorded is which are null.
  float** table = nullptr;
  float* pointers[2] = {device, nullptr};
  check(cudaMalloc(&table, sizeof pointers));
  check(cudaMemcpy(table, pointers, sizeof pointers, cudaMemcpyHostToDevice));
  check(cudaMemcpy(pointers, table, sizeof pointers, cudaMemcpyDeviceToHost));
  std::printf("%g %d\n", static_cast<double>(four.w), counted);
  return 0;
}
