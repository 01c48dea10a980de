// Elementwise operations on a tile of 4096 elements, each beside std::transform compiled -O3 on the
// same data: `ops_bench` prints every ratio beside its target and exits with 1 if one misses it.
//
// Repetitions of all benchmarks are interleaved at random and the fastest of each counts, so that a
// ratio compares like with like on a machine that does other things too. Google Benchmark's options
// work: --benchmark_filter=half, --benchmark_repetitions=20.
// SPDX-License-Identifier: Apache-2.0
#include "sim/ops/elementwise.hpp"
#include "sim/ops/tables.hpp"

#include <algorithm>
#include <benchmark/benchmark.h>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <functional>
#include <limits>
#include <map>
#include <new>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace {

using namespace tilesim;
using namespace tilesim::sim::ops;
using machine::attributes;
using machine::opcode;
using machine::overflow;
using machine::rounding;

constexpr std::size_t count = 4096;

/// Cells of an operand (0 to 2) or of a result (3), each a quarter of a page from the others. Where
/// a load lies as far behind a page's begin as a store that is under way, or shortly behind it, it
/// waits for that: what the heap happened to give made one run twice as fast as another.
template <class T>
class cells {
public:
  explicit cells(unsigned which)
      : block_(static_cast<std::byte*>(::operator new(page + count * sizeof(T), alignment)))
      , memory_(reinterpret_cast<T*>(block_ + which * (page / 4))) {
    std::fill_n(memory_, count, T{});
  }
  ~cells() { ::operator delete(block_, alignment); }
  cells(cells&& other) noexcept
      : block_(std::exchange(other.block_, nullptr))
      , memory_(std::exchange(other.memory_, nullptr)) {}
  cells(const cells&) = delete;
  cells& operator=(const cells&) = delete;
  cells& operator=(cells&&) = delete;

  [[nodiscard]] T* begin() const { return memory_; }
  [[nodiscard]] T* end() const { return memory_ + count; }
  T& operator[](std::size_t i) const { return memory_[i]; }

private:
  static constexpr std::size_t page = 4096;
  static constexpr std::align_val_t alignment{page};
  std::byte* block_;
  T* memory_;
};

constexpr unsigned of_result = 3;

/// Three operands, none of which makes an operation slow or undefined: integers from 1 to 11 (their
/// sums and products fit 8 bits), floating point in [1, 2).
template <class T>
cells<T> operand(unsigned which) {
  cells<T> values(which);
  for (std::size_t i = 0; i < count; ++i) {
    const auto mixed = static_cast<std::uint32_t>((i + 1) * 2654435761U * (which + 1)) >> 16;
    values[i] = std::is_floating_point_v<T> ? static_cast<T>(1 + static_cast<double>(mixed) / 65536)
                                            : static_cast<T>(1 + mixed % 11);
  }
  return values;
}

/// The same numbers, in cells of a 16-bit format.
cells<std::uint16_t> narrow_operand(element kind, unsigned which) {
  const auto wide = operand<float>(which);
  cells<std::uint16_t> narrow(which);
  find_elementwise(opcode::ftof, {}, kind, element::f32)
      .run({narrow.begin(), {wide.begin(), nullptr, nullptr}, {}, count});
  return narrow;
}

template <class T>
constexpr element kind_of() {
  if constexpr (std::is_same_v<T, float>) {
    return element::f32;
  } else if constexpr (std::is_same_v<T, double>) {
    return element::f64;
  } else {
    return sizeof(T) == 1   ? element::i8
           : sizeof(T) == 2 ? element::i16
           : sizeof(T) == 4 ? element::i32
                            : element::i64;
  }
}

void time_kernel(benchmark::State& state,
                 opcode op,
                 const attributes& modes,
                 element result,
                 element kind,
                 const void* a,
                 const void* b,
                 const void* c) {
  const elementwise_operation f = find_elementwise(op, modes, result, kind);
  const cells<std::uint64_t> r(of_result);
  const elementwise_args args{r.begin(), {a, b, c}, {}, count};
  for (auto _ : state) {
    benchmark::DoNotOptimize(f.run(args));
    benchmark::ClobberMemory();
  }
}

template <class Result, class T, class F>
void time_transform(benchmark::State& state, const F& f) {
  const auto a = operand<T>(0);
  const auto b = operand<T>(1);
  const auto c = operand<T>(2);
  const cells<Result> r(of_result);
  for (auto _ : state) {
    if constexpr (std::is_invocable_v<const F&, T, T, T>) { // std::transform takes no third range
      for (std::size_t i = 0; i < count; ++i) {
        r[i] = f(a[i], b[i], c[i]);
      }
    } else if constexpr (std::is_invocable_v<const F&, T, T>) {
      std::transform(a.begin(), a.end(), b.begin(), r.begin(), f);
    } else {
      std::transform(a.begin(), a.end(), r.begin(), f);
    }
    benchmark::DoNotOptimize(r.begin());
    benchmark::ClobberMemory();
  }
}

struct comparison {
  std::string what;
  std::string yardstick; ///< the name of its benchmark
  double target;         ///< of the ratio
};

std::vector<comparison>& comparisons() {
  static std::vector<comparison> all;
  return all;
}

template <class F>
void add_benchmark(const std::string& name, F f) {
  benchmark::RegisterBenchmark(name.c_str(), std::move(f));
}

/// One operation on T beside f.
template <class Result, class T, class F>
void compare(const std::string& what, double target, opcode op, const attributes& modes, F f) {
  const element result = std::is_same_v<Result, bool> ? element::i1 : kind_of<Result>();
  using cell = std::conditional_t<std::is_same_v<Result, bool>, std::uint8_t, Result>;
  const std::string yardstick = what + ", std::transform";
  add_benchmark(yardstick, [f](benchmark::State& s) { time_transform<cell, T>(s, f); });
  add_benchmark(what, [=](benchmark::State& s) {
    const auto a = operand<T>(0);
    const auto b = operand<T>(1);
    const auto c = operand<T>(2);
    time_kernel(s, op, modes, result, kind_of<T>(), a.begin(), b.begin(), c.begin());
  });
  comparisons().push_back({what, yardstick, target});
}

/// An operation on half or bfloat16 beside std::transform on as many floats.
void compare_narrow(element kind,
                    const std::string& what,
                    double target,
                    opcode op,
                    const attributes& modes,
                    element result,
                    const std::string& yardstick) {
  const std::string full = (kind == element::f16 ? "half " : "bfloat16 ") + what;
  add_benchmark(full, [=](benchmark::State& s) {
    const auto a = narrow_operand(kind, 0);
    const auto b = narrow_operand(kind, 1);
    const auto c = narrow_operand(kind, 2);
    time_kernel(s, op, modes, result, kind, a.begin(), b.begin(), c.begin());
  });
  comparisons().push_back({full, yardstick + ", std::transform", target});
}

const auto add = [](auto a, auto b) { return static_cast<decltype(a)>(a + b); };
const auto sub = [](auto a, auto b) { return static_cast<decltype(a)>(a - b); };
const auto mul = [](auto a, auto b) { return static_cast<decltype(a)>(a * b); };
const auto divide = [](auto a, auto b) { return static_cast<decltype(a)>(a / b); };
const auto larger = [](auto a, auto b) { return a > b ? a : b; };
const auto smaller = [](auto a, auto b) { return a < b ? a : b; };
const auto less = [](auto a, auto b) { return static_cast<std::uint8_t>(a < b); };

/// Operations on float and double.
template <class T>
void compare_floating(const std::string& type) {
  constexpr double target = 2;
  compare<T, T>(type + " add", target, opcode::addf, {}, add);
  compare<T, T>(type + " sub", target, opcode::subf, {}, sub);
  compare<T, T>(type + " mul", target, opcode::mulf, {}, mul);
  compare<T, T>(type + " div", target, opcode::divf, {}, divide);
  compare<T, T>(
      type + " remainder", target, opcode::remf, {}, [](T a, T b) { return std::fmod(a, b); });
  compare<T, T>(type + " fma", target, opcode::fma, {}, [](T a, T b, T c) { return a * b + c; });
  compare<T, T>(type + " max", target, opcode::maxf, {}, larger);
  compare<T, T>(type + " min", target, opcode::minf, {}, smaller);
  compare<T, T>(type + " negation", target, opcode::negf, {}, [](T a) { return -a; });
  compare<T, T>(
      type + " absolute value", target, opcode::absf, {}, [](T a) { return std::fabs(a); });
  compare<bool, T>(
      type + " less", target, opcode::cmpf, {.pred = machine::predicate::less_than}, less);
  compare<std::int32_t, T>(
      type + " to int", target, opcode::ftoi, {}, [](T a) { return static_cast<std::int32_t>(a); });
}

/// Operations on signed integers that watch for overflow, and some that need not.
template <class T>
void compare_integer(const std::string& type) {
  constexpr attributes checked{.wrap = overflow::no_signed_wrap};
  constexpr double target = 3;
  compare<T, T>(type + " add, overflow checked", target, opcode::addi, checked, add);
  compare<T, T>(type + " sub, overflow checked", target, opcode::subi, checked, sub);
  compare<T, T>(type + " mul, overflow checked", target, opcode::muli, checked, mul);
  compare<T, T>(type + " div, checked", target, opcode::divi, {.round = rounding::zero}, divide);
  compare<T, T>(type + " max", target, opcode::maxi, {}, larger);
  compare<bool, T>(
      type + " less", target, opcode::cmpi, {.pred = machine::predicate::less_than}, less);
}

float flushed(float x) {
  return std::fabs(x) < std::numeric_limits<float>::min() ? std::copysign(0.0F, x) : x;
}

/// Math functions beside the host's, which round less carefully.
template <class T>
void compare_math(const std::string& type, double target) {
  constexpr attributes full{.round = rounding::full};
  compare<T, T>(type + " exp", target, opcode::exp, full, [](T a) { return std::exp(a); });
  compare<T, T>(type + " exp2", target, opcode::exp2, {}, [](T a) { return std::exp2(a); });
  compare<T, T>(type + " log", target, opcode::log, {}, [](T a) { return std::log(a); });
  compare<T, T>(type + " sin", target, opcode::sin, {}, [](T a) { return std::sin(a); });
  compare<T, T>(type + " tan", target, opcode::tan, {}, [](T a) { return std::tan(a); });
  compare<T, T>(type + " tanh", target, opcode::tanh, full, [](T a) { return std::tanh(a); });
  compare<T, T>(type + " sqrt", 2, opcode::sqrt, {}, [](T a) { return std::sqrt(a); });
  compare<T, T>(type + " rsqrt", target, opcode::rsqrt, {}, [](T a) { return 1 / std::sqrt(a); });
  compare<T, T>(type + " pow", target, opcode::fpowf, {}, [](T a, T b) { return std::pow(a, b); });
  compare<T, T>(
      type + " atan2", target, opcode::atan2, {}, [](T a, T b) { return std::atan2(a, b); });
}

void register_all() {
  compare_floating<float>("float");
  compare<float, float>(
      "float add, flushed", 2, opcode::addf, {.flush_to_zero = true}, [](float a, float b) {
        return flushed(flushed(a) + flushed(b));
      });
  compare<float, float>(
      "float add, upward", 2, opcode::addf, {.round = rounding::positive_inf}, add);
  compare<double, float>("float to double", 2, opcode::ftof, {}, [](float a) { return double{a}; });
  compare<float, std::int32_t>(
      "int to float", 2, opcode::itof, {}, [](std::int32_t a) { return static_cast<float>(a); });
  compare_floating<double>("double");
  compare<float, double>(
      "double to float", 2, opcode::ftof, {}, [](double a) { return static_cast<float>(a); });
  compare_math<float>("float", 2);
  compare_math<double>("double", 50); // to 100 bits, an element at a time

  compare_integer<std::int8_t>("int8");
  compare_integer<std::int16_t>("int16");
  compare_integer<std::int32_t>("int32");
  compare_integer<std::int64_t>("int64");

  for (const element kind : {element::f16, element::bf16}) {
    constexpr double target = 8;
    compare_narrow(kind, "add", target, opcode::addf, {}, kind, "float add");
    compare_narrow(kind, "sub", target, opcode::subf, {}, kind, "float sub");
    compare_narrow(kind, "mul", target, opcode::mulf, {}, kind, "float mul");
    compare_narrow(kind, "div", target, opcode::divf, {}, kind, "float div");
    compare_narrow(kind, "fma", target, opcode::fma, {}, kind, "float fma");
    compare_narrow(kind, "max", target, opcode::maxf, {}, kind, "float max");
    compare_narrow(kind, "min", target, opcode::minf, {}, kind, "float min");
    compare_narrow(kind, "remainder", target, opcode::remf, {}, kind, "float remainder");
    compare_narrow(kind, "exp", target, opcode::exp, {.round = rounding::full}, kind, "float exp");
    compare_narrow(kind, "sin", target, opcode::sin, {}, kind, "float sin");
    compare_narrow(kind,
                   "less",
                   target,
                   opcode::cmpf,
                   {.pred = machine::predicate::less_than},
                   element::i1,
                   "float less");
    compare_narrow(kind, "to float", target, opcode::ftof, {}, element::f32, "float negation");
    compare_narrow(kind, "to int", target, opcode::ftoi, {}, element::i32, "float to int");
    const std::string name = kind == element::f16 ? "half" : "bfloat16";
    add_benchmark("float to " + name, [=](benchmark::State& s) {
      const auto a = operand<float>(0);
      time_kernel(s, opcode::ftof, {}, kind, element::f32, a.begin(), nullptr, nullptr);
    });
    comparisons().push_back({"float to " + name, "float negation, std::transform", target});
  }
}

/// Whether a run failed: Google Benchmark 1.8 has another member for it than 1.7.
template <class Run>
bool has_failed(const Run& r) {
  if constexpr (requires { r.error_occurred; }) {
    return r.error_occurred;
  } else {
    return static_cast<bool>(r.skipped);
  }
}

/// Keeps the fastest repetition of each benchmark.
class fastest final : public benchmark::ConsoleReporter {
public:
  bool ReportContext(const Context&) override { return true; }
  void ReportRuns(const std::vector<Run>& runs) override {
    for (const Run& r : runs) {
      if (r.run_type == Run::RT_Iteration && !has_failed(r)) {
        const auto at = best_.try_emplace(r.run_name.function_name, r.GetAdjustedCPUTime()).first;
        at->second = std::min(at->second, r.GetAdjustedCPUTime());
      }
    }
  }
  /// Nanoseconds; NaN for one that did not run.
  [[nodiscard]] double nanoseconds(const std::string& name) const {
    const auto at = best_.find(name);
    return at == best_.end() ? std::numeric_limits<double>::quiet_NaN() : at->second;
  }

private:
  std::map<std::string, double> best_;
};

} // namespace

int main(int argc, char** argv) {
  // Before the user's own, which win.
  std::string repetitions = "--benchmark_repetitions=7";
  std::string interleaving = "--benchmark_enable_random_interleaving=true";
  std::string least_time = "--benchmark_min_time=0.01";
  std::vector<char*> arguments{argv[0], repetitions.data(), interleaving.data(), least_time.data()};
  arguments.insert(arguments.end(), argv + 1, argv + argc);
  int argument_count = static_cast<int>(arguments.size());
  arguments.push_back(nullptr);
  benchmark::Initialize(&argument_count, arguments.data());
  if (benchmark::ReportUnrecognizedArguments(argument_count, arguments.data())) {
    return 64;
  }
  register_all();
  fastest best;
  benchmark::RunSpecifiedBenchmarks(&best);

  int missed = 0;
  std::printf(
      "%-36s %9s %15s %7s %7s\n", "4096 elements", "ns", "std::transform", "ratio", "target");
  for (const comparison& c : comparisons()) {
    const double ours = best.nanoseconds(c.what);
    const double theirs = best.nanoseconds(c.yardstick);
    if (std::isnan(ours) || std::isnan(theirs)) {
      continue; // filtered out
    }
    const bool ok = ours <= c.target * theirs;
    missed += ok ? 0 : 1;
    std::printf("%-36s %9.0f %15.0f %7.2f %7.0f%s\n",
                c.what.c_str(),
                ours,
                theirs,
                ours / theirs,
                c.target,
                ok ? "" : "  MISSED");
  }
  return missed == 0 ? 0 : 1;
}
