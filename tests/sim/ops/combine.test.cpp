// Reductions and scans: the page's rules and the documented order.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/ops/combine.hpp"

#include "apply.hpp"
#include "samples.hpp"
#include "shaped.hpp"
#include "sim/fp/cells.hpp"
#include "sim/ops/accuracy.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <set>
#include <support/catch.hpp>

namespace tilesim::test {
namespace {

namespace ops = sim::ops;
using machine::combination;
using machine::signedness;
using ops::combining_order;

constexpr float inf = std::numeric_limits<float>::infinity();
constexpr float nan = std::numeric_limits<float>::quiet_NaN();

/// One element of each, combined by the elementwise operation.
template <class T>
T combined(const combination& how, element kind, T a, T b) {
  const auto f = ops::find_elementwise(how.body, how.modes, kind, kind);
  T result{};
  f.run({&result, {&a, &b, nullptr}, {}, 1});
  return result;
}

/// The threads of an H200 that hold elements of one lane, and the values in them.
template <class T>
using held = std::map<std::size_t, T>;

/// Combines what threads hold with what those hold whose number is `distance` higher.
template <class T>
void combine_across(const combination& how, element kind, held<T>& threads, std::size_t distance) {
  held<T> left;
  for (const auto& [number, value] : threads) {
    const auto other = threads.find(number ^ distance);
    if (other == threads.end()) {
      left[number] = value;
    } else if ((number & distance) == 0) {
      left[number] = combined(how, kind, value, other->second);
    }
  }
  threads = std::move(left);
}

/// The reduction of a lane, written down as docs/order.md has it: elements in 128 threads, row
/// after row, or column after column if they are fewer than 128. `places` are the elements' numbers
/// in the tile, in that order.
template <class T>
T by_threads(const combination& how,
             element kind,
             const std::vector<T>& x,
             const std::vector<std::size_t>& places) {
  held<T> threads;
  for (std::size_t k = 0; k < x.size(); ++k) {
    const auto [at, is_first] = threads.try_emplace(places[k] % 128, x[k]);
    at->second = is_first ? x[k] : combined(how, kind, at->second, x[k]);
  }
  for (const std::size_t distance : {16U, 8U, 4U, 2U, 1U, 64U, 32U}) {
    combine_across(how, kind, threads, distance);
  }
  REQUIRE(threads.size() == 1);
  return threads.begin()->second;
}

/// The scan of a lane, written down likewise: places count column after column.
template <class T>
std::vector<T> scanned_by_warps(const combination& how,
                                element kind,
                                const std::vector<T>& x,
                                const std::vector<std::size_t>& places) {
  std::vector<T> result;
  for (std::size_t first = 0; first < x.size();) {
    std::size_t end = first;
    while (end < x.size() && places[end] / 32 == places[first] / 32) {
      ++end;
    }
    std::vector<T> warp(x.begin() + static_cast<std::ptrdiff_t>(first),
                        x.begin() + static_cast<std::ptrdiff_t>(end));
    for (std::size_t distance = 1; distance < warp.size(); distance *= 2) {
      const std::vector<T> before = warp;
      for (std::size_t k = distance; k < warp.size(); ++k) {
        warp[k] = combined(how, kind, before[k - distance], before[k]);
      }
    }
    const std::vector<T> so_far = result;
    for (const T& value : warp) {
      result.push_back(so_far.empty() ? value : combined(how, kind, so_far.back(), value));
    }
    first = end;
  }
  return result;
}

/// The numbers of a lane's elements when those of the tile are counted column after column.
std::vector<std::size_t> by_columns(const std::vector<std::uint32_t>& shape,
                                    const std::vector<std::size_t>& lane) {
  std::vector<std::size_t> numbers;
  for (std::size_t index : lane) {
    std::size_t number = 0;
    for (std::size_t k = shape.size(); k > 0; --k) { // the last dimension is the slowest now
      std::size_t stride = 1;
      for (std::size_t before = 0; before + 1 < k; ++before) {
        stride *= shape[before];
      }
      number += index % shape[k - 1] * stride;
      index /= shape[k - 1];
    }
    numbers.push_back(number);
  }
  return numbers;
}

template <class T>
T reduced(const combination& how, element kind, std::vector<T> x, combining_order order = {}) {
  const auto n = static_cast<std::uint32_t>(x.size());
  const shaped<T> from(kind, {n}, std::move(x));
  shaped<T> to(kind, {1});
  REQUIRE(ops::reduce(how, to, from, 0, order));
  return to.cells[0];
}

template <class T>
std::vector<T> scanned(const combination& how,
                       element kind,
                       std::vector<T> x,
                       bool reverse = false,
                       combining_order order = {}) {
  const auto n = static_cast<std::uint32_t>(x.size());
  const shaped<T> from(kind, {n}, std::move(x));
  shaped<T> to(kind, {n});
  REQUIRE(ops::scan(how, reverse, to, from, 0, order));
  return to.cells;
}

template <class T>
std::vector<T> random_cells(std::size_t count, std::uint64_t seed) {
  generator next(seed);
  std::vector<T> x(count);
  for (auto& v : x) {
    v = static_cast<T>(next());
  }
  return x;
}
std::vector<float> random_floats(std::size_t count, std::uint64_t seed) {
  generator next(seed);
  std::vector<float> x(count);
  for (auto& v : x) {
    v = static_cast<float>(static_cast<double>(next() >> 11) * 0x1p-53 - 0.5);
  }
  return x;
}

const combination add_floats{opcode::addf, {}};
const combination multiply_floats{opcode::mulf, {}};
const combination add_integers{opcode::addi, {}};

const std::vector<std::vector<std::uint32_t>> shapes{{1},
                                                     {2},
                                                     {8},
                                                     {1024},
                                                     {2, 4},
                                                     {4, 1},
                                                     {1, 16},
                                                     {512, 4},
                                                     {4, 512},
                                                     {64, 64},
                                                     {64},
                                                     {256},
                                                     {2, 32},
                                                     {32, 2},
                                                     {8, 8},
                                                     {32, 4},
                                                     {16, 16},
                                                     {2, 4, 8},
                                                     {8, 1, 32}};

} // namespace

// [reductions and scans: sum] The guide's example: sum(iota<int 2x4>, 1_ic) is [[6],[22]].
TEST_CASE("a sum of rows and of columns", "[ops][reduce]") {
  const shaped<std::int32_t> iota(element::i32, {2, 4}, {0, 1, 2, 3, 4, 5, 6, 7});
  shaped<std::int32_t> rows(element::i32, {2, 1});
  REQUIRE(ops::reduce(add_integers, rows, iota, 1));
  CHECK(rows.cells == std::vector<std::int32_t>{6, 22});
  shaped<std::int32_t> columns(element::i32, {1, 4});
  REQUIRE(ops::reduce(add_integers, columns, iota, 0));
  CHECK(columns.cells == std::vector<std::int32_t>{4, 6, 8, 10});
}

// Integer bodies give one result in every order.  [reductions and scans]
TEST_CASE("integer reductions are loops, along every dimension", "[ops][reduce]") {
  const auto op = GENERATE(opcode::addi,
                           opcode::muli,
                           opcode::maxi,
                           opcode::mini,
                           opcode::andi,
                           opcode::ori,
                           opcode::xori);
  const auto sign = GENERATE(signedness::signed_, signedness::unsigned_);
  const combination how{op, {.sign = sign}};
  const combining_order order = GENERATE(combining_order{}, combining_order{true, 7});
  for (const auto& shape : shapes) {
    shaped<std::int16_t> x(element::i16, shape);
    x.cells = random_cells<std::int16_t>(x.cells.size(), shape.size());
    for (unsigned dim = 0; dim < shape.size(); ++dim) {
      shaped<std::int16_t> got(element::i16, flattened(shape, dim));
      REQUIRE(ops::reduce(how, got, x, dim, order));
      shaped<std::int16_t> prefix(element::i16, shape), suffix(element::i16, shape);
      REQUIRE(ops::scan(how, false, prefix, x, dim, order));
      REQUIRE(ops::scan(how, true, suffix, x, dim, order));
      std::size_t number = 0;
      int wrong = 0;
      for (const auto& lane : lanes_of(shape, dim)) {
        std::int16_t sum = x.cells[lane.front()];
        wrong += prefix.cells[lane.front()] != sum;
        for (std::size_t k = 1; k < lane.size(); ++k) {
          sum = combined(how, element::i16, sum, x.cells[lane[k]]);
          wrong += prefix.cells[lane[k]] != sum;
        }
        wrong += got.cells[number++] != sum;
        std::int16_t back = x.cells[lane.back()];
        wrong += suffix.cells[lane.back()] != back;
        for (std::size_t k = lane.size() - 1; k-- > 0;) {
          back = combined(how, element::i16, back, x.cells[lane[k]]);
          wrong += suffix.cells[lane[k]] != back;
        }
      }
      CAPTURE(dim, shape);
      CHECK(wrong == 0);
    }
  }
}

TEST_CASE("all elements widths and bool", "[ops][reduce]") {
  CHECK(reduced<std::uint8_t>(
            {opcode::addi, {.sign = signedness::unsigned_}}, element::i1, {1, 1, 1, 0}) == 1);
  CHECK(reduced<std::uint8_t>({opcode::andi, {}}, element::i1, {1, 1, 1, 0}) == 0);
  CHECK(reduced<std::uint8_t>({opcode::ori, {}}, element::i1, {0, 0, 1, 0}) == 1);
  CHECK(reduced<std::int8_t>(add_integers, element::i8, {100, 27, -100, -27}) == 0);
  CHECK(reduced<std::int64_t>({opcode::mini, {}}, element::i64, {3, INT64_MIN, 5, 0}) == INT64_MIN);
  CHECK(reduced<std::uint64_t>({opcode::maxi, {.sign = signedness::unsigned_}},
                               element::i64,
                               {3, UINT64_MAX, 5, 0}) == UINT64_MAX);
}

// [docs/order.md] Recorded: tests/gpu/reductions_order.cu.
TEST_CASE("floating-point reductions go by registers, lanes and warps, bit for bit",
          "[ops][reduce]") {
  const auto op = GENERATE(opcode::addf, opcode::mulf);
  const auto round = GENERATE(machine::rounding::nearest_even,
                              machine::rounding::zero,
                              machine::rounding::negative_inf,
                              machine::rounding::positive_inf);
  const bool flush = GENERATE(false, true);
  const combination how{op, {.round = round, .flush_to_zero = flush}};
  for (const auto& shape : shapes) {
    shaped<float> x(element::f32, shape);
    x.cells = random_floats(x.cells.size(), shape.size());
    for (unsigned dim = 0; dim < shape.size(); ++dim) {
      shaped<float> got(element::f32, flattened(shape, dim));
      REQUIRE(ops::reduce(how, got, x, dim));
      std::size_t number = 0;
      int wrong = 0;
      for (const auto& lane : lanes_of(shape, dim)) {
        std::vector<float> elements;
        for (const std::size_t i : lane) {
          elements.push_back(x.cells[i]);
        }
        const auto places = x.cells.size() < 128 ? by_columns(shape, lane) : lane;
        wrong += got.cells[number++] != by_threads(how, element::f32, elements, places);
      }
      CAPTURE(dim, shape);
      CHECK(wrong == 0);
    }
  }
}

// Measured: half sums add up in half; 2048 + 1 is a tie there.
TEST_CASE("half sums are rounded to half at each step", "[ops][reduce]") {
  const auto half = [](float x) { return sim::fp::narrow<sim::fp::f16>(x).bits; };
  std::vector<std::uint16_t> x(16, half(0));
  x[0] = half(2048);
  std::fill(x.begin() + 1, x.begin() + 9, half(1));
  CHECK(reduced(add_floats, element::f16, x) == half(2054));
  const auto prefix = scanned(add_floats, element::f16, x);
  CHECK(prefix[1] == half(2048));
  CHECK(prefix[2] == half(2050)); // the two ones have met before
}

// [constant wrappers and flags] The modes are those of each addition.
TEST_CASE("modes reach every step", "[ops][reduce]") {
  const float tiny = 0x1p-30F;
  const std::vector<float> x{1, tiny, tiny, tiny};
  CHECK(reduced({opcode::addf, {.round = machine::rounding::positive_inf}}, element::f32, x) ==
        1 + 0x1p-22F); // (1 + tiny) + (tiny + tiny), up twice
  CHECK(reduced(add_floats, element::f32, x) == 1);
  const float subnormal = 0x1p-127F;
  CHECK(reduced<float>(
            {opcode::addf, {.flush_to_zero = true}}, element::f32, {subnormal, subnormal}) == 0);
  CHECK(reduced<float>(add_floats, element::f32, {subnormal, subnormal}) == 0x1p-126F);
  CHECK(reduced<float>({opcode::maxf, {}}, element::f32, {nan, 1, -inf, nan}) == 1);
  CHECK(std::isnan(
      reduced<float>({opcode::maxf, {.propagate_nan = true}}, element::f32, {nan, 1, -inf, 2})));
  CHECK(std::isnan(reduced<float>({opcode::maxf, {}}, element::f32, {nan, nan, nan, nan})));
  CHECK(std::signbit(reduced<float>({opcode::minf, {}}, element::f32, {0, -0.0F, 0, 0})));
  // No identity takes part: a lone -0 stays one, a lone subnormal is not flushed.
  CHECK(std::signbit(reduced<float>(add_floats, element::f32, {-0.0F})));
  CHECK(reduced<float>({opcode::addf, {.flush_to_zero = true}}, element::f32, {subnormal}) ==
        subnormal);
}

TEST_CASE("scans go from one end to the other", "[ops][scan]") {
  CHECK(scanned<std::int32_t>(add_integers, element::i32, {1, 2, 3, 4}) ==
        std::vector<std::int32_t>{1, 3, 6, 10});
  CHECK(scanned<std::int32_t>(add_integers, element::i32, {1, 2, 3, 4}, true) ==
        std::vector<std::int32_t>{10, 9, 7, 4});
  CHECK(scanned<float>(multiply_floats, element::f32, {1, 2, 3, 4}, true) ==
        std::vector<float>{24, 24, 12, 4});
}

// [docs/order.md] Recorded: tests/gpu/reductions_order.cu.
TEST_CASE("floating-point scans go by lanes and warps, bit for bit", "[ops][scan]") {
  const bool reverse = GENERATE(false, true);
  const auto op = GENERATE(opcode::addf, opcode::mulf);
  const combination how{op, {}};
  for (const auto& shape : shapes) {
    shaped<float> x(element::f32, shape), got(element::f32, shape);
    x.cells = random_floats(x.cells.size(), shape.size());
    for (unsigned dim = 0; dim < shape.size(); ++dim) {
      REQUIRE(ops::scan(how, reverse, got, x, dim));
      int wrong = 0;
      for (auto lane : lanes_of(shape, dim)) {
        const auto places = by_columns(shape, lane); // a backward scan counts from its end
        if (reverse) {
          std::reverse(lane.begin(), lane.end());
        }
        std::vector<float> elements;
        for (const std::size_t i : lane) {
          elements.push_back(x.cells[i]);
        }
        const auto expected = scanned_by_warps(how, element::f32, elements, places);
        for (std::size_t k = 0; k < lane.size(); ++k) {
          wrong += got.cells[lane[k]] != expected[k];
        }
      }
      CAPTURE(dim, shape);
      CHECK(wrong == 0);
    }
  }
}

namespace {

/// Differences between one lane scanned by itself and the same lane as a column among others, which
/// goes through the elementwise operation step by step.
template <class T>
int scans_that_differ(const combination& how, element kind, bool reverse, std::uint64_t seed) {
  constexpr std::uint32_t columns = 128;
  int wrong = 0;
  for (const std::uint32_t length : {1U, 2U, 8U, 64U}) {
    shaped<T> wide(kind, {length, columns}), expected(kind, {length, columns});
    wide.cells = random_cells<T>(wide.cells.size(), seed + length);
    REQUIRE(ops::scan(how, reverse, expected, wide, 0));
    for (std::uint32_t c = 0; c < columns; ++c) {
      std::vector<T> lane(length), column(length);
      for (std::uint32_t k = 0; k < length; ++k) {
        lane[k] = wide.cells[k * columns + c];
        column[k] = expected.cells[k * columns + c];
      }
      wrong += scanned(how, kind, lane, reverse) != column ? 1 : 0;
    }
  }
  return wrong;
}

} // namespace

// Any bits: NaNs with payloads, infinities, subnormals, integers that wrap. As bits, so that every
// NaN counts.
TEST_CASE("a lane by itself is scanned as it is among others, bit for bit", "[ops][scan]") {
  const bool reverse = GENERATE(false, true);
  for (const opcode body : {opcode::addi, opcode::muli}) {
    CAPTURE(reverse, static_cast<int>(body));
    const combination how{body, {.wrap = machine::overflow::no_signed_wrap}};
    CHECK(scans_that_differ<std::uint8_t>(how, element::i8, reverse, 1) == 0);
    CHECK(scans_that_differ<std::uint16_t>(how, element::i16, reverse, 2) == 0);
    CHECK(scans_that_differ<std::uint32_t>(how, element::i32, reverse, 3) == 0);
    CHECK(scans_that_differ<std::uint64_t>(how, element::i64, reverse, 4) == 0);
  }
  using machine::rounding;
  for (const opcode body : {opcode::addf, opcode::mulf}) {
    for (const rounding mode : {rounding::nearest_even, rounding::positive_inf}) {
      for (const bool flush : {false, true}) {
        CAPTURE(reverse, static_cast<int>(body), static_cast<int>(mode), flush);
        const combination how{body, {.round = mode, .flush_to_zero = flush}};
        CHECK(scans_that_differ<std::uint32_t>(how, element::f32, reverse, 5) == 0);
        if (!flush) {
          CHECK(scans_that_differ<std::uint16_t>(how, element::f16, reverse, 6) == 0);
          CHECK(scans_that_differ<std::uint16_t>(how, element::bf16, reverse, 7) == 0);
          CHECK(scans_that_differ<std::uint64_t>(how, element::f64, reverse, 8) == 0);
        }
      }
    }
  }
}

TEST_CASE("small integers add up exactly in every order", "[ops][reduce]") {
  const std::uint64_t seed = GENERATE(range(std::uint64_t{0}, std::uint64_t{40}));
  const combining_order order{true, seed};
  std::vector<float> x(1024);
  generator next(seed);
  for (auto& v : x) {
    v = static_cast<float>(static_cast<int>(next() % 2001) - 1000);
  }
  const float exact = std::accumulate(x.begin(), x.end(), 0.0F);
  CHECK(reduced(add_floats, element::f32, x, order) == exact);
  const std::vector<float> prefix = scanned(add_floats, element::f32, x, false, order);
  const std::vector<float> suffix = scanned(add_floats, element::f32, x, true, order);
  float sum = 0;
  int wrong = 0;
  for (std::size_t k = 0; k < x.size(); ++k) {
    wrong += suffix[k] != exact - sum;
    sum += x[k];
    wrong += prefix[k] != sum;
  }
  CHECK(wrong == 0);
}

TEST_CASE("a random order gives other roundings, within the bound, the same for the same seed",
          "[ops][reduce]") {
  const std::vector<float> x = random_floats(512, 3);
  double exact = 0, magnitude = 0;
  for (const float v : x) {
    exact += static_cast<double>(v);
    magnitude += std::fabs(static_cast<double>(v));
  }
  const double bound = ops::error_of_order(element::f32, {}, x.size()) * magnitude;
  std::set<float> sums, totals;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const float sum = reduced(add_floats, element::f32, x, {true, seed});
    CHECK(std::fabs(static_cast<double>(sum) - exact) <= bound);
    CHECK(sum == reduced(add_floats, element::f32, x, {true, seed}));
    sums.insert(sum);
    const float total = scanned(add_floats, element::f32, x, false, {true, seed}).back();
    CHECK(std::fabs(static_cast<double>(total) - exact) <= bound);
    totals.insert(total);
  }
  CHECK(sums.size() > 5);
  CHECK(totals.size() > 5);
}

// Three elements: each can come last, and a scan can begin at either end.
TEST_CASE("every order comes up", "[ops][reduce]") {
  const float big = 0x1p24F;
  std::map<float, int> sums, scans;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    // 1 + 1 first: 2^24 + 2, else 2^24 twice.
    ++sums[reduced<float>(add_floats, element::f32, {big, 1, 1}, {true, seed})];
    ++scans[scanned<float>(add_floats, element::f32, {big, 1, 1, 0}, false, {true, seed}).back()];
  }
  CHECK(sums.size() == 2);
  CHECK(scans.size() == 2);
  CHECK(sums[big + 2] > 20);
  CHECK(sums[big] > 20);
}

// A scan keeps the order of its elements: of these, only neighbours can meet first.
TEST_CASE("a random scan only groups", "[ops][scan]") {
  const float big = 0x1p24F;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    // 1 and -1 never meet 1 and 1: whatever the grouping, big comes between.
    const float got =
        scanned<float>(add_floats, element::f32, {1, big, 1, -big}, false, {true, seed}).back();
    CHECK((got == 0 || got == 1 || got == 2));
    CHECK(scanned<float>(add_floats, element::f32, {1, big, 1, -big}, false, {true, seed})[1] ==
          big);
  }
}

TEST_CASE("there is no sum of what has no arithmetic", "[ops][reduce]") {
  shaped<std::uint64_t> x(element::ptr, {4}), y(element::ptr, {1});
  shaped<std::uint32_t> index(element::i32, {1});
  CHECK_FALSE(ops::reduce(add_integers, y, x, 0));
  CHECK_FALSE(ops::scan(add_floats, false, x, x, 0));
  CHECK_FALSE(ops::reduce_index({opcode::maxi, {}}, index, x, 0));
  CHECK_FALSE(ops::reduce_index({opcode::maxf, {}}, index, x, 0));
}

// ------------------------------------------------------------------------ max_element, min_element

namespace {

template <class T>
std::uint32_t
index_of(const combination& how, element kind, std::vector<T> x, combining_order order = {}) {
  const auto n = static_cast<std::uint32_t>(x.size());
  const shaped<T> from(kind, {n}, std::move(x));
  shaped<std::uint32_t> to(element::i32, {1});
  REQUIRE(ops::reduce_index(how, to, from, 0, order));
  return to.cells[0];
}

} // namespace

// [reductions and scans: max_element, min_element]
TEST_CASE("the first of equal extrema wins", "[ops][reduce]") {
  const combining_order order =
      GENERATE(combining_order{}, combining_order{true, 1}, combining_order{true, 2});
  const combination largest{opcode::maxi, {}}, smallest{opcode::mini, {}};
  CHECK(index_of<std::int32_t>(largest, element::i32, {1, 9, 9, 3}, order) == 1);
  CHECK(index_of<std::int32_t>(smallest, element::i32, {4, 2, 2, 2}, order) == 1);
  CHECK(index_of<std::int32_t>(largest, element::i32, {5, 5, 5, 5}, order) == 0);
  CHECK(index_of<std::int8_t>(largest, element::i8, {-1, 1, 0, -128}, order) == 1);
  CHECK(index_of<std::uint8_t>({opcode::maxi, {.sign = signedness::unsigned_}},
                               element::i8,
                               {255, 1, 0, 128},
                               order) == 0);
  CHECK(index_of<std::uint8_t>(largest, element::i1, {0, 1, 0, 1}, order) == 1);
  CHECK(index_of<std::int64_t>(smallest, element::i64, {0, INT64_MIN, INT64_MAX, -1}, order) == 1);
  CHECK(index_of<float>({opcode::maxf, {}}, element::f32, {0, -0.0F, 0, -0.0F}, order) == 0);
  CHECK(index_of<float>({opcode::minf, {}}, element::f32, {0, -inf, inf, -inf}, order) == 1);
  CHECK(index_of<double>({opcode::minf, {}}, element::f64, {0, 1, -1e300, 0}, order) == 2);
  CHECK(index_of<std::uint16_t>(
            {opcode::maxf, {}}, element::f16, {0x3c00, 0x4000, 0xc000, 0x4000}, order) == 1);
  CHECK(index_of<std::uint16_t>(
            {opcode::minf, {}}, element::bf16, {0x3f80, 0x4000, 0xc000, 0x4000}, order) == 2);
}

TEST_CASE("a NaN is no extremum, all NaN gives 0", "[ops][reduce]") {
  const combination how{GENERATE(opcode::maxf, opcode::minf), {}};
  CHECK(index_of<float>(how, element::f32, {nan, 3, nan, 3}) == 1);
  CHECK(index_of<float>(how, element::f32, {3, nan, nan, nan}) == 0);
  CHECK(index_of<float>(how, element::f32, {nan, nan, nan, nan}) == 0);
  CHECK(index_of<float>(how, element::f32, {nan, nan, inf, nan}) == 2);
  // NVIDIA's body keeps a NaN that comes first; so the order shows.
  std::set<std::uint32_t> seen;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    seen.insert(index_of<float>(how, element::f32, {nan, 3, nan, 3}, {true, seed}));
  }
  CHECK(seen.size() > 1);
}

TEST_CASE("an extremum of each lane, against the standard library", "[ops][reduce]") {
  for (const auto& shape : shapes) {
    shaped<std::int16_t> x(element::i16, shape);
    generator next(5);
    for (auto& v : x.cells) {
      v = static_cast<std::int16_t>(next() % 7);
    }
    for (unsigned dim = 0; dim < shape.size(); ++dim) {
      shaped<std::uint32_t> most(element::i32, flattened(shape, dim)),
          least(element::i32, flattened(shape, dim));
      REQUIRE(ops::reduce_index({opcode::maxi, {}}, most, x, dim));
      REQUIRE(ops::reduce_index({opcode::mini, {}}, least, x, dim));
      std::size_t number = 0;
      int wrong = 0;
      for (const auto& lane : lanes_of(shape, dim)) {
        const auto less = [&](std::size_t a, std::size_t b) { return x.cells[a] < x.cells[b]; };
        wrong +=
            most.cells[number] != std::max_element(lane.begin(), lane.end(), less) - lane.begin();
        wrong +=
            least.cells[number] != std::min_element(lane.begin(), lane.end(), less) - lane.begin();
        ++number;
      }
      CHECK(wrong == 0);
    }
  }
}

} // namespace tilesim::test
