// Headers of libcu++ that lean on the driver: what their objects do.
// SPDX-License-Identifier: Apache-2.0
#include "cuda_runtime.h"

#include <cstdio>
#include <cuda/annotated_ptr>
#include <cuda/devices>
#include <cuda/functional>
#include <cuda/mdspan>
#include <cuda/memory>
#include <cuda/numeric>
#include <cuda/std/mdspan>
#include <cuda/stream>
#include <string>

__global__ void scale(cuda::device_mdspan<int, cuda::std::dextents<int, 2>> m, int by) {
  const auto times = cuda::proclaim_return_type<int>([by](int x) { return x * by; });
  cuda::annotated_ptr<int, cuda::access_property::global> p{&m(threadIdx.y, threadIdx.x)};
  *p = times(*p);
}

__global__ void aligned(const char* p, bool* out) {
  *out = cuda::is_aligned(cuda::align_up(p + 1, 8), 8) && cuda::ptr_in_range(p + 1, p, p + 2);
}

int main() {
  int* p = nullptr;
  cudaMallocManaged(&p, 6 * sizeof(int));
  for (int i = 0; i < 6; ++i) {
    p[i] = i;
  }
  cuda::stream stream{cuda::devices[0]};
  scale<<<1, dim3(3, 2), 0, stream.get()>>>(cuda::device_mdspan<int, cuda::std::dextents<int, 2>>(p, 2, 3), 10);
  stream.sync();
  int wrong = 0;
  for (int i = 0; i < 6; ++i) {
    wrong += p[i] != 10 * i;
  }
  bool* ok = nullptr;
  cudaMallocManaged(&ok, 1);
  aligned<<<1, 1>>>(reinterpret_cast<const char*>(p), ok);
  cudaDeviceSynchronize();
  wrong += !*ok;
  wrong += cuda::devices.size() != 1;
  wrong += !cuda::is_host_accessible(p) || !cuda::is_device_accessible(p, cuda::devices[0]);
  std::printf("%s: %d wrong\n", std::string(cuda::devices[0].name()).c_str(), wrong);
  cudaFree(p);
  cudaFree(ok);
  return wrong == 0 ? 0 : 1;
}
