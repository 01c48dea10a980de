// Operations on shapes, along a dimension, and of matrices.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/fuzz/kernel_maker.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace tilesim::driver::fuzz {

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

/// A product of small integers: exact whatever order they are added in.
bool kernel_maker::product() {
  const bool eight = random_.once_in(2); // of int8, or of half
  const tile_type in{eight ? i8 : f16, {16, 16}};
  const tile_type out{eight ? i32 : f32, {16, 16}};
  const auto operand = [&]() -> std::optional<std::size_t> {
    const auto from = pick([&](const value& v) {
      return is_integer(v) && v.type.size() == 256 && v.within.low >= -30 && v.within.high <= 30;
    });
    if (!from) {
      return {};
    }
    return add(
        in,
        at(*from).within,
        {*from},
        fmt::format("ct::reshape<shape<16, 16>>(ct::element_cast<{}>({{0}}))", in.of().name));
  };
  const auto a = operand();
  const auto b = a ? operand() : a;
  if (!b) {
    return false;
  }
  const std::size_t c = constant(out, -9, 9);
  const range one = corners(at(*a).within, at(*b).within, [](auto p, auto q) { return p * q; });
  return expression(out,
                    {(16 * one.low) + at(c).within.low, (16 * one.high) + at(c).within.high},
                    {*a, *b, c},
                    "ct::mma({0}, {1}, {2})");
}

} // namespace tilesim::driver::fuzz
