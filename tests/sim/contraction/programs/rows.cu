// A kernel for each way to write a product and a sum, and what it gives as NVIDIA's compiler fuses
// them: in which rows it does was read from its Tile IR. Prints the rows that differ.
//
//   rows             every row, computed by the C++ kernels
//   rows FILE.tilebc likewise; and by the compiler's own Tile IR, which the simulator runs as it is
//
// SPDX-License-Identifier: Apache-2.0
#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "cuda_tile.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace ct = cuda::tiles;
constexpr int n = 64;
template <class T>
using tile_of = ct::tile<T, ct::shape<n>>;
using F = tile_of<float>;

template <class T>
__tile__ tile_of<T> input(T* a, int which) {
  return ct::load(a + which * n + ct::iota<tile_of<int>>());
}
template <class T>
__tile__ void output(T* o, int which, tile_of<T> v) {
  ct::store(o + which * n + ct::iota<tile_of<int>>(), v);
}

// Its product is used once, or twice: that the callers decide.
__tile__ F add_product(F x, F y, F z) {
  auto p = x * y;
  return p + z;
}
__tile__ F product(F x, F y) {
  return x * y;
}
template <class T>
__tile__ T plus(T p, T z) {
  return p + z;
}
#define MULTIPLY_ADD(a, b, c) ((a) * (b) + (c))

__tile_global__ void direct(float* a, float* o) {
  auto x = input(a, 0), y = input(a, 1), z = input(a, 2);
  output(o, 0, x * y + z);
}
__tile_global__ void named(float* a, float* o) {
  auto x = input(a, 0), y = input(a, 1), z = input(a, 2);
  auto p = x * y;
  auto q =
      z
      + p;
  output(o, 0, q);
}
__tile_global__ void twice(float* a, float* o) {
  auto x = input(a, 0), y = input(a, 1), z = input(a, 2);
  auto p = x * y;
  output(o, 0, p + z);
  output(o, 1, p);
}
__tile_global__ void two_sums(float* a, float* o) {
  auto x = input(a, 0), y = input(a, 1), z = input(a, 2), w = input(a, 3);
  auto p = x * y;
  output(o, 0, p + z); output(o, 1, p + w); output(o, 2, x * w + z);
}
__tile_global__ void merged(float* a, float* o) {
  auto x = input(a, 0), y = input(a, 1), z = input(a, 2);
  auto p = x * y;
  output(o, 0, p + z);
  auto q = x * y;
  output(o, 1, q + z); // the same sum: there is one in Tile IR, and it is fused
}
__tile_global__ void repeated(float* a, float* o) {
  auto x = input(a, 0), y = input(a, 1), z = input(a, 2), w = input(a, 3);
  output(o, 0, x * y + z);
  output(o, 1, x * y + w); // the same product, used twice
}
__tile_global__ void unused(float* a, float* o) {
  auto x = input(a, 0), y = input(a, 1), z = input(a, 2), w = input(a, 3);
  auto p = x * y;
  [[maybe_unused]] auto q = p - w;
  output(o, 0, p + z);
}
__tile_global__ void subtracted(float* a, float* o) {
  auto x = input(a, 0), y = input(a, 1), z = input(a, 2), w = input(a, 3);
  output(o, 0, x * y - z);
  output(o, 1, z - x * w);
  output(o, 2, -(x * z) + w);
  output(o, 3, y * w - z * z);
}
__tile_global__ void two_products(float* a, float* o) {
  auto x = input(a, 0), y = input(a, 1), z = input(a, 2), w = input(a, 3);
  output(o, 0, x * y + z * w);
  auto p = x * w;
  output(o, 1, p);
  output(o, 2, p + z * z); // only the left one is looked at
  output(o, 3, y * y + p);
}
__tile_global__ void called(float* a, float* o) {
  auto x = input(a, 0), y = input(a, 1), z = input(a, 2), w = input(a, 3);
  output(o, 0, add_product(x, y, z));
  output(o, 1, add_product(x, y, w));
  output(o, 2, add_product(z, w, x)); output(o, 3, product(x, w) + y);
}
__tile_global__ void loops(float* a, float* o) {
  auto x = input(a, 0), y = input(a, 1), z = input(a, 2), w = input(a, 3);
  F sum = z;
  for (int i = 0; i < 4; ++i) {
    sum = sum + input(a, i) * y;
  }
  output(o, 0, sum);
  auto p = x * w;
  for (int i = 0; i < 3; ++i) {
    z = z + p;
  }
  output(o, 1, z);
}
__tile_global__ void branches(float* a, float* o) {
  auto x = input(a, 0), y = input(a, 1), z = input(a, 2), w = input(a, 3);
  auto p = x * y;
  F r = z;
  if (ct::num_blocks().x > 0) {
    r = p + z;
  } else {
    r = p + w;
  }
  output(o, 0, r);
  auto q = x * w;
  if (ct::num_blocks().x > 0) {
    r = q + z;
  }
  output(o, 1, r);
}
__tile_global__ void chains(float* a, float* o) {
  auto x = input(a, 0), y = input(a, 1), z = input(a, 2), w = input(a, 3);
  output(o, 0, x * y + z + w);
  output(o, 1, y + z * w + x * z);
  output(o, 2, ct::fma(x, w, y) * z + w);
  output(o, 3, ct::add(ct::mul(y, w), z));
  output(o, 4, x * 2.5f + 1.25f + z);
  output(o, 5, 0.75f + z * z - 1.5f);
  output(o, 6, (x + 1.5f) * y /* of a sum */   + 2.5f);
  output(o, 7, ct::sub(ct::mul(w, w), 0.5f));
}
__tile_global__ void reduced(float* a, float* o) {
  auto x = input(a, 0), y = input(a, 1);
  output(o, 0, x * y + ct::sum(ct::full<F>(0x1p-6f), ct::integral_constant<0>{}));
}
__tile_global__ void macros(float* a, float* o) {
  auto x = input(a, 0), y = input(a, 1), z = input(a, 2);
  output(o, 0, MULTIPLY_ADD(x, y, z));
}
__tile_global__ void lambdas(float* a, float* o) {
  auto x = input(a, 0), y = input(a, 1), z = input(a, 2), w = input(a, 3);
  auto f = [&](F u) { return u * y + w; };
  output(o, 0, f(x));
  output(o, 1, f(z));
  output(o, 2, plus(z * w, x));
}
template <class T>
__tile_global__ void typed(T* a, T* o) {
  auto x = input(a, 0), y = input(a, 1), z = input(a, 2);
  auto p = x * y;
  output(o, 0, p + z);
}

namespace {

template <class T>
double one(double x, double y, double z) {
  return static_cast<double>(static_cast<T>(std::fma(x, y, z)));
}
template <>
double one<float>(double x, double y, double z) {
  return std::fma(static_cast<float>(x), static_cast<float>(y), static_cast<float>(z));
}
template <class T>
double two(double x, double y, double z) {
  const double p = static_cast<double>(static_cast<T>(x * y));
  return static_cast<double>(static_cast<T>(p + z));
}
float fused(float x, float y, float z) {
  return static_cast<float>(one<float>(x, y, z));
}
float apart(float x, float y, float z) {
  const float p = x * y;
  return p + z;
}

using values = const float*; // x, y, z, w
struct row {
  const char* kernel;
  void (*launch)(float*, float*);
  std::vector<float (*)(values)> expected;
};

#define ROW(kernel, ...)                                                                           \
  row {                                                                                            \
    #kernel, [](float* a, float* o) { kernel<<<1, 1>>>(a, o); }, { __VA_ARGS__ }                   \
  }
#define AS(e) [](values v) { const float x = v[0], y = v[1], z = v[2], w = v[3]; static_cast<void>(x + y + z + w); return static_cast<float>(e); }

const std::vector<row> rows{
    ROW(direct, AS(fused(x, y, z))),
    ROW(named, AS(fused(x, y, z))),
    ROW(twice, AS(apart(x, y, z)), AS(x* y)),
    ROW(two_sums, AS(apart(x, y, z)), AS(apart(x, y, w)), AS(fused(x, w, z))),
    ROW(merged, AS(fused(x, y, z)), AS(fused(x, y, z))),
    ROW(repeated, AS(apart(x, y, z)), AS(apart(x, y, w))),
    ROW(unused, AS(fused(x, y, z))),
    ROW(subtracted, AS(fused(x, y, -z)), AS(apart(-x, w, z)), AS(apart(-x, z, w)), AS(fused(y, w, -(z * z)))),
    ROW(two_products, AS(fused(x, y, z* w)), AS(x* w), AS(apart(z, z, x* w)), AS(fused(y, y, x* w))),
    ROW(called, AS(apart(x, y, z)), AS(apart(x, y, w)), AS(fused(z, w, x)), AS(fused(x, w, y))),
    ROW(loops, AS(fused(w, y, fused(z, y, fused(y, y, fused(x, y, z))))), AS(fused(x, w, fused(x, w, fused(x, w, z))))),
    ROW(branches, AS(apart(x, y, z)), AS(fused(x, w, z))),
    ROW(chains, AS(fused(x, y, z) + w), AS(fused(x, z, fused(z, w, y))), AS(fused(fused(x, w, y), z, w)),
        AS(fused(y, w, z)), AS(fused(x, 2.5F, 1.25F) + z), AS(fused(z, z, 0.75F) - 1.5F),
        AS(fused(x + 1.5F, y, 2.5F)), AS(fused(w, w, -0.5F))),
    ROW(reduced, AS(fused(x, y, 1.0F))),
    ROW(macros, AS(fused(x, y, z))),
    ROW(lambdas, AS(fused(x, y, w)), AS(fused(z, y, w)), AS(fused(z, w, x))),
};

/// Numbers of all their bits, each other one negative.
std::vector<float> inputs() {
  std::vector<float> all;
  unsigned state = 1;
  for (int i = 0; i < 4 * n; ++i) {
    state = state * 1664525U + 1013904223U;
    const float v = 1.0F + static_cast<float>(state >> 9U) * 0x1p-23F;
    all.push_back(i % 3 == 1 ? -v : v);
  }
  return all;
}

int wrong = 0;

void compare(const char* kernel, std::size_t which, const char* by, const float* got, values in,
             float (*expected)(values)) {
  int differ = 0;
  for (int i = 0; i < n; ++i) {
    const float v[4] = {in[i], in[n + i], in[2 * n + i], in[3 * n + i]};
    const float e = expected(v);
    differ += std::memcmp(&e, got + i, sizeof e) != 0 ? 1 : 0;
  }
  if (differ != 0) {
    std::printf("%s %zu: %d of %d differ%s\n", kernel, which, differ, n, by);
    ++wrong;
  }
}

constexpr std::size_t most = 8; // outputs of a row

template <class T>
void compare_typed(const char* name) {
  const std::vector<float> from = inputs();
  T* a = nullptr;
  cudaMallocManaged(&a, 4 * n * sizeof(T));
  for (int i = 0; i < 3 * n; ++i) {
    a[i] = static_cast<T>(1.1 * static_cast<double>(from[static_cast<std::size_t>(i)]));
  }
  typed<T><<<1, 1>>>(a, a + 3 * n);
  cudaDeviceSynchronize();
  int differ = 0;
  for (int i = 0; i < n; ++i) {
    const auto v = [&](int k) { return static_cast<double>(a[k * n + i]); };
    differ += v(3) != one<T>(v(0), v(1), v(2)) ? 1 : 0;
  }
  if (differ != 0) {
    std::printf("typed %s: %d of %d differ\n", name, differ, n);
    ++wrong;
  }
}

} // namespace

#ifndef __CUDACC_TILE__
extern "C" int
tilesim_driver_get(const char* name, void** function, int version, unsigned long flags, int* status);

namespace {

template <class... Given>
int driver(const char* name, Given... given) {
  void* function = nullptr;
  int status = 0;
  tilesim_driver_get(name, &function, 13000, 0, &status);
  return reinterpret_cast<int (*)(Given...)>(function)(given...);
}

void compare_bytecode(const char* file) {
  std::ifstream from(file, std::ios::binary);
  const std::vector<char> code{std::istreambuf_iterator<char>(from), {}};
  void* library = nullptr;
  const std::vector<float> in = inputs();
  float* a = nullptr;
  cudaMallocManaged(&a, (4 + most) * n * sizeof(float));
  std::memcpy(a, in.data(), in.size() * sizeof(float));
  float* o = a + 4 * n;
  if (driver("cuLibraryLoadData", &library, static_cast<const void*>(code.data()),
             static_cast<void*>(nullptr), static_cast<void*>(nullptr), 0U,
             static_cast<void*>(nullptr), static_cast<void*>(nullptr), 0U) != 0) {
    std::puts("no Tile IR");
    std::exit(3);
  }
  for (const row& r : rows) {
    void* kernel = nullptr;
    const std::string name = r.kernel;
    const std::string symbol = "_Z" + std::to_string(name.size()) + name + "PfS_";
    void* parameters[] = {&a, &o};
    if (driver("cuLibraryGetKernel", &kernel, library, symbol.c_str()) != 0 ||
        driver("cuLaunchKernel", kernel, 1U, 1U, 1U, 1U, 1U, 1U, 0U, static_cast<void*>(nullptr),
               static_cast<void**>(parameters), static_cast<void**>(nullptr)) != 0) {
      std::printf("%s: not launched\n", r.kernel);
      ++wrong;
      continue;
    }
    for (std::size_t k = 0; k < r.expected.size(); ++k) {
      compare(r.kernel, k, " in Tile IR", o + k * n, in.data(), r.expected[k]);
    }
  }
}

} // namespace
#endif

int main(int argc, char** argv) {
  const std::vector<float> in = inputs();
  float* a = nullptr;
  cudaMallocManaged(&a, (4 + most) * n * sizeof(float));
  std::memcpy(a, in.data(), in.size() * sizeof(float));
  for (const row& r : rows) {
    r.launch(a, a + 4 * n);
    cudaDeviceSynchronize();
    for (std::size_t k = 0; k < r.expected.size(); ++k) {
      compare(r.kernel, k, "", a + (4 + k) * n, in.data(), r.expected[k]);
    }
  }
  compare_typed<double>("double");
  compare_typed<__half>("half");
  compare_typed<__nv_bfloat16>("bfloat16");
#ifndef __CUDACC_TILE__
  if (argc > 1) {
    compare_bytecode(argv[1]);
  }
#endif
  std::printf("%d rows differ\n", wrong);
  return 0;
}
