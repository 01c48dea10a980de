// Operations of floating point, and promises of values.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/fuzz/kernel_maker.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tilesim::tools::fuzz {

// --- Floating point

bool kernel_maker::rounded() {
  const auto a = pick([](const value& v) { return is_float(v) && v.type.element >= f32; });
  if (!a) {
    return false;
  }
  const std::size_t b = like(*a);
  const char* const rounding = random_.one_of({"round_ties_to_even",
                                               "round_toward_zero",
                                               "round_toward_negative",
                                               "round_toward_positive"});
  const char* const subnormals =
      at(*a).type.element == f32
          ? random_.one_of({"preserve_subnormals", "round_subnormals_to_zero"})
          : "preserve_subnormals";
  const std::string modes = fmt::format("{}_t{{}}, ct::{}_t{{}}", rounding, subnormals);
  return expression(at(*a).type,
                    all_of(at(*a).type.of()),
                    {*a, b},
                    fmt::format("ct::{}({{0}}, {{1}}, ct::{})",
                                random_.one_of({"add", "sub", "mul", "div"}),
                                modes));
}

bool kernel_maker::fused() {
  const auto a = pick_floats();
  if (!a) {
    return false;
  }
  const std::size_t b = like(*a);
  const std::size_t c = like(*a);
  const range product = corners(at(*a).within, at(b).within, [](auto p, auto q) { return p * q; });
  const range z = at(c).within;
  return expression(at(*a).type,
                    {product.low + z.low, product.high + z.high, product.any || z.any},
                    {*a, b, c},
                    "ct::fma({0}, {1}, {2})");
}

bool kernel_maker::exact_function() {
  const auto a = pick_floats();
  if (!a) {
    return false;
  }
  const range x = at(*a).within;
  if (random_.once_in(3)) {
    return expression(at(*a).type, all_of(at(*a).type.of()), {*a}, "ct::sqrt({0})");
  }
  return expression(at(*a).type,
                    {std::floor(x.low), std::ceil(x.high), x.any},
                    {*a},
                    fmt::format("ct::{}({{0}})", random_.one_of({"floor", "ceil"})));
}

bool kernel_maker::approximate_function() {
  if (!wishes_.approximate) {
    return false;
  }
  const auto a = pick([](const value& v) { return is_float(v) && v.type.element >= f32; });
  if (!a) {
    return false;
  }
  return expression(
      at(*a).type,
      all_of(at(*a).type.of()),
      {*a},
      fmt::format("ct::{}({{0}})",
                  random_.one_of({"exp", "exp2", "log", "log2", "sin", "cos", "tanh", "rsqrt"})));
}

// --- What is promised of a value

bool kernel_maker::assumption() {
  // NVIDIA's compiler takes bounds that the signed type of the width holds, of unsigned ones too.
  const auto a = pick([](const value& v) {
    const unsigned bits = v.type.of().bits - 1;
    return is_integer(v) && v.within.low >= -1e9L && v.within.high <= 1e9L &&
           v.within.high < std::exp2(static_cast<long double>(bits));
  });
  if (!a) {
    return false;
  }
  const tile_type type = at(*a).type;
  const range x = at(*a).within;
  const auto low = static_cast<long long>(std::floor(x.low));
  const auto high = static_cast<long long>(std::ceil(x.high));
  const long double times = random_.one_of({2.0L, 8.0L, 16.0L});
  switch (random_.below(4)) {
  case 0:
    return expression(type, x, {*a}, fmt::format("ct::assume_bounded<{}, {}>({{0}})", low, high));
  case 1:
    return expression(type, x, {*a}, fmt::format("ct::assume_bounded_above<{}>({{0}})", high));
  case 2:
    return type.of().is_signed &&
           expression(type, x, {*a}, fmt::format("ct::assume_bounded_below<{}>({{0}})", low));
  default:
    return expression(
        type,
        {x.low * times, x.high * times},
        {*a},
        fmt::format("ct::assume_divisible<{0}>({{0}} * ct::full<{1}>(static_cast<{2}>({0})))",
                    static_cast<int>(times),
                    text_of(type),
                    type.of().name));
  }
}

/// Groups of neighbours that are the same.
bool kernel_maker::assumed_blocked() {
  tile_type type{random_.one_of({i32, u32, i64}), {random_.one_of({16U, 64U, 128U})}};
  const unsigned group = random_.one_of({2U, 4U, 8U});
  const auto groups = type.size() / group;
  return expression(
      type,
      {0, static_cast<long double>(groups - 1)},
      {},
      fmt::format(
          "ct::assume_blocked<shape<{0}>>(ct::iota<{1}>() / ct::full<{1}>(static_cast<{2}>({0})))",
          group,
          text_of(type),
          type.of().name));
}

} // namespace tilesim::tools::fuzz
