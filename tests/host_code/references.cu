// Host references, of which there is a version without hooks for while there is nothing to judge. -DON_MANAGED: given
// what a kernel writes, too early. -DON_DEVICE: given device memory, which only a fault tells.
//
// SPDX-License-Identifier: Apache-2.0
#include "cuda_tile.h"

#include <cstdio>
#include <stdexcept>
#include <vector>

namespace ct = cuda::tiles;

__tile_global__ void fill(float* x) {
  x[ct::bid().x] = 1;
}

static int calls;

float sum(const float* x, int n) {
  float s = 0;
  ++calls;
  for (int i = 0; i < n; ++i)
    s += x[i]; // @read
  return s;
}

template <class T>
void multiply(std::vector<T>& c, const std::vector<T>& a, const std::vector<T>& b, int n) {
  static int count = 0;
  if (n * n > static_cast<int>(a.size()))
    throw std::invalid_argument("n");
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      T s = 0;
      for (int k = 0; k < n; ++k)
        s += a.at(i * n + k) * b[k * n + j];
      c[i * n + j] = s + static_cast<T>(count);
    }
  ++count;
}

// Called once: compilers would put it in line, where it has no second version.
static float product(const float* x, int n) {
  float p = 1;
  for (int i = 0; i < n; ++i)
    p *= x[i];
  return p;
}

#ifdef __OPTIMIZE__ // else g++ keeps what nobody calls
// Of nobody's concern, and of nobody's definition.
void nowhere(int n);
static int unused_twice(int n) {
  nowhere(n);
  return n;
}
[[maybe_unused]] static int unused(int n) {
  return unused_twice(n) + unused_twice(n + 1);
}
#endif

int digits(const char* text) {
  int n = 0;
  for (; *text != 0; ++text)
    switch (*text) {
    case '0': n += 1; break;
    case '1': n += 20; break;
    case '2': n += 300; break;
    case '3': n += 5; break;
    case '4': n += 70; break;
    case '5': n += 11; break;
    default: n += 1000;
    }
  return n;
}

int main() {
  const int n = 64;
  std::vector<float> a(n * n, 1), b(n * n, 2), c(n * n);
  multiply(c, a, b, n);
  float* x = nullptr;
#ifdef ON_DEVICE
  cudaMalloc(&x, n * sizeof(float));
#else
  cudaMallocManaged(&x, n * sizeof(float));
#endif
  multiply(c, a, b, n);
  fill<<<n, 1>>>(x);
#if !defined(ON_MANAGED) && !defined(ON_DEVICE)
  cudaDeviceSynchronize();
#endif
  const float s = sum(x, n);
  cudaDeviceSynchronize();
  cudaFree(x);
  multiply(c, a, b, n);
  int caught = 0;
  try {
    multiply(c, a, b, n + 1);
  } catch (const std::invalid_argument&) {
    ++caught;
  }
  std::printf("%g %g %g %g %d %d %d\n", s, sum(c.data(), n * n), product(b.data(), 9), c[5], digits("0123456"), calls, caught);
}
