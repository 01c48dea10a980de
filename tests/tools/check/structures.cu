// A structure that a call returns into memory: p[i] = f(x).
// Without an argument every thread reads what it has written itself; with one, what the next writes.
// SPDX-License-Identifier: Apache-2.0
#include "cuda_fp16.h"
#include "cuda_runtime.h"

#include <cstdio>

#ifndef FIRST
#  define FIRST 0
#endif

struct small {
  float re, im;
};
struct large {
  double v[5];
};
#ifdef IN_LINE
#  define CALL __device__ inline
#else
#  define CALL __device__ __noinline__
#endif
CALL small operator*(small a, small b) { return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re}; }
CALL large twice(large a) {
  for (double& v : a.v)
    v *= 2;
  return a;
}

__global__ void fill(small* s, large* l, float4* f, __half2* h) {
  const int i = threadIdx.x;
  s[i] = small{FIRST, 0} * small{1, 1};
  l[i] = twice(large{FIRST});
  f[i] = make_float4(FIRST, 0, 0, 0);
  h[i] = __floats2half2_rn(FIRST, 0);
}

__global__ void use(const small* s, const large* l, const float4* f, const __half2* h, double* out, int apart,
                    small* to_s, large* to_l, float4* to_f, __half2* to_h) {
  const int i = threadIdx.x, j = (i + apart) % 4;
  const small p = s[j];                  // small read
  const large q = l[j];                  // large read
  const float4 r = f[j];                 // vector read
  const __half2 t = h[j] + h[j];         // halves read
  out[i] = p.re + q.v[4] + r.w + __low2float(t);
  to_s[i] = p * small{1, 0};             // small written
  to_l[i] = twice(q);                    // large written
  to_f[i] = make_float4(1, 2, 3, 4);     // vector written
  to_h[i] = t * __floats2half2_rn(1, 2); // halves written
}

template <class T>
T* four() {
  T* p = nullptr;
  cudaMalloc(&p, 4 * sizeof(T));
  return p;
}

int main(int words, char**) {
  auto* s = four<small>();
  auto* l = four<large>();
  auto* f = four<float4>();
  auto* h = four<__half2>();
  auto* out = four<double>();
  double host[4];
  fill<<<1, 4>>>(s, l, f, h);
  use<<<1, 4>>>(s, l, f, h, out, words > 1, s, l, f, h);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  std::printf("%g\n", host[0]);
  for (void* p : {static_cast<void*>(s), static_cast<void*>(l), static_cast<void*>(f), static_cast<void*>(h),
                  static_cast<void*>(out)})
    cudaFree(p);
}
