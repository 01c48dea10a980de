// Launches from everywhere: a header, macros, templates, lambdas, through pointers and parameters,
// with empty arguments, with one and four operands, cudaLaunchKernel and cudaLaunchKernelEx.
// SPDX-License-Identifier: Apache-2.0
#include "helper_checks.h"

#include "launches.h"

#include <functional>

namespace ct = cuda::tiles;

#define LAUNCH(kernel, grid, ...)                                                                  \
  do {                                                                                             \
    kernel<<<(grid), 1>>>(__VA_ARGS__);                                                            \
    CHECK_CUDA(cudaGetLastError());                                                                \
  } while (0)
#define FOR_SIZE(n, ...)                                                                           \
  switch (n) {                                                                                     \
  case 8: {                                                                                        \
    constexpr int size = 8;                                                                        \
    __VA_ARGS__;                                                                                   \
    break;                                                                                         \
  }                                                                                                \
  case 16: {                                                                                       \
    constexpr int size = 16;                                                                       \
    __VA_ARGS__;                                                                                   \
    break;                                                                                         \
  }                                                                                                \
  }

namespace library::kernels {
__tile_global__ void twice(int* __restrict__ out) {
  auto i = ct::iota<ct::tile<int, ct::shape<16>>>();
  ct::store(out + i, ct::load(out + i) * 2);
}
} // namespace library::kernels

__tile_global__ void set(int* out, int value, const int* optional) {
  out[0] = optional == nullptr ? value : *optional;
}

// Public kernels choose by the types of a variadic launch.
template <typename... Values>
__tile_global__ void store_all(int* out, Values... values) {
  int at = 0;
  ((out[at++] = static_cast<int>(values)), ...);
}

__global__ void simt_set(int* out, int value) {
  out[threadIdx.x] = value + blockIdx.x;
}

template <typename F>
void apply(F f) {
  f();
}

int main() {
  device_array<int> out(16);
  int* p = out.data;
  auto first = [&] {
    CHECK_LAUNCHES();
    return out.host()[0];
  };

  launch_from_header(p, 2);
  EXPECT(first() == 1);
  LAUNCH((add_number<int, 8>), 2, p, 2);
  EXPECT(first() == 3);
  adder<int>{4}.operator()<16>(p, 16);
  EXPECT(first() == 7);
  for (int n : {8, 16}) {
    FOR_SIZE(n, add_number<int, size><<<16 / size, 1>>>(p, 1));
  }
  EXPECT(first() == 9 && out.host()[15] == 9);
  auto in_lambda = [p](auto value) { add_number<int, 16><<<1, 1>>>(p, value); };
  in_lambda(3);
  apply([=] { library::kernels::twice<<<1, 1>>>(p); });
  std::function<void(int)> stored = [&](int n) { library::kernels::twice<<<n, 1>>>(p); };
  stored(1);
  EXPECT(first() == 48);
  launch_any<&library::kernels::twice>(1, p);
  EXPECT(first() == 96);
  using namespace library;
  kernels::twice<<<dim3(1), dim3(1), 0, 0>>>(p);
  EXPECT(first() == 192);

  set<<<1, 1>>>(p, 5, nullptr);
  EXPECT(first() == 5);
  set<<<1, 1>>>(p, 6, NULL);
  EXPECT(first() == 6);
  set<<<1>>>(p, first() < 7 ? 7 : 0, 0);
  EXPECT(first() == 7);
  store_all<<<1, 1>>>(p, 1.5f, 'c', true, 1L << 4);
  EXPECT(first() == 1 && out.host()[1] == 'c' && out.host()[2] == 1 && out.host()[3] == 16);
  void (*chosen)(int*) = first() == 1 ? library::kernels::twice : nullptr;
  chosen<<<1, 1>>>(p);
  EXPECT(first() == 2);

  int value = 40;
  void* arguments[] = {&p, &value};
  CHECK_CUDA(cudaLaunchKernel(add_number<int, 16>, dim3(1), dim3(1), arguments, 0, nullptr));
  CHECK_CUDA(cudaLaunchKernel(add_number<int, 8>, 2, 1, arguments));
  EXPECT(first() == 82);
  cudaStream_t stream;
  CHECK_CUDA(cudaStreamCreate(&stream));
  cudaLaunchConfig_t config = {};
  config.gridDim = 1;
  config.blockDim = 1;
  config.stream = stream;
  CHECK_CUDA(cudaLaunchKernelEx(&config, add_number<int, 16>, p, 18));
  EXPECT(first() == 100);
  config.gridDim = dim3(1, 1, 1);
  config.blockDim = dim3(4, 1, 1);
  config.attrs = nullptr;
  CHECK_CUDA(cudaLaunchKernelEx(&config, simt_set, p, 11));
  simt_set<<<2, 2, 0, stream>>>(p + 4, 7);
  EXPECT(first() == 11 && out.host()[3] == 11 && out.host()[4] >= 7);
  CHECK_CUDA(cudaStreamDestroy(stream));
  return verdict("launches");
}
