// What NVIDIA's compiler refuses in code of devices and a host compiler takes, and beside it what is fine.
// SPDX-License-Identifier: Apache-2.0
#include "cuda_runtime.h"

#include <stdexcept>
#include <typeinfo>

struct shape {
  virtual ~shape() = default;
};

__constant__ int limit = 3;
__constant__ int limits[4];

__device__ void add(int* p) {
  ++*p;
}

// Templates that nobody uses, classes inside of functions and the host's code have exceptions.
template <class T>
__device__ void unused() {
  throw 1;
}
__host__ inline void check(bool good) {
  if (!good) {
    throw std::runtime_error("bad");
  }
}

__global__ void kernel(int* p, shape* s) {
  struct host_only {
    [[noreturn]] void fail() { throw 1; }
  };
  const int of_limit = limit == 3 ? 1 : limit;
#if defined(THROW)
  throw 1;
#elif defined(TYPE)
  *p = typeid(int) == typeid(*p);
#elif defined(CAST)
  *p = dynamic_cast<shape*>(s) != nullptr;
#elif defined(ASSIGN)
  limit = 4;
#elif defined(COUNT)
  ++limit;
#endif
  *p = of_limit + limits[0] + static_cast<int>(s == nullptr);
}

int main() {
  check(true);
  int* p = nullptr;
  cudaMalloc(&p, sizeof(int));
#ifdef LAUNCH
  add<<<1, 1>>>(p);
#else
  kernel<<<1, 1>>>(p, nullptr);
#endif
  cudaFree(p);
}
