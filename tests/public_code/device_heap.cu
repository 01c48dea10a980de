// Memory that kernels allocate: by malloc and free, new and delete, of objects and arrays, by one kernel for another, by
// one thread for its block; more than the heap has; the host's own beside it.
// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <memory>
#include <vector>

struct node {
  int value;
  node* next;
};

struct alignas(64) wide {
  int value[16];
};

__global__ void lists(int* out) {
  node* list = nullptr;
  for (int i = 0; i < 4; ++i) {
    list = new node{i + static_cast<int>(threadIdx.x), list};
  }
  int sum = 0;
  while (list != nullptr) {
    sum += list->value;
    node* const next = list->next;
    delete list;
    list = next;
  }
  wide* const w = new wide[2];
  w[1].value[15] = reinterpret_cast<size_t>(w) % 64 == 0 ? 1 : 2;
  out[threadIdx.x] = sum * 10 + w[1].value[15];
  delete[] w;
}

__device__ int* kept;

__global__ void allocates() {
  kept = static_cast<int*>(malloc(32 * sizeof(int)));
}
__global__ void fills() {
  kept[threadIdx.x] = static_cast<int>(threadIdx.x);
}
__global__ void frees(int* out) {
  const int mine = kept[31 - threadIdx.x];
  __syncthreads();
  out[threadIdx.x] += 1000 * mine;
  if (threadIdx.x == 0) {
    free(kept);
    free(nullptr);
  }
}

__device__ void* asked_for;

__global__ void too_much(int* out) {
  void* const all = asked_for = malloc(size_t{1} << 40);
  out[32] = all == nullptr ? 1 : 0;
  free(all);
}

int main() {
  int* out = nullptr;
  cudaMallocManaged(&out, 33 * sizeof(int));
  std::vector<std::unique_ptr<int>> of_the_host;
  for (int i = 0; i < 100; ++i) {
    of_the_host.push_back(std::make_unique<int>(i));
  }
  lists<<<1, 32>>>(out);
  allocates<<<1, 1>>>();
  fills<<<1, 32>>>();
  frees<<<1, 32>>>(out);
  too_much<<<1, 1>>>(out);
  int wrong = cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
  for (int i = 0; i < 32; ++i) {
    wrong += out[i] == (6 + 4 * i) * 10 + 1 + 1000 * (31 - i) ? 0 : 1;
  }
  wrong += out[32] == 1 ? 0 : 1;
  std::printf("%d wrong\n", wrong);
  cudaFree(out);
  return wrong;
}
