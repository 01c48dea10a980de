// What an H200 gives for the mathematics of `__global__` kernels (threads/approximate.cu), held
// against the errors that the CUDA programming guide documents: `tilesim diff` does not know which
// calls of plain code are approximate.
//
// SPDX-License-Identifier: Apache-2.0
#include "gpu_backend/container/reader.hpp"
#include "operands.hpp"
#include "support/catch.hpp"

#define XXH_INLINE_ALL
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <cxxabi.h>
#include <limits>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>
#include <xxhash.h>

namespace {

using namespace tilesim::gpu;
using operands::bits;
using real = long double;

/// Magnitudes of operands: from 2^least to 2^most, as threads/approximate.cu has them.
struct range {
  int least;
  int most;
  bool positive;
};
constexpr range ordinary{-6, 4, false};
constexpr range above_zero{-12, 12, true};
constexpr range large{-4, 12, true};
constexpr range circle{-6, 1, false};
constexpr range about_one{-1, 1, true};
constexpr range wide_range{-8, 8, false};
constexpr range powers{-3, 3, false};

/// How far from the exact result: so many units in the last place, or so much; and half a unit,
/// since the guide counts from the rounded one.
struct function {
  range of;
  real (*exact)(real x, real y);
  double (*ulps)(double x);
  double absolute = 0;
  double relative = 0;
};

template <int N>
double units(double /*x*/) {
  return N;
}
double of_exp(double x) {
  return 2 + std::floor(std::fabs(1.173 * x));
}
double of_exp10(double x) {
  return 2 + std::floor(std::fabs(2.97 * x));
}

#define OF_ONE(call) [](real x, real /*y*/) -> real { return call; }
#define OF_TWO(call) [](real x, real y) -> real { return call; }
/// [Mathematical Functions: maximum errors]
const std::map<std::string, function> functions{
    {"expf", {ordinary, OF_ONE(std::exp(x)), &units<1>}},
    {"exp2f", {ordinary, OF_ONE(std::exp2(x)), &units<2>}},
    {"exp10f", {ordinary, OF_ONE(std::pow(10.0L, x)), &units<2>}},
    {"expm1f", {ordinary, OF_ONE(std::expm1(x)), &units<1>}},
    {"sinf", {ordinary, OF_ONE(std::sin(x)), &units<2>}},
    {"cosf", {ordinary, OF_ONE(std::cos(x)), &units<2>}},
    {"tanf", {ordinary, OF_ONE(std::tan(x)), &units<4>}},
    {"atanf", {ordinary, OF_ONE(std::atan(x)), &units<2>}},
    {"sinhf", {ordinary, OF_ONE(std::sinh(x)), &units<3>}},
    {"coshf", {ordinary, OF_ONE(std::cosh(x)), &units<2>}},
    {"tanhf", {ordinary, OF_ONE(std::tanh(x)), &units<2>}},
    {"erff", {ordinary, OF_ONE(std::erf(x)), &units<2>}},
    {"cbrtf", {ordinary, OF_ONE(std::cbrt(x)), &units<1>}},
    {"exp", {ordinary, OF_ONE(std::exp(x)), &units<1>}},
    {"sin", {ordinary, OF_ONE(std::sin(x)), &units<2>}},
    {"cos", {ordinary, OF_ONE(std::cos(x)), &units<2>}},
    {"tanh", {ordinary, OF_ONE(std::tanh(x)), &units<1>}},
    {"atan", {ordinary, OF_ONE(std::atan(x)), &units<2>}},
    {"cbrt", {ordinary, OF_ONE(std::cbrt(x)), &units<1>}},
    {"FAST_EXP", {ordinary, OF_ONE(std::exp(x)), &of_exp}},
    {"FAST_EXP10", {ordinary, OF_ONE(std::pow(10.0L, x)), &of_exp10}},
    {"FAST_TANH", {ordinary, OF_ONE(std::tanh(x)), &units<0>, 0, 0x1p-11}},
    {"logf", {above_zero, OF_ONE(std::log(x)), &units<1>}},
    {"log2f", {above_zero, OF_ONE(std::log2(x)), &units<1>}},
    {"log10f", {above_zero, OF_ONE(std::log10(x)), &units<2>}},
    {"log1pf", {above_zero, OF_ONE(std::log1p(x)), &units<1>}},
    {"rsqrtf", {above_zero, OF_ONE(1 / std::sqrt(x)), &units<2>}},
    {"rcbrtf", {above_zero, OF_ONE(1 / std::cbrt(x)), &units<1>}},
    {"log", {above_zero, OF_ONE(std::log(x)), &units<1>}},
    {"rsqrt", {above_zero, OF_ONE(1 / std::sqrt(x)), &units<1>}},
    {"FAST_LOG_ABOVE_2", {large, OF_ONE(std::log(real(float(x) + 2))), &units<3>}},
    {"FAST_LOG2_ABOVE_2", {large, OF_ONE(std::log2(real(float(x) + 2))), &units<2>}},
    {"FAST_LOG10_ABOVE_2", {large, OF_ONE(std::log10(real(float(x) + 2))), &units<3>}},
    {"FAST_SIN", {circle, OF_ONE(std::sin(x)), &units<0>, std::exp2(-21.41)}},
    {"FAST_COS", {circle, OF_ONE(std::cos(x)), &units<0>, std::exp2(-21.19)}},
    {"FAST_LOG_ABOUT_1", {about_one, OF_ONE(std::log(x)), &units<0>, std::exp2(-21.41)}},
    {"FAST_LOG2_ABOUT_1", {about_one, OF_ONE(std::log2(x)), &units<0>, std::exp2(-22)}},
    {"FAST_LOG10_ABOUT_1", {about_one, OF_ONE(std::log10(x)), &units<0>, std::exp2(-24)}},
    {"atan2f", {wide_range, OF_TWO(std::atan2(x, y)), &units<3>}},
    {"hypotf", {wide_range, OF_TWO(std::hypot(x, y)), &units<3>}},
    {"FAST_DIVIDE", {wide_range, OF_TWO(x / y), &units<2>}},
    {"powf", {powers, OF_TWO(std::pow(std::fabs(x), y)), &units<4>}},
    {"pow", {powers, OF_TWO(std::pow(std::fabs(x), y)), &units<2>}},
};
#undef OF_ONE
#undef OF_TWO

/// "expf" of `void gpu_test::each_thread<op::expf, float, float>(…)`, and its element type.
std::pair<std::string, bool> operation_of(const std::string& symbol) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(
      abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status), &std::free);
  REQUIRE(status == 0);
  const std::string name = text.get();
  const std::size_t begin = name.find("op::") + 4;
  const std::size_t end = name.find(", ", begin);
  return {name.substr(begin, end - begin), name.compare(end, 8, ", double") == 0};
}

template <class T>
std::vector<T> values_of(std::span<const std::byte> bytes) {
  std::vector<T> values(bytes.size() / sizeof(T));
  std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

/// The operand that the program made; the recording has the hash of its bytes.
template <class T>
std::vector<T> operand(const range& of, bits seed, const host_write_event& written) {
  constexpr operands::format layout = std::is_same_v<T, float> ? operands::format{32, true, 8, 23}
                                                               : operands::format{64, true, 11, 52};
  std::vector<T> values;
  for (const bits b :
       operands::numbers_between(layout, 256, of.least, of.most, of.positive, seed)) {
    T value{};
    std::memcpy(&value, &b, sizeof(value));
    values.push_back(value);
  }
  REQUIRE(XXH64(values.data(), values.size() * sizeof(T), 0) == written.hash);
  return values;
}

template <class T>
void check(const std::string& name,
           const std::vector<host_write_event>& written,
           std::span<const std::byte> results) {
  const function& f = functions.at(name);
  REQUIRE(!written.empty());
  // The program's tuple of operands was filled from the last one on.
  const std::vector<T> x = operand<T>(f.of, 40, written.back());
  const std::vector<T> y = written.size() > 1 ? operand<T>(f.of, 41, written.front()) : x;
  const std::vector<T> there = values_of<T>(results);
  REQUIRE(there.size() == x.size());
  std::size_t off = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const real exact = f.exact(x[i], y[i]);
    const T rounded = std::fabs(static_cast<T>(exact));
    const real unit = std::nextafter(rounded, std::numeric_limits<T>::infinity()) - rounded;
    const real allowed = ((f.ulps(static_cast<double>(x[i])) + 0.5) * unit) + f.absolute +
                         (f.relative * std::fabs(exact));
    off += std::fabs(real(there[i]) - exact) <= allowed ? 0U : 1U;
  }
  INFO(name);
  CHECK(off == 0);
}

} // namespace

TEST_CASE("mathematics of plain code on an H200 is as near as its guide says") {
  const recording_file recording(TILESIM_RECORDINGS "/threads/approximate.rec");
  std::vector<host_write_event> written;
  std::pair<std::string, bool> operation;
  std::size_t checked = 0;
  for (const event& e : recording.events()) {
    if (const auto* const w = std::get_if<host_write_event>(&e);
        w != nullptr && w->by == "cudaMemcpy") {
      written.push_back(*w);
    } else if (const auto* const l = std::get_if<launch_event>(&e)) {
      operation = operation_of(l->symbol);
    } else if (const auto* const c = std::get_if<content_event>(&e);
               c != nullptr && c->is == content_event::when::after) {
      const auto results = recording.content(c->content, c->bytes);
      // Of these the guide says what they are made of, and no error: `diff` has the bound
      // (gpu.threads.approximate.page).
      if (operation.first == "FAST_TAN" || operation.first == "FAST_POW") {
        written.clear();
        continue;
      }
      operation.second ? check<double>(operation.first, written, results)
                       : check<float>(operation.first, written, results);
      written.clear();
      ++checked;
    } else if (std::holds_alternative<observed_event>(e)) {
      written.clear();
    }
  }
  CHECK(checked + 1 == functions.size()); // one is the same in the simulator, and so a hash
}
