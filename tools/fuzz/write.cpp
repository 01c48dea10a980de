// A random program as CUDA.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/fuzz/write.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace tilesim::tools::fuzz {
namespace {

// What all programs of a source share. A buffer's bytes are hashed, every NaN as one: which one an
// operation gives is nobody's promise.
constexpr const char* prelude = R"(#include "cuda_tile.h"
#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "cuda_tf32.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

namespace ct = cuda::tiles;
using ct::shape;

inline void succeeds(cudaError_t e) {
  if (e != cudaSuccess) {
    std::printf("error: %s\n", cudaGetErrorString(e));
    std::exit(1);
  }
}

inline unsigned long long next(unsigned long long& state) { // splitmix64
  unsigned long long z = state += 0x9e3779b97f4a7c15;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

// A value of each type from a number, which it can hold.
template <class T> T element(double x) { return static_cast<T>(x); }
template <> inline __half element<__half>(double x) { return __float2half(static_cast<float>(x)); }
template <> inline __nv_bfloat16 element<__nv_bfloat16>(double x) { return __float2bfloat16(static_cast<float>(x)); }
template <class T> double number(T x) { return static_cast<double>(x); }
inline double number(__half x) { return __half2float(x); }
inline double number(__nv_bfloat16 x) { return __bfloat162float(x); }

// Device memory: `steps` + 1 different values from `low` on, `step` apart; zeros if there is one.
template <class T> T* made(size_t size, unsigned long long seed, double low, double step, unsigned steps) {
  std::vector<T> values(size);
  for (T& v : values)
    v = element<T>(low + step * static_cast<double>(next(seed) % (steps + 1ull)));
  T* p = nullptr;
  succeeds(cudaMalloc(&p, size * sizeof(T)));
  succeeds(cudaMemcpy(p, values.data(), size * sizeof(T), cudaMemcpyHostToDevice));
  return p;
}

template <class T> void show(const char* program, const char* name, const T* p, size_t size) {
  std::vector<T> values(size);
  succeeds(cudaMemcpy(values.data(), p, size * sizeof(T), cudaMemcpyDeviceToHost));
  unsigned long long hash = 0xcbf29ce484222325;
  for (const T& v : values) {
    unsigned char bytes[sizeof(T)];
    std::memcpy(bytes, &v, sizeof(T));
    if (number(v) != number(v))
      std::memset(bytes, 0xff, sizeof(T));
    for (unsigned char b : bytes)
      hash = (hash ^ b) * 0x100000001b3;
  }
  std::printf("%s %s %016llx", program, name, hash);
  for (size_t i = 0; i < size && i < 4; ++i)
    std::printf(" %.17g", number(values[i]));
  std::printf("\n");
}
)";

const char* type_of(const buffer& b) {
  return scalars[b.element].name;
}

std::string parameters(const program& p, const kernel& k) {
  std::vector<std::string> all;
  for (const std::size_t b : k.buffers) {
    all.push_back(fmt::format("{}* {}", type_of(p.buffers[b]), p.buffers[b].name));
  }
  return fmt::format("{}", fmt::join(all, ", "));
}

std::string line_of(const program& p, const statement& s) {
  std::string text = s.text;
  const auto put = [&text](const std::string& mark, const std::string& name) {
    for (auto at = text.find(mark); at != std::string::npos;
         at = text.find(mark, at + name.size())) {
      text.replace(at, mark.size(), name);
    }
  };
  put("{p}", p.label());
  if (s.makes) {
    put("{r}", fmt::format("v{}", *s.makes));
  }
  for (std::size_t i = 0; i < s.uses.size(); ++i) {
    put(fmt::format("{{{}}}", i), fmt::format("v{}", s.uses[i]));
  }
  return text;
}

std::string kernel_text(const program& p, std::size_t number) {
  const kernel& k = p.kernels[number];
  std::string text = fmt::format("__tile_global__ void k{}({}) {{\n"
                                 "  const int block = static_cast<int>(ct::bid().x);\n",
                                 number,
                                 parameters(p, k));
  for (const statement& s : k.body) {
    text += fmt::format("  {}\n", line_of(p, s));
  }
  return text + "}\n";
}

std::string making_of(const program& p, std::size_t number) {
  const buffer& b = p.buffers[number];
  const bool floating = scalars[b.element].floating;
  const long double step = floating ? 0.25L : 1;
  const long double steps = std::min((b.within.high - b.within.low) / step, 4294967295.0L);
  return fmt::format("  auto* {} = made<{}>({}, {}ull, {:.1f}, {:.2f}, {}u);\n",
                     b.name,
                     type_of(b),
                     b.size,
                     p.seed * 1000 + number,
                     static_cast<double>(b.within.low),
                     static_cast<double>(step),
                     static_cast<unsigned>(steps));
}

std::string host_text(const program& p) {
  std::string text = "void run() {\n";
  std::set<std::size_t> used;
  for (const kernel& k : p.kernels) {
    used.insert(k.buffers.begin(), k.buffers.end());
  }
  for (const std::size_t b : used) {
    text += making_of(p, b);
  }
  std::set<unsigned> streams;
  for (const kernel& k : p.kernels) {
    if (k.stream != 0) {
      streams.insert(k.stream);
    }
  }
  for (const unsigned s : streams) {
    text +=
        fmt::format("  cudaStream_t stream{0};\n  succeeds(cudaStreamCreate(&stream{0}));\n", s);
  }
  for (std::size_t number = 0; number < p.kernels.size(); ++number) {
    const kernel& k = p.kernels[number];
    std::vector<std::string> arguments;
    for (const std::size_t b : k.buffers) {
      arguments.push_back(p.buffers[b].name);
    }
    text += fmt::format("  k{}<<<{}, 1{}>>>({});\n",
                        number,
                        k.blocks,
                        k.stream == 0 ? "" : fmt::format(", 0, stream{}", k.stream),
                        fmt::join(arguments, ", "));
  }
  text += "  succeeds(cudaGetLastError());\n  succeeds(cudaDeviceSynchronize());\n";
  for (const std::size_t number : used) {
    if (const buffer& b = p.buffers[number]; b.output) {
      text += fmt::format("  show(\"{}\", \"{}\", {}, {});\n", p.label(), b.name, b.name, b.size);
    }
  }
  for (const std::size_t b : used) {
    text += fmt::format("  succeeds(cudaFree({}));\n", p.buffers[b].name);
  }
  for (const unsigned s : streams) {
    text += fmt::format("  succeeds(cudaStreamDestroy(stream{}));\n", s);
  }
  return text + "}\n";
}

} // namespace

std::string name_space(const program& p) {
  return "seed_" + p.label('_');
}

std::string to_unit(const std::vector<program>& programs, const std::string& command) {
  std::string text = fmt::format("// {}\n{}", command, prelude);
  for (const program& p : programs) {
    text += fmt::format("\nnamespace {} {{\n\n", name_space(p));
    for (std::size_t k = 0; k < p.kernels.size(); ++k) {
      text += kernel_text(p, k) + "\n";
    }
    text += host_text(p) + fmt::format("\n}} // namespace {}\n", name_space(p));
  }
  return text;
}

std::string to_source(const std::vector<program>& programs, const std::string& command) {
  std::string text = to_unit(programs, command) + "\nint main() {\n";
  for (const program& p : programs) {
    text += fmt::format("  {}::run();\n", name_space(p));
  }
  return text + "}\n";
}

} // namespace tilesim::tools::fuzz
