// Launches: configurations, pointers to kernels with and without their type, occupancy.
//
// SPDX-License-Identifier: Apache-2.0
#include "fixture.hpp"

// Code that no debug information tells of.
extern "C" void no_debug_information();
asm(".text\n.globl no_debug_information\nno_debug_information:\n  ret\n");

namespace {

/// What the tool puts at the beginning of a kernel's body.
#define KERNEL(kind, types, kernel, ...)                                                           \
  if (!::tilesim::detail::enter_kernel()) {                                                        \
    return ::tilesim::detail::bind_kernel<::tilesim::kernel_kind::kind>(                           \
        __func__, static_cast<void(*) types>(&(kernel)) __VA_OPT__(, ) __VA_ARGS__);               \
  }

struct pair_of {
  double x;
  int n;
};
struct big {
  int values[9];
};
struct counted { // passed by invisible reference
  int n;
  counted(int v)
      : n(v) {}
  counted(const counted& other)
      : n(other.n) {}
};
enum class small : short { seven = 7 };

[[gnu::noinline]] void nothing() {}

[[gnu::noinline]] void nothing_by_tiles() {
  KERNEL(tile, (), nothing_by_tiles)
}

[[gnu::noinline]] void add(int* p, int n) {
  KERNEL(simt, (int*, int), add, p, n)
  *p += n;
}

[[gnu::noinline]] void many(double* out,
                            char a,
                            small b,
                            float c,
                            double d,
                            pair_of e,
                            big f,
                            const counted g,
                            float4 h,
                            bool i) {
  KERNEL(simt,
         (double*, char, small, float, double, pair_of, big, counted, float4, bool),
         many,
         out,
         a,
         b,
         c,
         d,
         e,
         f,
         g,
         h,
         i)
  *out = a + static_cast<int>(b) + static_cast<double>(c) + d + e.x + e.n + f.values[8] + g.n +
         static_cast<double>(h.w) + i;
}

template <class T>
[[gnu::noinline]] void store(T* p, T value) {
  KERNEL(simt, (T*, T), store<T>, p, value)
  *p = value;
}

[[gnu::noinline]] void linear(int* out) {
  out[blockIdx.x * blockDim.x + threadIdx.x] = static_cast<int>(gridDim.x * 100 + threadIdx.x);
}

template <class T>
struct managed {
  T* p = nullptr;
  explicit managed(std::size_t n) {
    REQUIRE(cudaMallocManaged(&p, n * sizeof(T)) == cudaSuccess);
    for (std::size_t i = 0; i < n; ++i) {
      p[i] = T{};
    }
  }
  ~managed() { (void)cudaFree(p); }
};

} // namespace

TEST_CASE("a launch gives every thread its place", "[runtime][launch]") {
  managed<int> m(12);
  LAUNCH(simt, linear, 3, 4)(m.p);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  CHECK((m.p[0] == 300 && m.p[7] == 303 && m.p[11] == 303));
}

TEST_CASE("configurations", "[runtime][launch]") {
  struct row {
    const char* name;
    dim3 grid, block;
    std::size_t shared;
    tilesim::kernel_kind kind;
    const char* finding;
  };
  using enum tilesim::kernel_kind;
  const std::vector<row> rows{
      {"one", 1, 1, 0, simt, ""},
      {"a thousand threads", 1, 1024, 0, simt, ""},
      {"a tile kernel", 2, 1, 0, tile, ""},
      {"an empty grid", 0, 1, 0, tile, "the grid (0,1,1) is empty"},
      {"an empty block", 1, 0, 0, simt, "the block (0,1,1) is empty"},
      {"one thread too many", 1, 1025, 0, simt, "is larger than (1024,1024,64) or 1024 threads"},
      {"too deep", 1, dim3(1, 1, 65), 0, simt, "the block (1,1,65) is larger"},
      {"too tall", dim3(1, 65536), 1, 0, simt, "the grid (1,65536,1) is larger"},
      {"a tile kernel with threads",
       1,
       2,
       0,
       tile,
       "a tile kernel is launched with blocks of (2,1,1)"},
      {"too much shared memory", 1, 1, 50000, simt, "50000 bytes of dynamic shared memory"},
  };
  for (const row& r : rows) {
    DYNAMIC_SECTION(r.name) {
      const std::string finding = r.finding;
      expect({finding.empty() ? cudaSuccess : cudaErrorInvalidValue, finding}, [&] {
        launch(::tilesim::detail::configure(r.grid, r.block, r.shared), r.kind, "nothing", [] {
          nothing();
        })();
        return cudaPeekAtLastError();
      });
    }
  }
}

TEST_CASE("cudaLaunchKernel", "[runtime][launch]") {
  managed<int> m(1);
  int n = 5;
  void* arguments[] = {&m.p, &n};
  SECTION("typed") {
    CHECK(cudaLaunchKernel(add, dim3(2), dim3(1), arguments) == cudaSuccess);
    n = 1000; // copied at the call
    CHECK(cudaDeviceSynchronize() == cudaSuccess);
    CHECK(*m.p == 10);
  }
  SECTION("type erased: the parameters come from debug information") {
    CHECK(cudaLaunchKernel(
              reinterpret_cast<const void*>(add), dim3(2), dim3(2), arguments, 0, nullptr) ==
          cudaSuccess);
    CHECK(cudaDeviceSynchronize() == cudaSuccess);
    CHECK(*m.p == 20);
  }
  SECTION("a template's instance") {
    float value = 2.5F;
    managed<float> f(1);
    void* a[] = {&f.p, &value};
    CHECK(cudaLaunchKernel(
              reinterpret_cast<const void*>(&store<float>), dim3(1), dim3(1), a, 0, nullptr) ==
          cudaSuccess);
    CHECK(*f.p == 2.5F);
  }
  SECTION("every kind of parameter") {
    managed<double> out(1);
    char a = 1;
    small b = small::seven;
    float c = 0.5F;
    double d = 0.25;
    pair_of e{100, 200};
    big f{{0, 0, 0, 0, 0, 0, 0, 0, 1000}};
    counted g(2000);
    float4 h{0, 0, 0, 4000};
    bool i = true;
    void* all[] = {&out.p, &a, &b, &c, &d, &e, &f, &g, &h, &i};
    CHECK(
        cudaLaunchKernel(reinterpret_cast<const void*>(many), dim3(1), dim3(1), all, 0, nullptr) ==
        cudaSuccess);
    CHECK(*out.p == 7309.75);
  }
  SECTION("no kernel") {
    static int data = 0;
    expect({cudaErrorInvalidDeviceFunction, "null pointer for the kernel"},
           [&] { return cudaLaunchKernel(nullptr, dim3(1), dim3(1), arguments, 0, nullptr); });
    expect({cudaErrorInvalidResourceHandle, "is no function"}, [&] {
      return cudaLaunchKernel(
          static_cast<const void*>(&data), dim3(1), dim3(1), arguments, 0, nullptr);
    });
    expect({cudaErrorInvalidDeviceFunction, "no debug information"}, [&] {
      return cudaLaunchKernel(reinterpret_cast<const void*>(&no_debug_information),
                              dim3(1),
                              dim3(1),
                              nullptr,
                              0,
                              nullptr);
    });
  }
}

TEST_CASE("cudaLaunchKernelEx", "[runtime][launch]") {
  managed<int> m(1);
  cudaLaunchConfig_t config = {};
  config.gridDim = 3;
  config.blockDim = 1;
  expect({cudaSuccess}, [&] { return cudaLaunchKernelEx(&config, add, m.p, short{2}); });
  CHECK(*m.p == 6);
  const auto nothings = [&] { return cudaLaunchKernelEx(&config, nothing_by_tiles); };
  expect({cudaSuccess}, nothings);
  config.gridDim = 0;
  expect({cudaErrorInvalidValue, "nothing_by_tiles: the grid (0,1,1) is empty"}, nothings);
  config.gridDim = 1;
  config.blockDim = 32; // the kernel is asked which kind it is
  expect({cudaErrorInvalidValue, "a tile kernel is launched with blocks of (32,1,1)"}, nothings);
  expect({cudaErrorInvalidDeviceFunction, "cudaLaunchKernelEx: nothing is no kernel"},
         [&] { return cudaLaunchKernelEx(&config, nothing); });
}

TEST_CASE("function attributes", "[runtime][launch]") {
  cudaFuncAttributes a;
  const char* name = nullptr;
  expect({cudaSuccess}, [&] { return cudaFuncGetAttributes(&a, add); });
  CHECK(a.maxThreadsPerBlock == 1024);
  expect({cudaSuccess}, [] {
    return cudaFuncSetAttribute(add, cudaFuncAttributeMaxDynamicSharedMemorySize, 100000);
  });
  expect({cudaErrorInvalidValue, "a block has at most 232448"}, [] {
    return cudaFuncSetAttribute(add, cudaFuncAttributeMaxDynamicSharedMemorySize, 1 << 20);
  });
  CHECK(cudaFuncGetName(&name, add) == cudaSuccess);
  CHECK(std::string(name).find("add") != std::string::npos);
}

TEST_CASE("occupancy", "[runtime][launch]") {
  struct row {
    int threads;
    std::size_t shared;
    int blocks;
  };
  const auto r = GENERATE(values<row>(
      {{256, 0, 8}, {32, 0, 32}, {1024, 0, 2}, {33, 0, 32}, {2000, 0, 0}, {32, 48 * 1024, 4}}));
  int blocks = -1;
  expect({cudaSuccess}, [&] {
    return cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, add, r.threads, r.shared);
  });
  CHECK(blocks == r.blocks);
  int grid = 0;
  int block = 0;
  CHECK(cudaOccupancyMaxPotentialBlockSize(&grid, &block, add) == cudaSuccess);
  CHECK((block == 1024 && grid == 264));
  expect({cudaErrorInvalidValue, "a block of 0 threads"},
         [&] { return cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, add, 0, 0); });
}
