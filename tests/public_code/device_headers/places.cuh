// SPDX-License-Identifier: Apache-2.0
#pragma once

#ifdef __CUDACC__
#define BOTH __host__ __device__ inline
#else
#define BOTH inline
#endif

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 700
#define WARP 32
#else
#define WARP 1
#endif

BOTH int where() {
#ifdef __CUDA_ARCH__
  return 1;
#else
  return 2;
#endif
}

constexpr BOTH int where_constant() {
#ifdef __CUDA_ARCH__
  return 7;
#else
  return 7;
#endif
}
template <int N>
BOTH int from_constant() {
  return N;
}

BOTH int counted() {
#ifdef __CUDA_ARCH__
  int calls = 10;
#else
  static int calls = 0;
#endif
  return ++calls;
}

constexpr int LINES = __LINE__;

template <class T>
BOTH auto deduced(T x) {
#ifdef __CUDA_ARCH__
#include "tripled.inc"
#else
  return x;
#endif
}
