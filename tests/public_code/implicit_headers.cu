// Nothing but cuda_tile.h is included, after a helper header: fixed-width integers, INFINITY,
// limits, mathematics, memory and string functions, the runtime's functions and types come by
// themselves. SPDX-License-Identifier: Apache-2.0
#include "helper_checks.h"

#include "cuda_tile.h"

namespace ct = cuda::tiles;

#ifndef __DRIVER_TYPES_H__
#  error the implicit headers do not define __DRIVER_TYPES_H__
#endif
#ifndef __CUDA_RUNTIME_H__
#  error the implicit headers do not define __CUDA_RUNTIME_H__
#endif
#if !defined(__CUDACC__) || !defined(__NVCC__)
#  error not compiled as CUDA
#endif
#if __CUDACC_VER_MAJOR__ < 13 || (__CUDACC_VER_MAJOR__ == 13 && __CUDACC_VER_MINOR__ < 3)
#  error no compiler for tiles
#endif

template <int32_t N>
__tile_global__ void
softening(float* __restrict__ out, const float* __restrict__ in, int64_t stride, int32_t n) {
  using row = ct::tile<float, ct::shape<N>>;
  const int64_t start = static_cast<int64_t>(ct::bid().x) * stride;
  auto i = ct::iota<ct::tile<int32_t, ct::shape<N>>>();
  const float* source = in + start;
  auto x = ct::load_masked(source + i, i < n, -INFINITY);
  auto finite = x > -INFINITY && x < INFINITY;
  ct::store_masked(out + start + i, ct::select(finite, x, ct::full<row>(-3.0e38f)), i < n);
}

__tile_global__ void sizes(uint64_t* out, size_t n) {
  out[0] = sizeof(int8_t) + sizeof(uint16_t) + sizeof(uint32_t) + sizeof(int64_t);
  out[1] = n;
  out[2] = INT_MAX;
  out[3] = UINT32_MAX;
}

int main() {
  int device = best_device();
  cudaDeviceProp properties;
  CHECK_CUDA(cudaGetDeviceProperties(&properties, device));
  EXPECT(strlen(properties.name) > 0 && properties.major >= 8 && properties.totalGlobalMem > 0);
  int blocks = properties.multiProcessorCount / 2; // a grid as some programs make it
  EXPECT(blocks > 0);
  if (blocks > 4) {
    blocks = 4;
  }
  int clock = 0, integrated = -1;
  CHECK_CUDA(cudaDeviceGetAttribute(&clock, cudaDevAttrClockRate, device));
  CHECK_CUDA(cudaDeviceGetAttribute(&integrated, cudaDevAttrIntegrated, device));
  EXPECT(clock >= 0 && integrated >= 0);
  int driver = 0, runtime = 0;
  CHECK_CUDA(cudaDriverGetVersion(&driver));
  CHECK_CUDA(cudaRuntimeGetVersion(&runtime));
  EXPECT(driver >= 13000 && runtime >= 13000);
  EXPECT(strcmp(cudaGetErrorName(cudaErrorInvalidValue), "cudaErrorInvalidValue") == 0);
  EXPECT(strcmp(cudaGetErrorString(cudaSuccess), "no error") == 0);

  const int stride = 20, n = 13;
  float* host = (float*)malloc(blocks * stride * sizeof(float));
  for (int i = 0; i < blocks * stride; ++i) {
    host[i] = i % 7 == 3 ? INFINITY : sqrtf((float)i);
  }
  float *in = NULL, *out = NULL;
  CHECK_CUDA(cudaMalloc(&in, blocks * stride * sizeof(float)));
  CHECK_CUDA(cudaMalloc(&out, blocks * stride * sizeof(float)));
  CHECK_CUDA(cudaMemset(out, 0, blocks * stride * sizeof(float)));
  CHECK_CUDA(cudaMemcpy(in, host, blocks * stride * sizeof(float), cudaMemcpyHostToDevice));
  softening<16><<<blocks, 1>>>(out, in, stride, n);
  CHECK_LAUNCHES();
  float* result = (float*)malloc(blocks * stride * sizeof(float));
  CHECK_CUDA(cudaMemcpy(result, out, blocks * stride * sizeof(float), cudaMemcpyDeviceToHost));
  for (int i = 0; i < blocks * stride; ++i) {
    const float want = i % stride >= n ? 0.0f : isinf(host[i]) ? -3.0e38f : host[i];
    EXPECT(result[i] == want && fabsf(want) >= 0);
  }
  free(host);
  free(result);

  uint64_t* counts;
  uint64_t got[4];
  CHECK_CUDA(cudaMalloc(&counts, sizeof(got)));
  sizes<<<1, 1>>>(counts, 5);
  CHECK_CUDA(cudaMemcpy(got, counts, sizeof(got), cudaMemcpyDefault));
  EXPECT(got[0] == 15 && got[1] == 5 && got[2] == 2147483647 && got[3] == 4294967295u);
  CHECK_CUDA(cudaFree(in));
  CHECK_CUDA(cudaFree(out));
  CHECK_CUDA(cudaFree(counts));
  CHECK_CUDA(cudaFree(nullptr));
  return verdict("implicit_headers");
}
