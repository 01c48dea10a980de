// Arithmetic and conversions in all four directions, additions of halves: what they give.
// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

__device__ int failures;

#define EXPECT(condition)                                                                                              \
  if (!(condition)) {                                                                                                  \
    printf("line %d, thread %d: %s\n", __LINE__, threadIdx.x, #condition);                                             \
    atomicAdd(&failures, 1);                                                                                           \
  }

__global__ void exact(float one, double two) {
  EXPECT(__fadd_rd(one, 1e-20F) == 1.0F && __fadd_ru(one, 1e-20F) == 0x1.000002p0F);
  EXPECT(__fadd_rz(-one, -1e-20F) == -1.0F && __fadd_rd(-one, -1e-20F) == -0x1.000002p0F);
  EXPECT(__fdiv_rd(one, 3.0F) == 0x1.555554p-2F && __fdiv_ru(one, 3.0F) == 0x1.555556p-2F);
  EXPECT(__frcp_rd(3.0F * one) == 0x1.555554p-2F && __frcp_rz(-3.0F * one) == -0x1.555554p-2F);
  EXPECT(__fsqrt_rd(2.0F * one) == 0x1.6a09e6p0F && __fsqrt_ru(2.0F * one) == 0x1.6a09e8p0F);
  EXPECT(__fmaf_rd(one, one, 1e-20F) == 1.0F && __fmaf_ru(one, one, 1e-20F) == 0x1.000002p0F);
  EXPECT(__dadd_ru(two, 1e-30) == 0x1.0000000000001p1 && __dadd_rd(two, 1e-30) == 2.0);
  EXPECT(__dmul_rz(two, 0x1.fffffffffffffp1) == 0x1.fffffffffffffp2 && __ddiv_rd(two, 3.0) == 0x1.5555555555555p-1);
  EXPECT(__ddiv_ru(two, 3.0) == 0x1.5555555555556p-1 && __dsqrt_rd(two) == 0x1.6a09e667f3bccp0);
  EXPECT(__fma_ru(two, two, 1e-30) == 0x1.0000000000001p2);
  const int large = 16777217 * static_cast<int>(one);
  EXPECT(__int2float_rd(large) == 16777216.0F && __int2float_ru(large) == 16777218.0F);
  EXPECT(__int2float_rz(-large) == -16777216.0F && __uint2float_ru(0xffffffffU * static_cast<unsigned>(one)) == 0x1p32F);
  EXPECT(__uint2float_rd(0xffffffffU * static_cast<unsigned>(one)) == 0x1.fffffep31F);
  const long long larger = 9007199254740993LL * static_cast<long long>(one);
  EXPECT(__ll2double_rd(larger) == 9007199254740992.0 && __ll2double_ru(larger) == 9007199254740994.0);
  EXPECT(__ull2double_rd(~0ULL * static_cast<unsigned long long>(one)) == 0x1.fffffffffffffp63);
  EXPECT(__ull2double_ru(~0ULL * static_cast<unsigned long long>(one)) == 0x1p64);
  EXPECT(__ull2float_rz(~0ULL * static_cast<unsigned long long>(one)) == 0x1.fffffep63F);
  EXPECT(__double2float_rd(0.1 * one) == 0x1.999998p-4F && __double2float_ru(0.1 * one) == 0x1.99999ap-4F);
  EXPECT(__fadd_rn(one, 1e-20F) == 1.0F); // and the direction is what it was
}

__global__ void halves(__half* h, __half2* h2, __nv_bfloat16* b, __nv_bfloat162* b2) {
  atomicAdd(h, __float2half(0.5F));
  atomicAdd(h2, __floats2half2_rn(1.0F, 2.0F));
  atomicAdd(b, __float2bfloat16(0.25F));
  atomicAdd(b2, __floats2bfloat162_rn(1.0F, 2.0F));
}

int main() {
  exact<<<1, 1>>>(1, 2);
  struct {
    __half h;
    __nv_bfloat16 b;
    __half2 h2;
    __nv_bfloat162 b2;
  }* all = nullptr;
  cudaMallocManaged(&all, sizeof *all);
  cudaMemset(all, 0, sizeof *all);
  halves<<<2, 16>>>(&all->h, &all->h2, &all->b, &all->b2);
  cudaDeviceSynchronize();
  int failed = 0;
  cudaMemcpyFromSymbol(&failed, failures, sizeof failed);
  printf("%d failures, %g, %g %g, %g, %g %g\n", failed, __half2float(all->h), __low2float(all->h2),
         __high2float(all->h2), __bfloat162float(all->b), __low2float(all->b2), __high2float(all->b2));
  cudaFree(all);
  return failed;
}
