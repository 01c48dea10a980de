// Operations on shapes, along a dimension, and of matrices.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/fuzz/kernel_maker.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <string_view>

namespace tilesim::tools::fuzz {

namespace {

constexpr unsigned largest_tile = 1024; ///< elements

std::vector<unsigned> without_ones(const std::vector<unsigned>& shape) {
  std::vector<unsigned> rest;
  std::ranges::copy_if(shape, std::back_inserter(rest), [](unsigned e) { return e != 1; });
  return rest;
}

} // namespace

// --- Shapes

bool kernel_maker::reshaped() {
  const auto a = pick([](const value& v) { return v.type.size() > 1; });
  if (!a) {
    return false;
  }
  tile_type type = at(*a).type;
  unsigned left = type.size();
  type.shape.clear();
  const std::size_t rank = 1 + random_.below(3);
  for (std::size_t d = 0; d + 1 < rank; ++d) {
    unsigned e = 1;
    while (e < left && !random_.once_in(3)) {
      e *= 2;
    }
    type.shape.push_back(e);
    left /= e;
  }
  type.shape.push_back(left);
  return expression(
      type, at(*a).within, {*a}, fmt::format("ct::reshape<{}>({{0}})", text_of(type.shape)));
}

bool kernel_maker::permuted() {
  const auto a = pick([](const value& v) { return v.type.shape.size() >= 2; });
  if (!a) {
    return false;
  }
  tile_type type = at(*a).type;
  if (type.shape.size() == 2) {
    std::swap(type.shape[0], type.shape[1]);
    return expression(type, at(*a).within, {*a}, "ct::transpose({0})");
  }
  std::vector<unsigned> map(type.shape.size());
  for (unsigned d = 0; d < map.size(); ++d) {
    const std::size_t other = random_.below(d + 1);
    map[d] = map[other];
    map[other] = d;
  }
  const std::vector<unsigned> before = type.shape;
  for (std::size_t d = 0; d < map.size(); ++d) {
    type.shape[d] = before[map[d]];
  }
  return expression(type,
                    at(*a).within,
                    {*a},
                    fmt::format("ct::permute<ct::dimension_map<{}>>({{0}})", fmt::join(map, ", ")));
}

bool kernel_maker::broadcast() {
  const auto a = pick([](const value& v) {
    return v.type.size() <= largest_tile / 2 && v.type.shape.size() <= 3 &&
           (v.type.shape.size() < 3 || std::ranges::find(v.type.shape, 1U) != v.type.shape.end());
  });
  if (!a) {
    return false;
  }
  tile_type type = at(*a).type;
  if (const auto one = std::ranges::find(type.shape, 1U); one != type.shape.end()) {
    *one = random_.one_of({2U, 4U});
  } else {
    type.shape.insert(type.shape.begin(), 2);
  }
  if (type.size() > largest_tile) {
    return false;
  }
  return expression(
      type, at(*a).within, {*a}, fmt::format("ct::broadcast<{}>({{0}})", text_of(type.shape)));
}

bool kernel_maker::joined() {
  const auto a = pick(
      [](const value& v) { return !v.type.shape.empty() && v.type.size() <= largest_tile / 2; });
  if (!a) {
    return false;
  }
  const std::size_t b = like(*a);
  tile_type type = at(*a).type;
  const std::size_t d = random_.below(type.shape.size());
  type.shape[d] *= 2;
  return expression(type,
                    both(at(*a).within, at(b).within),
                    {*a, b},
                    fmt::format("ct::cat<{}>({{0}}, {{1}})", d));
}

bool kernel_maker::part() {
  const auto a = pick([](const value& v) { return v.type.size() > 1; });
  if (!a) {
    return false;
  }
  tile_type type = at(*a).type;
  std::vector<std::size_t> index;
  for (unsigned& e : type.shape) {
    const unsigned pieces = e > 1 && random_.once_in(2) ? 2 : 1;
    e /= pieces;
    index.push_back(random_.below(pieces));
  }
  return expression(
      type,
      at(*a).within,
      {*a},
      fmt::format("ct::extract({{0}}, {}{{}}, {})", text_of(type.shape), fmt::join(index, ", ")));
}

// --- Reductions, scans, products

bool kernel_maker::reduced() {
  const auto a = pick([](const value& v) { return !without_ones(v.type.shape).empty(); });
  if (!a) {
    return false;
  }
  tile_type type = at(*a).type;
  const std::size_t d = random_.below(type.shape.size());
  const unsigned length = type.shape[d];
  type.shape[d] = 1;
  const range x = at(*a).within;
  const auto by = [&](const char* what) { return fmt::format("ct::{}<{}>({{0}})", what, d); };
  if (type.element == boolean) {
    return expression(type, {0, 1}, {*a}, by(random_.one_of({"all_of", "any_of"})));
  }
  switch (random_.below(4)) {
  case 0:
    return expression(type, x, {*a}, by(random_.one_of({"reduce_max", "reduce_min"})));
  case 1:
    type.element = u32;
    if (x.any) {
      return false; // which of several that are no number is nobody's promise
    }
    return expression(type,
                      {0, static_cast<long double>(length) - 1},
                      {*a},
                      by(random_.one_of({"max_element", "min_element"})));
  case 2:
    if (!is_integer(at(*a))) {
      return wishes_.approximate && expression(type, all_of(type.of()), {*a}, by("sum"));
    }
    return expression(type,
                      {std::min(x.low * length, x.low), std::max(x.high * length, x.high)},
                      {*a},
                      by("sum"));
  default:
    if (!is_integer(at(*a))) {
      return false;
    }
    return expression(type,
                      all_of(type.of()),
                      {*a},
                      by(random_.one_of({"reduce_bitand", "reduce_bitor", "reduce_bitxor"})));
  }
}

bool kernel_maker::scanned() {
  const auto a =
      pick([](const value& v) { return is_integer(v) && !without_ones(v.type.shape).empty(); });
  if (!a) {
    return false;
  }
  const tile_type type = at(*a).type;
  const std::size_t d = random_.below(type.shape.size());
  const range x = at(*a).within;
  const long double n = type.shape[d];
  return expression(type,
                    {std::min(x.low * n, x.low), std::max(x.high * n, x.high)},
                    {*a},
                    fmt::format("ct::partial_sum<{}{}>({{0}})",
                                d,
                                random_.once_in(2) ? ", ct::scan_direction::backward" : ""));
}

/// A sum of floats that are whole numbers small enough for it to be exact in any order.
bool kernel_maker::exact_sum() {
  const std::size_t element = random_.one_of({f16, bf16, f32, f64});
  const long double exact = std::exp2(static_cast<long double>(scalars[element].bits));
  const auto a = pick([&](const value& v) {
    return is_integer(v) && !v.type.shape.empty() &&
           std::max(-v.within.low, v.within.high) * v.type.size() <= exact;
  });
  if (!a) {
    return false;
  }
  tile_type type = at(*a).type;
  type.element = element;
  const std::size_t d = random_.below(type.shape.size());
  const long double n = type.shape[d];
  const range x = at(*a).within;
  const range sum{std::min(x.low * n, x.low), std::max(x.high * n, x.high)};
  const std::string numbers = fmt::format("ct::element_cast<{}>({{0}})", type.of().name);
  const char* const direction =
      random_.one_of({"", "ct::scan_forward_t{}", "ct::scan_backward_t{}"});
  const char* const rounding =
      random_.one_of({"", ", ct::round_ties_to_even_t{}", ", ct::round_toward_zero_t{}"});
  if (random_.once_in(2)) {
    return expression(type,
                      sum,
                      {*a},
                      fmt::format("ct::partial_sum({}, ct::integral_constant<{}>{{}}{}{})",
                                  numbers,
                                  d,
                                  *direction == 0 ? "" : ", ",
                                  direction));
  }
  type.shape[d] = 1;
  return expression(
      type,
      sum,
      {*a},
      fmt::format("ct::sum({}, ct::integral_constant<{}>{{}}{})", numbers, d, rounding));
}

/// Products of a few small integers.
bool kernel_maker::powers() {
  const auto a = pick([](const value& v) {
    return is_integer(v) && !v.type.shape.empty() && v.type.of().bits >= 32 && v.within.low >= -3 &&
           v.within.high <= 3;
  });
  const auto wide = a ? a : pick([](const value& v) {
    return is_integer(v) && !v.type.shape.empty() && v.type.of().bits >= 32;
  });
  if (!wide) {
    return false;
  }
  tile_type type = at(*wide).type;
  const std::size_t d = random_.below(type.shape.size());
  if (type.shape[d] > 16) {
    return false;
  }
  // Any of an integer's values becomes one of a few by its lowest bits.
  const std::string small =
      a ? "{0}"
        : fmt::format("({{0}} & ct::full<{}>(static_cast<{}>(3)))", text_of(type), type.of().name);
  const long double most = std::pow(3.0L, static_cast<long double>(type.shape[d]));
  const range within{type.of().is_signed ? -most : 0, most};
  if (random_.once_in(2)) {
    return expression(type, within, {*wide}, fmt::format("ct::partial_prod<{}>({})", d, small));
  }
  type.shape[d] = 1;
  return expression(type, within, {*wide}, fmt::format("ct::prod<{}>({})", d, small));
}

namespace {

/// Types of a product of matrices, and how large whole numbers may be whose sums are exact in any
/// order, and after each step.
struct product_types {
  const char* operand;
  std::size_t result;
  long double most;
};

constexpr std::array products{product_types{"signed char", i32, 30},
                              product_types{"unsigned char", i32, 30},
                              product_types{"__half", f32, 30},
                              product_types{"__half", f16, 5},
                              product_types{"__nv_bfloat16", f32, 30},
                              product_types{"__nv_tf32", f32, 30},
                              product_types{"float", f32, 30},
                              product_types{"double", f64, 30}};

} // namespace

/// A product of small integers: exact whatever order they are added in.
bool kernel_maker::product() {
  const product_types types = products.at(random_.below(products.size()));
  using shapes = std::array<std::vector<unsigned>, 3>;
  static const std::vector<shapes> all{
      {{{16, 16}, {16, 16}, {16, 16}}},
      {{{16, 16}, {16, 16}, {16, 16}}},
      {{{8, 32}, {32, 8}, {8, 8}}},
      {{{1, 16, 16}, {1, 16, 16}, {1, 16, 16}}},
      {{{4, 8, 8}, {4, 8, 8}, {4, 8, 8}}},
  };
  const shapes& shape = random_.one_of(all);
  const long double low = types.operand == std::string_view("unsigned char") ? 0 : -types.most;
  const auto operand = [&] {
    return pick([&](const value& v) {
      return is_integer(v) && v.type.size() == 256 && v.within.low >= low &&
             v.within.high <= types.most;
    });
  };
  const auto a = operand();
  const auto b = a ? operand() : a;
  if (!b) {
    return false;
  }
  const auto text = [&](std::size_t i) {
    return fmt::format(
        "ct::reshape<{}>(ct::element_cast<{}>({{{}}}))", text_of(shape.at(i)), types.operand, i);
  };
  const tile_type out{types.result, shape[2]};
  const range one = corners(at(*a).within, at(*b).within, [](auto p, auto q) { return p * q; });
  const long double k = shape[0].back();
  const range sum{std::min(k * one.low, one.low), std::max(k * one.high, one.high)};
  // That of half is half, in which not every such sum is exact.
  const bool half = types.operand == std::string_view("__half");
  if (half == (types.result == f16) && random_.once_in(4)) {
    return expression(out, sum, {*a, *b}, fmt::format("ct::matmul({}, {})", text(0), text(1)));
  }
  const std::size_t c = constant(out, -9, 9);
  return expression(out,
                    {sum.low + at(c).within.low, sum.high + at(c).within.high},
                    {*a, *b, c},
                    fmt::format("ct::mma({}, {}, {{2}})", text(0), text(1)));
}

} // namespace tilesim::tools::fuzz
