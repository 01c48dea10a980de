// How far the simulator's results may lie from the hardware's, for each recording in which an
// operation has more than one right result: `recording_bounds NAME` prints the arguments for
// compare_recordings, one a line; nothing for recordings that are compared bit for bit.
//
// Both are held against the exact value, so they lie no farther apart than their errors together.
// What one operation may be off comes from sim/ops/accuracy.hpp, the only place where that is
// written; here stands how operations make up a kernel. u is half a unit in the last place of 1.
//
// Exit status: 0; 64 for a wrong command line, 70 if a premise of a derivation does not hold.
// SPDX-License-Identifier: Apache-2.0
#include "examples/kernels/noise.h"
#include "sim/ops/accuracy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace {

using namespace tilesim::sim::ops;
using tilesim::element;
using tilesim::machine::opcode;
using tilesim::machine::rounding;

void within(std::string_view label, double ulps) {
  fmt::print("--within\n{}={}\n", label, static_cast<unsigned>(ulps));
}
void within_flushed(std::string_view label, double ulps) {
  fmt::print("--within-flushed\n{}={}\n", label, static_cast<unsigned>(ulps));
}
void near(std::string_view label, double absolute, double relative = 0) {
  fmt::print("--near\n{}={},{}\n", label, absolute, relative);
}

/// A derivation stands on this.
void premise(bool holds, const char* what) {
  if (!holds) {
    fmt::print(stderr, "recording_bounds: bug: {}\n", what);
    std::exit(70);
  }
}

// ----------------------------------------------------------------------------------- roundings

constexpr double u = 0x1p-24; // of float

/// Relative errors one upon the other.
template <class... E>
double compound(E... errors) {
  return ((1 + errors) * ... * 1.0) - 1;
}

/// The relative error of a quotient of values with these.
double of_quotient(double dividend, double divisor) {
  return ((1 + dividend) / (1 - divisor)) - 1;
}

/// Sums of floats, relative to the sum of their magnitudes: of n in any order; of a tile's only
/// row, in the order of docs/order.md, which both sides take: registers, 5 steps among lanes, 2
/// among warps.
double any_order(std::size_t n) {
  return error_of_order(element::f32, {}, n);
}
double of_only_row(std::size_t n) {
  const std::size_t registers = (n + 127) / 128;
  return any_order(registers - 1 + 5 + 2 + 1); // so many roundings have one summand more
}

/// Relative errors of the math functions of float, on one side.
struct functions {
  double exp, exp2, sin, cos, rsqrt;
};

double documented(opcode op, rounding round = rounding::nearest_even) {
  const accuracy a = accuracy_of(op, {.round = round}, element::f32);
  return a.bound.ulps * 2 * u; // a unit in the last place of x is at most 2u |x|
}

/// The errors of both sides together. The simulator's functions are correctly rounded.
double both(const std::function<double(const functions&)>& error) {
  const functions gpu{documented(opcode::exp, rounding::full),
                      documented(opcode::exp2),
                      documented(opcode::sin),
                      documented(opcode::cos),
                      documented(opcode::rsqrt)};
  return error(gpu) + error({u, u, u, u, u});
}

/// Values that are a relative `difference` apart, rounded to a narrow format whose neighbours lie
/// `spacing` apart or more, relatively, are the same or neighbours.
void neighbours(std::string_view label, double difference, double spacing) {
  premise(difference < spacing, "differences of float are less than a step of the narrow format");
  within(label, 1);
}

// ------------------------------------------------------------------------------------ operations

/// Steps from a correctly rounded result to one that `a` allows: half a unit and the bound, and no
/// more than a whole number. In double the simulator is within 0.501 units.
double steps(const accuracy& a, element kind) {
  return std::floor(a.bound.ulps + (kind == element::f64 ? 0.501 : 0.5));
}

void divisions() {
  for (const auto& [round, name] :
       {std::pair{rounding::approx, "approximate"}, {rounding::full, "full"}}) {
    const double ulps =
        steps(accuracy_of(opcode::divf, {.round = round}, element::f32), element::f32);
    within_flushed(fmt::format("{} flush", name), ulps);
    within(name, ulps);
  }
}

void math_functions() {
  struct function {
    const char* name;
    opcode op;
    rounding round = rounding::nearest_even;
  };
  constexpr function functions[]{{"exp", opcode::exp, rounding::full},
                                 {"exp2", opcode::exp2},
                                 {"log", opcode::log},
                                 {"log2", opcode::log2},
                                 {"sin", opcode::sin},
                                 {"cos", opcode::cos},
                                 {"tan", opcode::tan},
                                 {"sinh", opcode::sinh},
                                 {"cosh", opcode::cosh},
                                 {"tanh", opcode::tanh, rounding::full},
                                 {"rsqrt", opcode::rsqrt},
                                 {"pow", opcode::fpowf},
                                 {"atan2", opcode::atan2}};
  constexpr std::pair<const char*, element> kinds[]{{"half", element::f16},
                                                    {"bf16", element::bf16},
                                                    {"float", element::f32},
                                                    {"double", element::f64}};
  for (const function& f : functions) {
    for (const auto& [name, kind] : kinds) {
      within(fmt::format("{}, {}", f.name, name),
             steps(accuracy_of(f.op, {.round = f.round}, kind), kind));
    }
  }
  for (const auto& [name, op] :
       {std::pair{"exp2_flush", opcode::exp2}, {"rsqrt_flush", opcode::rsqrt}}) {
    within_flushed(name,
                   steps(accuracy_of(op, {.flush_to_zero = true}, element::f32), element::f32));
  }
  for (const auto& [name, op] :
       {std::pair{"sqrt_approximate", opcode::sqrt}, {"tanh_approximate", opcode::tanh}}) {
    near(name, 0, accuracy_of(op, {.round = rounding::approx}, element::f32).bound.relative + u);
  }
  // This bound depends on the argument.
  const accuracy exp = accuracy_of(opcode::exp, {.round = rounding::approx}, element::f32);
  for (const int most : {0, 3, 6}) {
    const double argument = std::ldexp(1.0, most);
    within(fmt::format("exp_approximate, float, magnitudes below 2^{}", most),
           std::floor(exp.bound_at(&argument).ulps + 0.5));
  }
}

/// Sums of positive numbers: both are within any order's error of the exact sum.
void sums() {
  constexpr std::pair<const char*, element> kinds[]{{"half", element::f16},
                                                    {"bf16", element::bf16},
                                                    {"float", element::f32},
                                                    {"double", element::f64}};
  const auto apart = [](element kind, std::size_t n) {
    const double error = error_of_order(kind, {}, n);
    return 2 * error / (1 - error); // relative to one of them
  };
  for (const auto& [name, kind] : kinds) {
    const bool wide = kind == element::f32 || kind == element::f64;
    for (const std::size_t n :
         wide ? std::vector<std::size_t>{8, 32, 64, 1024} : std::vector<std::size_t>{8, 32}) {
      near(fmt::format("{}, rows of {}", name, n), 0, apart(kind, n));
    }
  }
  near("along 0, float 16x4x4", 0, apart(element::f32, 16));
  near("along 0, double 4x8x16", 0, apart(element::f64, 4));
  near("sum along 1, float 4x8x16", 0, apart(element::f32, 8));
  near("prod along 0, float 4x8x16", 0, apart(element::f32, 4));
}

/// Products of positive matrices likewise.
void products() {
  struct kind {
    const char* label;
    element operands, result;
  };
  for (const kind& k : {kind{"e4m3 * e4m3 + half", element::f8e4m3, element::f16},
                        kind{"e4m3 * e4m3 + float", element::f8e4m3, element::f32},
                        kind{"e5m2 * e5m2 + half", element::f8e5m2, element::f16},
                        kind{"e5m2 * e5m2 + float", element::f8e5m2, element::f32},
                        kind{"half * half + half", element::f16, element::f16},
                        kind{"half * half + float", element::f16, element::f32},
                        kind{"bf16 * bf16 + float", element::bf16, element::f32},
                        kind{"tf32 * tf32 + float", element::tf32, element::f32}}) {
    const double error = error_of_mma(k.operands, k.result, 128);
    near(k.label, 0, 2 * error / (1 - error));
  }
}

// --------------------------------------------------------------------------------------- kernels
//
// Contraction (without -fmad=false) leaves roundings out and adds none: the bounds hold for it,
// too.

/// out = e / sum of e, with e = exp(x - greatest). The differences are exact: multiples of 1/16
/// below 16. So e has the error of exp; the sum of a row of 512, positive or zero, that and one of
/// its additions; the quotient both, and a rounding.
void softmax() {
  near("out.data()", 0, both([](const functions& f) {
         return compound(of_quotient(f.exp, compound(f.exp, of_only_row(512))), u);
       }));
}

/// The sequences of layer_norm.cu, and what they make, in double.
struct layer_norm_data {
  static constexpr std::size_t rows = 64, width = 128;
  double greatest_reciprocal = 0;          ///< of the standard deviation
  double greatest_normal = 0;              ///< |x - mean| / deviation
  double greatest_c1 = 0, greatest_c2 = 0; ///< the means of normal * w * g, and of w * g
  double greatest_mean_c1 = 0;             ///< of the magnitudes of the former
  double greatest_gradient = 0;            ///< of dx
  double greatest_sum = 0;                 ///< over rows, of |g * normal|

  layer_norm_data() {
    std::vector<double> sums(width);
    for (std::size_t r = 0; r < rows; ++r) {
      add_row(r, sums);
    }
    greatest_sum = *std::max_element(sums.begin(), sums.end());
  }

private:
  void add_row(std::size_t r, std::vector<double>& sums) {
    const auto x = [&](std::size_t c) { return double{noise(r * width + c, 1)}; };
    const auto g = [&](std::size_t c) { return double{noise(r * width + c, 2)}; };
    const auto w = [&](std::size_t c) { return double{noise(c, 3)}; };
    double mean = 0, variance = 0, c1 = 0, c2 = 0, mean_c1 = 0;
    for (std::size_t c = 0; c < width; ++c) {
      mean += x(c) / width;
    }
    for (std::size_t c = 0; c < width; ++c) {
      variance += (x(c) - mean) * (x(c) - mean) / width;
    }
    const double reciprocal = 1 / std::sqrt(variance + double{1e-5F});
    const auto normal = [&](std::size_t c) { return (x(c) - mean) * reciprocal; };
    for (std::size_t c = 0; c < width; ++c) {
      c1 += normal(c) * w(c) * g(c) / width;
      c2 += w(c) * g(c) / width;
      mean_c1 += std::fabs(normal(c) * w(c) * g(c)) / width;
      sums[c] += std::fabs(normal(c) * g(c));
      greatest_normal = std::max(greatest_normal, std::fabs(normal(c)));
    }
    for (std::size_t c = 0; c < width; ++c) {
      const double gradient = (w(c) * g(c) - (normal(c) * c1 + c2)) * reciprocal;
      greatest_gradient = std::max(greatest_gradient, std::fabs(gradient));
    }
    greatest_reciprocal = std::max(greatest_reciprocal, reciprocal);
    greatest_c1 = std::max(greatest_c1, std::fabs(c1));
    greatest_c2 = std::max(greatest_c2, std::fabs(c2));
    greatest_mean_c1 = std::max(greatest_mean_c1, mean_c1);
  }
};

/// Inputs are multiples of 2^-7 below 1. So are sums of 128 of them, below 2^7: exact, as are the
/// mean, a multiple of 2^-14, and x - mean. r = rsqrt(sum of squares / 128 + epsilon): squares,
/// their sum and the addition are rounded, and of that error rsqrt halves.
double error_of_reciprocal(const functions& f) {
  const double argument = compound(u, of_only_row(128), u);
  return compound(argument / 2 / (1 - argument), f.rsqrt);
}

void layer_norm() {
  const layer_norm_data data;
  // y = d r w + b, |b| <= 1: so |d r w| <= |y| + 1. It has the error of r and of two products; the
  // sum is rounded.
  const auto of_product = [](const functions& f) { return compound(error_of_reciprocal(f), u, u); };
  near("y.data()", both(of_product), both([&](const functions& f) {
         return of_product(f) + u * (1 + of_product(f));
       }));
  // dx = (w g - (normal c1 + c2)) r. Products w g and their mean c2 are exact: multiples of 2^-14.
  near("gx.data()", both([&](const functions& f) {
         const double r = error_of_reciprocal(f);
         const double normal = compound(r, u);
         const double c1 = compound(normal, u, of_only_row(128)) * data.greatest_mean_c1;
         const double product =
             data.greatest_normal * (c1 + (data.greatest_c1 + c1) * compound(normal, u));
         const double greatest_subtrahend =
             data.greatest_normal * data.greatest_c1 + data.greatest_c2 + product;
         const double subtrahend = product + u * greatest_subtrahend;
         const double difference = subtrahend + u * (1 + greatest_subtrahend + subtrahend);
         return data.greatest_reciprocal * (1 + r) * difference +
                compound(r, u) * data.greatest_gradient +
                u * data.greatest_reciprocal * (1 + r) * difference;
       }));
  // The gradient of the weights adds up products g * normal, 8 in a block, and 8 blocks atomically,
  // in whatever order: the first to zero each time, 7 roundings. That of the bias adds up multiples
  // of 2^-7 below 64: exact, so that it is compared bit for bit.
  near("gw.data()", both([&](const functions& f) {
         return compound(error_of_reciprocal(f), u, u, any_order(8), any_order(8)) *
                data.greatest_sum;
       }));
}

/// Half of: x r w, where x, w have 8 bits and the sum of squares, 22 bits, is exact. r comes from a
/// division, an addition and rsqrt; two products follow.
void rms_norm() {
  neighbours("y.data()",
             both([](const functions& f) {
               const double argument = compound(u, u);
               return compound(argument / 2 / (1 - argument), f.rsqrt, u, u);
             }),
             0x1p-11);
}

/// bfloat16 of: g / (1 + exp(-g)) * v. The sum has the error of exp at most.
void swiglu() {
  neighbours(
      "out.data()",
      both([](const functions& f) { return compound(of_quotient(0, compound(f.exp, u)), u, u); }),
      0x1p-8);
}

/// out = a cos - b sin and b cos + a sin with |a|, |b| <= 1, of the angle position * exp2(p). Both
/// sides compute the same p, one rounded product. The angle, up to 47, has the error of exp2 and of
/// a product; cosine and sine change no faster than it, and are at most 1.
void rope() {
  near("y.data()", both([](const functions& f) {
         const double angle = 47 * compound(f.exp2, u);
         const double cosine = angle + f.cos * (1 + angle);
         const double sine = angle + f.sin * (1 + angle);
         const double products = cosine + sine + u * (2 + cosine + sine);
         return products + u * (2 + products);
       }));
}

/// Scores are exact: sums of 32 products of 8-bit numbers. Scaled, masked, less the running
/// maximum, both sides round them alike, so that weights differ by the error of exp2 alone. The
/// result is a mean of values |v| <= 1, with weights up to 1 of which the largest is 1: errors of
/// the weighted sum and of the sum of weights, relative to the latter, add up. Each term of either
/// passes four steps at most, of which it is shrunk in three.
void flash_attention() {
  constexpr int steps = 4, keys = 32, length = 100;
  const double product = error_of_mma(element::f16, element::f32, keys);
  near("out.data()", both([&](const functions& f) {
         const double shrunk = compound(f.exp2, u); // by another exp2, in a product
         double total = compound(f.exp2, any_order(keys), u);
         double sum = compound(f.exp2, 0x1p-11, product); // weights are rounded to half
         for (int step = 1; step < steps; ++step) {
           total = compound(total, shrunk, u);
           sum = compound(sum, shrunk, product);
         }
         const double subnormal = length * 0x1p-25; // halves below 2^-14, half a unit each
         return (sum + subnormal + total) / (1 - total) + u;
       }));
}

/// The same in float: scores are exact, and so are their differences, multiples of 2^-17 below 16.
/// A split adds up 32 products of weight and value, shrinks its sum once and adds 32 more; eight
/// splits are weighted and added up, and divided by the sum of the weights.
void flash_decoding() {
  near("out.data()", both([](const functions& f) {
         const double shrunk = compound(f.exp, u);
         const double total = compound(f.exp, any_order(32), shrunk, u);
         const double sum = compound(f.exp, u, any_order(32), shrunk, u);
         const double joined_total = compound(total, f.exp, u, any_order(8));
         const double joined = compound(sum, f.exp, u, any_order(8));
         return (joined + joined_total) / (1 - joined_total) + u;
       }));
}

/// Which token of an expert comes first is open: the lists are compared as sets.
void moe_align() {
  fmt::print("--any-order\nsorted.data()=start.data()\n");
}

/// Functions in `__global__` kernels: what the CUDA programming guide says of the device's
/// [Mathematical Functions: maximum error], and a unit for the host's C library.
void thread_functions() {
  // The fast ones, first, since a bound is of all copies whose name has its own in it. Of arguments
  // below 2^4; logarithms are better beside 1, where an absolute error is documented.
  within("FAST_EXP10", 2 + std::floor(2.97 * 16) + 1);
  within("FAST_EXP", 2 + std::floor(1.173 * 16) + 1);
  within("FAST_DIVIDE", 2 + 1);
  within("FAST_LOG_ABOVE_2", 3 + 1);
  within("FAST_LOG2_ABOVE_2", 2 + 1);
  within("FAST_LOG10_ABOVE_2", 3 + 1);
  near("FAST_LOG_ABOUT_1", std::exp2(-21.41) + u);
  near("FAST_LOG2_ABOUT_1", std::exp2(-22) + u);
  near("FAST_LOG10_ABOUT_1", std::exp2(-24) + u);
  near("FAST_SIN", std::exp2(-21.41) + u);
  near("FAST_COS", std::exp2(-21.19) + u);
  near("FAST_TANH", 0, std::exp2(-11) + u);
  struct function {
    const char* name;
    double ulps;
  };
  constexpr function functions[]{
      {"expf", 1},   {"exp2f", 2}, {"exp10f", 2}, {"expm1f", 1}, {"sinf", 2},   {"cosf", 2},
      {"tanf", 4},   {"atanf", 2}, {"sinhf", 3},  {"coshf", 2},  {"tanhf", 2},  {"erff", 2},
      {"cbrtf", 1},  {"logf", 1},  {"log2f", 1},  {"log10f", 2}, {"log1pf", 1}, {"rsqrtf", 2},
      {"rcbrtf", 1}, {"exp", 1},   {"sin", 2},    {"cos", 2},    {"tanh", 1},   {"atan2f", 3},
      {"atan", 2},   {"cbrt", 1},  {"log", 1},    {"rsqrt", 1},  {"hypotf", 3}, {"powf", 4},
      {"pow", 2}};
  for (const function& f : functions) {
    within(f.name, f.ulps + 1);
  }
}

const std::map<std::string_view, void (*)()> recordings{
    {"arithmetic_approximate", &divisions},
    {"math_functions", &math_functions},
    {"matrices_bound", &products},
    {"reductions_bound", &sums},
    {"threads/approximate", &thread_functions},
    {"kernels/flash_attention", &flash_attention},
    {"kernels/flash_decoding", &flash_decoding},
    {"kernels/layer_norm", &layer_norm},
    {"kernels/moe_align", &moe_align},
    {"kernels/rms_norm", &rms_norm},
    {"kernels/rope", &rope},
    {"kernels/softmax", &softmax},
    {"kernels/swiglu", &swiglu},
};

} // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    fmt::print(stderr, "usage: recording_bounds NAME\n");
    return 64;
  }
  const auto found = recordings.find(argv[1]);
  if (found != recordings.end()) {
    found->second();
  }
  return 0;
}
