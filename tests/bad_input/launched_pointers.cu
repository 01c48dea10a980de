// Launches of pointers to kernels that have the name of a __device__ function elsewhere: nothing is wrong.
// SPDX-License-Identifier: Apache-2.0
#include "cuda_runtime.h"

__device__ int parameter(int x);
__device__ int local(int x);
__device__ int reference(int x);
__device__ int member(int x);
__device__ int value(int x);
__device__ int pack(int x);
__device__ int bound(int x);
__device__ int captured(int x);
__device__ int named(int x);

__global__ void kernel(int* p) {
  ++*p;
}

struct holder {
  void (*member)(int*) = kernel;
  void go(int* p) {
    member<<<1, 1>>>(p);
    this->member<<<1, 1>>>(p);
  }
};

void through(void (*parameter)(int*), int* p) {
  parameter<<<1, 1>>>(p);
}
template <void (*value)(int*)>
void through_value(int* p) {
  value<<<1, 1>>>(p);
}
template <class F, class... A>
void through_pack(F pack, A... a) {
  pack<<<1, 1>>>(a...);
}
struct pair {
  void (*first)(int*);
  void (*second)(int*);
};
#define NAMED auto named = kernel

int main() {
  int* p = nullptr;
  cudaMalloc(&p, sizeof(int));
  cudaMemset(p, 0, sizeof(int));
  through(kernel, p);
  through_value<kernel>(p);
  through_pack(kernel, p);
  holder{}.go(p);
  auto local = kernel;
  local<<<1, 1>>>(p);
  auto&& reference = kernel;
  reference<<<1, 1>>>(p);
  const auto [bound, other] = pair{kernel, kernel};
  bound<<<1, 1>>>(p);
  [captured = kernel](int* q) { captured<<<1, 1>>>(q); }(p);
  NAMED;
  named<<<1, 1>>>(p);
  int launches = 0;
  cudaMemcpy(&launches, p, sizeof launches, cudaMemcpyDeviceToHost);
  cudaFree(p);
  return launches == 10 ? 0 : 1;
}
