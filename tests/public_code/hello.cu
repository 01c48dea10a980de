// No cuda_tile.h: tile kernels that print and that use memory as plain numbers, beside a SIMT
// kernel, with what the compiler brings by itself (printf, uint32_t, INFINITY, the runtime).
// SPDX-License-Identifier: Apache-2.0
#include "helper_checks.h"

__tile_global__ void hello(int* x, float* f) {
  printf("tile block says: *x = %d\n", *x);
  *x = *x * 2 + 1;
  f[0] = INFINITY;
  f[1] += 1.5f;
  f[2] = f[1] > 1.0f ? -f[0] : 0.0f;
  unsigned bits = 0xffffffffu;
  int64_t wide = static_cast<int64_t>(bits) + 1;
  x[1] = static_cast<int>(wide >> 32);
  printf("%d%% %s %c %5.2f %lld %u %p\n",
         100,
         "of",
         'x',
         f[1],
         static_cast<long long>(wide),
         bits,
         static_cast<void*>(nullptr));
}

__global__ void also_hello(int* x) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  x[2 + i] = i + gridDim.x;
  if (i == 0)
    printf("thread %d of %d\n", i, blockDim.x * gridDim.x);
}

__tile_global__ void nothing() {}

extern "C" __tile_global__ void c_name(int* x) {
  x[0] += 1;
}

int main() {
  int n[10] = {20};
  float f[3] = {};
  int* dn;
  float* df;
  CHECK_CUDA(cudaMalloc(&dn, sizeof(n)));
  CHECK_CUDA(cudaMalloc((void**)&df, sizeof(f)));
  CHECK_CUDA(cudaMemcpy(dn, n, sizeof(n), cudaMemcpyHostToDevice));
  CHECK_CUDA(cudaMemset(df, 0, sizeof(f)));
  nothing<<<1>>>();
  hello<<<1>>>(dn, df);
  also_hello<<<2, 4>>>(dn);
  c_name<<<dim3(1, 1, 1)>>>(dn);
  CHECK_LAUNCHES();
  CHECK_CUDA(cudaMemcpy(n, dn, sizeof(n), cudaMemcpyDeviceToHost));
  CHECK_CUDA(cudaMemcpy(f, df, sizeof(f), cudaMemcpyDeviceToHost));
  CHECK_CUDA(cudaFree(dn));
  CHECK_CUDA(cudaFree(df));
  EXPECT(n[0] == 42 && n[1] == 1);
  EXPECT(f[0] == INFINITY && f[1] == 1.5f && f[2] == -INFINITY);
  for (int i = 0; i < 8; ++i) {
    EXPECT(n[2 + i] == i + 2);
  }
  return verdict("hello");
}
