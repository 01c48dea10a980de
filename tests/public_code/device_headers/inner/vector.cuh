// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "../places.cuh"

struct vector {
  int x;
  int y;
  BOTH vector(int a, int b)
      : x{a}
      , y(b) {
#ifdef __CUDA_ARCH__
    x += 100;
#endif
  }
  BOTH int sum() const {
#if defined(__CUDA_ARCH__)
    int all = 1000;
#else
    int all = 0;
#endif
    all += x + y;
    return all;
  }
};
