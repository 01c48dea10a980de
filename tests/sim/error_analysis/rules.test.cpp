// The rules of enclosures: what any allowed implementation gives lies within, whatever its operands
// are within theirs. Sampled against the operations themselves, the documented accuracies and MPFR.
//
// One file in spite of its length: every rule is sampled by the same draws, which are half of it.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/error_analysis/combine_rules.hpp"
#include "sim/error_analysis/elementwise_rules.hpp"
#include "sim/ops/accuracy.hpp"
#include "sim/ops/combine.hpp"
#include "sim/ops/elementwise.hpp"
#include "sim/ops/matrix.hpp"
#include "sim/ops/number_format.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <mpfr.h>
#include <random>
#include <string>
#include <support/catch.hpp>
#include <vector>

using namespace tilesim;
using namespace tilesim::sim;
using namespace tilesim::sim::errors;
using machine::opcode;
using machine::rounding;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// A tile of one dimension with what is known of it.
struct tile {
  std::vector<std::uint32_t> extents;
  machine::tile_type type{};
  std::vector<std::byte> cells;
  enclosed_tile known;

  tile(element kind, std::vector<std::uint32_t> shape)
      : extents(std::move(shape)) {
    std::uint32_t count = 1;
    for (const std::uint32_t e : extents) {
      count *= e;
    }
    type = {kind, kind, 0, false, false, static_cast<std::uint8_t>(extents.size()), count, nullptr};
    cells.resize(std::size_t{count} * size_of(kind));
    known = {.kind = kind, .cells = std::vector<enclosure>(count), .products = {}};
  }
  tile(const tile& other)
      : extents(other.extents)
      , type(other.type)
      , cells(other.cells)
      , known(other.known) {}
  tile& operator=(const tile&) = delete;

  [[nodiscard]] const machine::tile_type* with_extents() {
    type.extents = extents.data();
    return &type;
  }
  [[nodiscard]] machine::in in() { return {with_extents(), cells.data()}; }
  [[nodiscard]] machine::out out() { return {with_extents(), cells.data()}; }
  [[nodiscard]] std::byte* cell(std::size_t i) { return cells.data() + (i * size_of(type.elem)); }
  [[nodiscard]] double at(std::size_t i) { return number_at(type.elem, cell(i)); }
  void set(std::size_t i, double x, double lo, double hi) {
    put_number(type.elem, x, cell(i));
    known.cells[i] = {lo, hi, 0};
  }
};

class samples {
public:
  explicit samples(std::uint64_t seed)
      : draw_(seed) {}

  std::size_t below(std::size_t n) {
    return std::uniform_int_distribution<std::size_t>(0, n - 1)(draw_);
  }
  double between(double a, double b) { return std::uniform_real_distribution<double>(a, b)(draw_); }

  /// A number of the format near one of the interesting sizes.
  double number(element kind, double least_exponent, double most_exponent) {
    const double x =
        std::ldexp(between(1, 2), static_cast<int>(between(least_exponent, most_exponent)));
    return nearest_to(kind, below(2) == 0 ? x : -x);
  }
  /// One in an enclosure: often an end.
  double in(element kind, const enclosure& e) {
    const std::size_t which = below(4);
    const double x = which == 0 ? e.lo : which == 1 ? e.hi : nearest_to(kind, between(e.lo, e.hi));
    return std::clamp(x, e.lo, e.hi);
  }
  /// Fills a tile with numbers and enclosures of some width.
  void fill(tile& t, double least_exponent, double most_exponent) {
    const element kind = t.type.elem;
    for (std::size_t i = 0; i < t.type.count; ++i) {
      const double x = below(12) == 0 ? 0 : number(kind, least_exponent, most_exponent);
      // Beyond zero, too, from either side.
      const double size = x == 0 ? std::ldexp(1, static_cast<int>(least_exponent)) : std::fabs(x);
      const double width = below(3) == 0 ? 0 : std::ldexp(size, 1 - static_cast<int>(below(14)));
      t.set(i,
            x,
            nearest_to(kind, x - (width * between(0, 1))),
            nearest_to(kind, x + (width * between(0, 1))));
    }
  }
  tile sampled(tile& from) {
    tile other(from);
    for (std::size_t i = 0; i < from.type.count; ++i) {
      const double x = in(from.type.elem, from.known.cells[i]);
      put_number(from.type.elem, x, other.cell(i));
    }
    return other;
  }
  std::mt19937_64& source() { return draw_; }

private:
  std::mt19937_64 draw_;
};

const because any_reason = [](const char*) { return reason{1}; };

bool holds(const enclosure& e, double x) {
  return e.open != 0 || (std::isnan(e.lo) && std::isnan(x)) || (e.lo <= x && x <= e.hi);
}

struct operation {
  opcode op;
  machine::attributes modes;
  std::size_t operands;
  double least, most; ///< exponents of operands
};

void perform(const operation& o, tile& result, std::vector<tile>& operands) {
  const auto f = ops::find_elementwise(
      o.op, o.modes, result.type.elem, operands[0].type.elem, ops::arithmetic::hardware);
  REQUIRE(f.run != nullptr);
  ops::elementwise_args args{};
  args.result = result.cells.data();
  args.count = result.type.count;
  for (std::size_t k = 0; k < operands.size(); ++k) {
    args.operand[k] = operands[k].cells.data();
  }
  f.run(args);
}

enclosed_tile
enclosed(const operation& o, tile& result, std::vector<tile>& operands, bool contracts = false) {
  std::vector<machine::in> ins;
  for (tile& t : operands) {
    ins.push_back(t.in());
  }
  std::vector<known_operand> known;
  for (std::size_t k = 0; k < operands.size(); ++k) {
    known.push_back({&ins[k], operands[k].known.empty() ? nullptr : &operands[k].known});
  }
  const auto again = [&](const machine::out& given, const machine::in* others) {
    const auto f = ops::find_elementwise(
        o.op, o.modes, result.type.elem, operands[0].type.elem, ops::arithmetic::hardware);
    ops::elementwise_args args{};
    args.result = given.data;
    args.count = given.type->count;
    for (std::size_t k = 0; k < operands.size(); ++k) {
      args.operand[k] = others[k].data;
    }
    f.run(args);
  };
  return enclose_elementwise(
      {.op = o.op, .modes = &o.modes, .again = again}, result.out(), known, contracts, any_reason);
}

const std::array formats{element::f16, element::bf16, element::f32, element::f64};

} // namespace

TEST_CASE("an operation rounded once lies within its enclosure for all operands within theirs") {
  const operation operations[] = {
      {opcode::addf, {}, 2, -4, 4},
      {opcode::addf, {.round = rounding::zero}, 2, -4, 4},
      {opcode::subf, {.round = rounding::positive_inf}, 2, -4, 4},
      {opcode::mulf, {}, 2, -10, 6},
      {opcode::divf, {}, 2, -4, 4},
      {opcode::remf, {}, 2, -2, 4},
      {opcode::fma, {}, 3, -4, 4},
      {opcode::negf, {}, 1, -4, 4},
      {opcode::absf, {}, 1, -4, 4},
      {opcode::maxf, {}, 2, -4, 4},
      {opcode::minf, {.propagate_nan = true}, 2, -4, 4},
      {opcode::ceil, {}, 1, -2, 6},
      {opcode::floor, {}, 1, -2, 6},
      {opcode::sqrt, {}, 1, -4, 4},
  };
  samples draw(1);
  for (const operation& o : operations) {
    for (const element kind : formats) {
      std::size_t open = 0;
      std::size_t all = 0;
      for (int turn = 0; turn < 40; ++turn) {
        std::vector<tile> operands;
        for (std::size_t k = 0; k < o.operands; ++k) {
          operands.emplace_back(kind, std::vector{32U});
          draw.fill(operands.back(), o.least, o.most);
        }
        tile result(kind, {32});
        perform(o, result, operands);
        const enclosed_tile bound = enclosed(o, result, operands);
        for (int sample = 0; sample < 12 && !bound.empty(); ++sample) {
          std::vector<tile> others;
          for (tile& t : operands) {
            others.push_back(draw.sampled(t));
          }
          tile given(kind, {32});
          perform(o, given, others);
          for (std::size_t i = 0; i < 32; ++i) {
            CAPTURE(static_cast<int>(o.op), name(kind), i, bound.cells[i].lo, bound.cells[i].hi);
            CAPTURE(others[0].at(i), operands[0].known.cells[i].lo, operands[0].known.cells[i].hi);
            REQUIRE(holds(bound.cells[i], given.at(i)));
          }
        }
        for (const enclosure& e : bound.cells) {
          open += e.open != 0 ? 1U : 0U;
          ++all;
        }
      }
      // Negative square roots, divisors around zero, quotients that step: but not everything.
      CAPTURE(static_cast<int>(o.op), name(kind), open, all);
      CHECK(open * 4 < all * 3);
    }
  }
}

TEST_CASE("another number of an enclosure lies in it, and is another unless there is none") {
  samples s(11);
  rng drawn(1);
  for (const element kind : {element::f16,
                             element::bf16,
                             element::tf32,
                             element::f32,
                             element::f64,
                             element::f8e4m3,
                             element::f8e5m2}) {
    for (int i = 0; i < 1000; ++i) {
      const auto number = [&] { // every one of these formats has powers of two
        return s.below(2) == 0 || size_of(kind) == 1
                   ? std::ldexp(1, static_cast<int>(s.below(9)) - 5)
                   : s.number(element::bf16, -4, 4);
      };
      const double a = number();
      const double b = number();
      const errors::enclosure e{std::min(a, b), std::max(a, b), 0};
      const double x = another(kind, a, e, drawn);
      CHECK(e.lo <= x);
      CHECK(x <= e.hi);
      CHECK((x != a) == (a != b));
      std::uint64_t bits = 0;
      errors::put_number(kind, x, &bits);
      CHECK(errors::number_at(kind, &bits) == x);
    }
  }
  constexpr double infinity = std::numeric_limits<double>::infinity();
  CHECK(another(element::f32, 1, {1, infinity, 0}, drawn) == 1);
  CHECK(another(element::f32, infinity, {1, infinity, 0}, drawn) == 1);
  CHECK(another(element::f32, 1, errors::opened(3), drawn) == 1);
  CHECK(another(element::i32, 1, {1, 2, 0}, drawn) == 1);
  CHECK(std::isnan(another(element::f32, errors::some_nan().lo, errors::some_nan(), drawn)));
}

TEST_CASE("the ends of an enclosure are met: a sum is no wider than need be") {
  tile a(element::f32, {1});
  tile b(element::f32, {1});
  a.set(0, 1, 1, 1 + 0x1p-20);
  b.set(0, 2, 2, 2);
  std::vector<tile> operands{a, b};
  const operation add{opcode::addf, {}, 2, 0, 0};
  tile result(element::f32, {1});
  perform(add, result, operands);
  const enclosed_tile bound = enclosed(add, result, operands);
  CHECK(bound.cells[0].lo == 3);
  CHECK(bound.cells[0].hi == 3 + 0x1p-20);
}

TEST_CASE("where a decision may turn an element is open") {
  const auto one = [](opcode op,
                      machine::attributes modes,
                      element to,
                      std::vector<enclosure> known,
                      std::vector<double> values) {
    std::vector<tile> operands;
    for (std::size_t k = 0; k < values.size(); ++k) {
      operands.emplace_back(element::f32, std::vector{1U});
      operands.back().set(0, values[k], known[k].lo, known[k].hi);
    }
    const operation o{op, modes, values.size(), 0, 0};
    tile result(to, {1});
    perform(o, result, operands);
    const enclosed_tile bound = enclosed(o, result, operands);
    return !bound.empty() && bound.cells[0].open != 0;
  };
  const machine::attributes less{.pred = machine::predicate::less_than};
  const machine::attributes equal{.pred = machine::predicate::equal};
  CHECK(one(opcode::cmpf, less, element::i1, {{0, 2, 0}, {1, 1, 0}}, {0, 1}));
  CHECK_FALSE(one(opcode::cmpf, less, element::i1, {{0, 0.5, 0}, {1, 1, 0}}, {0, 1}));
  CHECK(one(opcode::cmpf, less, element::i1, {{0, 1, 0}, {1, 1, 0}}, {0, 1})); // 1 < 1 is false
  CHECK(one(opcode::cmpf, equal, element::i1, {{0, 2, 0}, {1, 1, 0}}, {0, 1}));
  CHECK(one(
      opcode::cmpf, equal, element::i1, {{0.5, 2, 0}, {1, 1, 0}}, {0.5, 1})); // within, no corner
  CHECK_FALSE(one(opcode::cmpf, equal, element::i1, {{1.5, 2, 0}, {1, 1, 0}}, {2, 1}));
  CHECK(one(opcode::ftoi, {}, element::i32, {{0.5, 1.5, 0}}, {0.5}));
  CHECK_FALSE(one(opcode::ftoi, {}, element::i32, {{1.25, 1.5, 0}}, {1.5}));
  CHECK(one(opcode::bitcast, {}, element::i32, {{1.25, 1.5, 0}}, {1.5}));
  CHECK(one(opcode::divf, {}, element::f32, {{1, 1, 0}, {-1, 1, 0}}, {1, 1}));
  CHECK(one(opcode::sqrt, {}, element::f32, {{-1, 1, 0}}, {1}));
  CHECK(one(opcode::log, {}, element::f32, {{-1, 1, 0}}, {1}));
  CHECK(one(opcode::tan, {}, element::f32, {{1.5F, 1.6F, 0}}, {1.5F}));
  CHECK_FALSE(one(opcode::tan, {}, element::f32, {{1.25, 1.375, 0}}, {1.25}));
  CHECK(one(opcode::atan2, {}, element::f32, {{-1, 1, 0}, {-2, -2, 0}}, {1, -2}));
  CHECK_FALSE(one(opcode::atan2, {}, element::f32, {{-1, 1, 0}, {2, 2, 0}}, {1, 2}));
  CHECK(one(opcode::remf, {}, element::f32, {{2.5, 3.5, 0}, {3, 3, 0}}, {2.5, 3}));
  CHECK_FALSE(one(opcode::remf, {}, element::f32, {{3.25, 3.5, 0}, {3, 3, 0}}, {3.25, 3}));
}

TEST_CASE("a choice between two that meet is one range; between two that do not, open") {
  tile condition(element::i1, {3});
  tile a(element::f32, {3});
  tile b(element::f32, {3});
  for (std::size_t i = 0; i < 3; ++i) {
    condition.cells[i] = std::byte{1};
    condition.known.cells[i] = i == 2 ? enclosure{} : opened(7);
    a.set(i, 1, 0.5, 1);
    b.set(i, i == 0 ? 0.5 : 0.25, 0.25, i == 0 ? 0.5 : 0.25);
  }
  std::vector<tile> operands{condition, a, b};
  const operation select{opcode::select, {}, 3, 0, 0};
  tile result(element::f32, {3});
  const enclosed_tile bound = enclosed(select, result, operands);
  CHECK(bound.cells[0].open == 0);
  CHECK(bound.cells[0].lo == 0.25);
  CHECK(bound.cells[0].hi == 1);
  CHECK(bound.cells[1].open == 7);
  CHECK(bound.cells[2].lo == 0.5); // it is true, and so are all others
}

namespace {

struct math_row {
  opcode op;
  machine::attributes modes;
  int (*exact)(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t);
  double least, most;
};

/// f(x), from MPFR with 200 bits, to what a long double holds.
long double exactly(const math_row& row, double x) {
  constexpr mpfr_prec_t precision = 200;
  mpfr_t r;
  mpfr_init2(r, precision);
  mpfr_set_d(r, x, MPFR_RNDN);
  row.exact(r, r, MPFR_RNDN);
  const long double result = mpfr_get_ld(r, MPFR_RNDN);
  mpfr_clear(r);
  return result;
}

/// A number some steps of the format from x.
double stepped(element kind, double x, int steps) {
  for (int i = 0; i < std::abs(steps); ++i) {
    const long double unit = ops::unit_at(ops::format_of(kind), x);
    x = steps > 0 ? up_to(kind, x + (unit / 4)) : down_to(kind, x - (unit / 4));
  }
  return x;
}

} // namespace

TEST_CASE("whatever is documented that a math function may give lies within its enclosure") {
  const math_row rows[] = {
      {opcode::exp, {.round = rounding::full}, mpfr_exp, -6, 3},
      {opcode::exp, {.round = rounding::approx}, mpfr_exp, -6, 4},
      {opcode::exp2, {}, mpfr_exp2, -6, 3},
      {opcode::log, {}, mpfr_log, -6, 6},
      {opcode::log2, {}, mpfr_log2, -6, 6},
      {opcode::sin, {}, mpfr_sin, -6, 4},
      {opcode::cos, {}, mpfr_cos, -6, 4},
      {opcode::tan, {}, mpfr_tan, -6, 3},
      {opcode::sinh, {}, mpfr_sinh, -6, 3},
      {opcode::cosh, {}, mpfr_cosh, -6, 3},
      {opcode::tanh, {.round = rounding::full}, mpfr_tanh, -6, 3},
      {opcode::tanh, {.round = rounding::approx}, mpfr_tanh, -6, 3},
      {opcode::rsqrt, {}, mpfr_rec_sqrt, -6, 6},
      {opcode::sqrt, {.round = rounding::approx}, mpfr_sqrt, -6, 6},
  };
  samples draw(2);
  for (const math_row& row : rows) {
    for (const element kind : formats) {
      const ops::accuracy how = ops::accuracy_of(row.op, row.modes, kind);
      if (!how.approximate()) {
        continue; // of some modes only float is approximate
      }
      const operation o{row.op, row.modes, 1, row.least, row.most};
      std::size_t allowed = 0;
      for (int turn = 0; turn < 12; ++turn) {
        std::vector<tile> operands;
        operands.emplace_back(kind, std::vector{32U});
        draw.fill(operands[0], row.least, row.most);
        tile result(kind, {32});
        perform(o, result, operands);
        const enclosed_tile bound = enclosed(o, result, operands);
        REQUIRE_FALSE(bound.empty());
        for (std::size_t i = 0; i < 32; ++i) {
          const double x = draw.in(kind, operands[0].known.cells[i]);
          const long double exact = exactly(row, x);
          if (std::isnan(exact)) {
            REQUIRE(holds(bound.cells[i], std::nan("")));
            continue;
          }
          for (int steps = -6; steps <= 6; ++steps) {
            const double given = stepped(kind, nearest_to(kind, exact), steps);
            if (ops::within(how, kind, exact, &x, given)) {
              ++allowed;
              CAPTURE(static_cast<int>(row.op), name(kind), x, given, steps);
              CAPTURE(bound.cells[i].lo, bound.cells[i].hi, operands[0].at(i));
              REQUIRE(holds(bound.cells[i], given));
            }
          }
        }
      }
      CHECK(allowed > 100);
    }
  }
}

TEST_CASE("a function of an exact number is off by what is documented and half a unit, no more") {
  for (const element kind : {element::f32, element::f64}) {
    std::vector<tile> operands;
    operands.emplace_back(kind, std::vector{1U});
    operands[0].set(0, 0.75, 0.75, 0.75);
    const operation o{opcode::exp2, {}, 1, 0, 0};
    tile result(kind, {1});
    perform(o, result, operands);
    const enclosed_tile bound = enclosed(o, result, operands);
    const double documented = kind == element::f32 ? 3 : 2;
    const double unit = static_cast<double>(ops::unit_at(ops::format_of(kind), result.at(0)));
    CHECK(bound.cells[0].hi - result.at(0) <= documented * unit);
    CHECK(bound.cells[0].hi - result.at(0) >= (documented - 1) * unit);
    CHECK(result.at(0) - bound.cells[0].lo <= documented * unit);
  }
}

TEST_CASE("a division that is approximate: zero beyond 2^126, nothing known below 2^-126") {
  const operation o{opcode::divf, {.round = rounding::approx}, 2, 0, 0};
  const auto divided = [&](double a, double b) {
    std::vector<tile> operands;
    for (const double x : {a, b}) {
      operands.emplace_back(element::f32, std::vector{1U});
      operands.back().set(0, x, x, x);
    }
    tile result(element::f32, {1});
    perform(o, result, operands);
    return enclosed(o, result, operands).cells.at(0);
  };
  CHECK(holds(divided(3, 7), 3.0F / 7.0F));
  CHECK(divided(3, 7).open == 0);
  CHECK(holds(divided(0x1p100, 0x1.8p126), 0));
  CHECK(divided(1, 0x1p-130).open != 0);
}

TEST_CASE("a product that may be contracted is added rounded or unrounded") {
  samples draw(3);
  for (const element kind : formats) {
    for (int turn = 0; turn < 60; ++turn) {
      std::vector<tile> factors;
      for (int k = 0; k < 3; ++k) {
        factors.emplace_back(kind, std::vector{16U});
        draw.fill(factors.back(), -2, 2);
      }
      tile product(kind, {16});
      const operation mul{opcode::mulf, {}, 2, 0, 0};
      const operation add{turn % 2 == 0 ? opcode::addf : opcode::subf, {}, 2, 0, 0};
      std::vector<tile> two{factors[0], factors[1]};
      perform(mul, product, two);
      product.known = enclosed(mul, product, two, true);
      REQUIRE(product.known.products.size() == 16);
      std::vector<tile> summands{product, factors[2]};
      tile sum(kind, {16});
      perform(add, sum, summands);
      const enclosed_tile bound = enclosed(add, sum, summands, true);
      std::vector<tile> others;
      for (tile& t : factors) {
        others.push_back(draw.sampled(t));
      }
      if (add.op == opcode::subf) {
        for (std::size_t i = 0; i < 16; ++i) {
          put_number(kind, -others[2].at(i), others[2].cell(i));
        }
      }
      tile fused(kind, {16});
      perform({opcode::fma, {}, 3, 0, 0}, fused, others);
      for (std::size_t i = 0; i < 16 && !bound.empty(); ++i) {
        CAPTURE(name(kind), bound.cells[i].lo, bound.cells[i].hi);
        REQUIRE(holds(bound.cells[i], fused.at(i)));
      }
    }
  }
}

TEST_CASE("a contracted sum of exact numbers has two results, and no others") {
  std::vector<tile> factors;
  const double values[] = {1 + 0x1p-12, 1 + 0x1p-12, -(1 + 0x1p-11)};
  for (const double x : values) {
    factors.emplace_back(element::f32, std::vector{1U});
    factors.back().set(0, x, x, x);
  }
  tile product(element::f32, {1});
  std::vector<tile> two{factors[0], factors[1]};
  const operation mul{opcode::mulf, {}, 2, 0, 0};
  const operation add{opcode::addf, {}, 2, 0, 0};
  perform(mul, product, two);
  product.known = enclosed(mul, product, two, true);
  std::vector<tile> summands{product, factors[2]};
  tile sum(element::f32, {1});
  perform(add, sum, summands);
  const enclosed_tile bound = enclosed(add, sum, summands, true);
  CHECK(sum.at(0) == 0); // docs/hardware.md: as the source says, and as one fma
  CHECK(bound.cells.at(0).lo == 0);
  CHECK(bound.cells.at(0).hi == 0x1p-24);
}

// ------------------------------------------------------------------------------------- open orders

namespace {

/// A sum in some order and grouping, each step rounded to the format.
double added_up(samples& draw, element kind, std::vector<double> numbers) {
  while (numbers.size() > 1) {
    const std::size_t a = draw.below(numbers.size());
    std::swap(numbers[a], numbers.back());
    const double x = numbers.back();
    numbers.pop_back();
    double& y = numbers[draw.below(numbers.size())];
    y = nearest_to(kind, static_cast<long double>(x) + y);
  }
  return numbers[0];
}

double multiplied(samples& draw, element kind, std::vector<double> numbers) {
  std::shuffle(numbers.begin(), numbers.end(), draw.source());
  double all = numbers[0];
  for (std::size_t i = 1; i < numbers.size(); ++i) {
    all = nearest_to(kind, static_cast<long double>(all) * numbers[i]);
  }
  return all;
}

enclosed_tile
combined(opcode op, opcode body, tile& result, tile& operand, unsigned dim, bool reverse = false) {
  const machine::combination how{body, {}};
  const machine::in in = operand.in();
  const auto perform = [&](const machine::out& given, const machine::in* others) {
    REQUIRE((op == opcode::reduce ? ops::reduce(how, given, others[0], dim)
                                  : ops::scan(how, reverse, given, others[0], dim)));
  };
  perform(result.out(), &in);
  return enclose_combination(
      {.op = op, .combined = &how, .dim = dim, .reverse = reverse, .again = perform},
      result.out(),
      {&in, operand.known.empty() ? nullptr : &operand.known},
      any_reason);
}

} // namespace

TEST_CASE("sums and products in any order lie within the enclosure of reductions and scans") {
  samples draw(4);
  for (const element kind : formats) {
    for (const opcode body : {opcode::addf, opcode::mulf}) {
      for (int turn = 0; turn < 25; ++turn) {
        tile operand(kind, {3, 9, 2});
        body == opcode::addf ? draw.fill(operand, -6, 4) : draw.fill(operand, -1, 1);
        tile total(kind, {3, 1, 2});
        const enclosed_tile sum = combined(opcode::reduce, body, total, operand, 1);
        tile partial(kind, {3, 9, 2});
        const enclosed_tile scan = combined(opcode::scan, body, partial, operand, 1, turn % 2 == 0);
        for (int sample = 0; sample < 10; ++sample) {
          tile other = draw.sampled(operand);
          for (std::size_t lane = 0; lane < 6; ++lane) {
            std::vector<double> so_far;
            for (std::size_t n = 0; n < 9; ++n) {
              const std::size_t k = turn % 2 == 0 ? 8 - n : n;
              const std::size_t at = (lane / 2 * 18) + (k * 2) + (lane % 2);
              so_far.push_back(other.at(at));
              const double some = body == opcode::addf ? added_up(draw, kind, so_far)
                                                       : multiplied(draw, kind, so_far);
              CAPTURE(name(kind), static_cast<int>(body), n, some);
              if (!scan.empty()) {
                REQUIRE(holds(scan.cells[at], some));
              }
              if (n == 8 && !sum.empty()) {
                REQUIRE(holds(sum.cells[lane], some));
              }
            }
          }
        }
      }
    }
  }
}

TEST_CASE("sums that are exact in every order are points") {
  tile operand(element::f32, {64});
  for (std::size_t i = 0; i < 64; ++i) {
    const double x = (static_cast<double>(i * 37 % 64) - 20) * 0x1p-3;
    operand.set(i, x, x, x);
  }
  operand.known = {};
  tile total(element::f32, {1});
  CHECK(combined(opcode::reduce, opcode::addf, total, operand, 0).empty());
  put_number(element::f32, 0x1p30, operand.cell(5)); // now a bit falls off in some order
  CHECK_FALSE(combined(opcode::reduce, opcode::addf, total, operand, 0).empty());
}

TEST_CASE("two numbers have one sum, infinities and NaNs are the same in every order") {
  tile two(element::f32, {2});
  two.set(0, 1, 1, 1);
  two.set(1, 0x1p-30, 0x1p-30, 0x1p-30);
  two.known = {};
  tile total(element::f32, {1});
  CHECK(combined(opcode::reduce, opcode::addf, total, two, 0).empty());
  tile three(element::f32, {3});
  three.set(0, infinity, infinity, infinity);
  three.set(1, 0x1p-30, 0x1p-30, 0x1p-30);
  three.set(2, 1, 1, 1);
  three.known = {};
  CHECK(combined(opcode::reduce, opcode::addf, total, three, 0).empty());
  put_number(element::f32, -infinity, three.cell(1));
  CHECK(combined(opcode::reduce, opcode::addf, total, three, 0).cells.at(0).is_nan()); // some NaN
  // The largest float and itself overflow unless the third comes between.
  tile large(element::f32, {3});
  const double most = std::numeric_limits<float>::max();
  large.set(0, most, most, most);
  large.set(1, most, most, most);
  large.set(2, -most, -most, -most);
  large.known = {};
  CHECK(combined(opcode::reduce, opcode::addf, total, large, 0).cells.at(0).open != 0);
}

TEST_CASE("extrema are as far off as what they are chosen from; an index is known or open") {
  tile operand(element::f32, {4});
  operand.set(0, 1, 0.5, 1.5);
  operand.set(1, 2, 1.25, 2.5);
  operand.set(2, -3, -4, -2);
  operand.set(3, 1, 1, 1);
  tile largest(element::f32, {1});
  const enclosed_tile bound = combined(opcode::reduce, opcode::maxf, largest, operand, 0);
  CHECK(bound.cells.at(0).lo == 1.25);
  CHECK(bound.cells.at(0).hi == 2.5);

  const auto index = [](tile& values) {
    const machine::combination how{opcode::maxf, {}};
    const machine::in in = values.in();
    tile found(element::i32, {1});
    REQUIRE(ops::reduce_index(how, found.out(), in, 0));
    return enclose_combination({.op = opcode::reduce, .combined = &how, .of_index = true},
                               found.out(),
                               {&in, values.known.empty() ? nullptr : &values.known},
                               any_reason);
  };
  CHECK(index(operand).cells.at(0).open != 0); // 1.5 may be more than 1.25
  operand.set(0, 1, 0.5, 1);
  CHECK(index(operand).empty());
  operand.set(0, 1, 0.5, 1.25); // the first of equal ones
  CHECK(index(operand).cells.at(0).open != 0);
  operand.set(0, 1, 0.5, 1);
  operand.set(3, 1, 1, 1.25); // … and it comes first
  CHECK(index(operand).empty());
  put_number(element::f32, std::nan(""), operand.cell(3));
  operand.known = {};
  CHECK(index(operand).cells.at(0).open != 0); // docs/order.md: whether a NaN counts is seen
}

TEST_CASE("products of matrices lie within, in every order and on tensor cores") {
  struct kinds {
    element factors, result;
  };
  const kinds rows[] = {{element::f16, element::f32},
                        {element::bf16, element::f32},
                        {element::f32, element::f32},
                        {element::f64, element::f64},
                        {element::f16, element::f16},
                        {element::f8e4m3, element::f32}};
  samples draw(5);
  for (const kinds& k : rows) {
    std::size_t bounded = 0;
    for (int turn = 0; turn < 4; ++turn) {
      const std::uint32_t rows_of = turn == 3 ? 64 : 16;
      tile lhs(k.factors, {rows_of, 32});
      tile rhs(k.factors, {32, 32});
      tile acc(k.result, {rows_of, 32});
      for (tile* t : {&lhs, &rhs}) {
        for (std::size_t i = 0; i < t->type.count; ++i) {
          put_number(k.factors, draw.between(-4, 4), t->cell(i));
          const double x = t->at(i);
          const double other = turn % 2 == 0 ? x : x * 1.0625;
          std::array<std::byte, 8> rounded{};
          put_number(k.factors, other, rounded.data());
          const double y = number_at(k.factors, rounded.data());
          t->known.cells[i] = {std::min(x, y), std::max(x, y), 0};
        }
      }
      draw.fill(acc, -2, 3);
      const auto perform = [&](tile& result,
                               tile& l,
                               tile& r,
                               tile& a,
                               ops::combining_order order,
                               ops::arithmetic arith) {
        REQUIRE(ops::mma(opcode::mmaf, {}, {}, result.out(), l.in(), r.in(), a.in(), order, arith));
      };
      tile result(k.result, {rows_of, 32});
      perform(result, lhs, rhs, acc, {}, ops::arithmetic::page);
      const machine::in ins[] = {lhs.in(), rhs.in(), acc.in()};
      const known_operand known[] = {
          {&ins[0], &lhs.known}, {&ins[1], &rhs.known}, {&ins[2], &acc.known}};
      const enclosed_tile bound =
          enclose_matrix({.op = opcode::mmaf}, result.out(), known, any_reason);
      REQUIRE_FALSE(bound.empty());
      for (std::uint64_t sample = 0; sample < 6; ++sample) {
        tile l = draw.sampled(lhs);
        tile r = draw.sampled(rhs);
        tile a = draw.sampled(acc);
        tile given(k.result, {rows_of, 32});
        const bool hardware = sample % 2 == 0;
        perform(given,
                l,
                r,
                a,
                {.random = !hardware, .seed = sample},
                hardware ? ops::arithmetic::hardware : ops::arithmetic::page);
        for (std::size_t i = 0; i < given.type.count; ++i) {
          CAPTURE(
              name(k.factors), name(k.result), bound.cells[i].lo, bound.cells[i].hi, given.at(i));
          REQUIRE(holds(bound.cells[i], given.at(i)));
          bounded += bound.cells[i].open == 0 ? 1U : 0U;
        }
      }
    }
    CHECK(bounded > 1000);
  }
}

TEST_CASE("products of matrices of small whole numbers are exact in every order") {
  tile lhs(element::f16, {16, 16});
  tile rhs(element::f16, {16, 16});
  tile acc(element::f32, {16, 16});
  for (std::size_t i = 0; i < 256; ++i) {
    put_number(element::f16, static_cast<double>(i % 7) - 3, lhs.cell(i));
    put_number(element::f16, static_cast<double>(i % 5) - 2, rhs.cell(i));
    put_number(element::f32, static_cast<double>(i % 11), acc.cell(i));
  }
  tile result(element::f32, {16, 16});
  const machine::in ins[] = {lhs.in(), rhs.in(), acc.in()};
  REQUIRE(ops::mma(opcode::mmaf, {}, {}, result.out(), ins[0], ins[1], ins[2]));
  const known_operand known[] = {{&ins[0], nullptr}, {&ins[1], nullptr}, {&ins[2], nullptr}};
  CHECK(enclose_matrix({.op = opcode::mmaf}, result.out(), known, any_reason).empty());
}

// -------------------------------------------------------------------------------- whole programs

TEST_CASE("random programs whose operations are perturbed stay within their enclosures") {
  // Straight lines of operations: once as they are computed here, with enclosures, and often as
  // another machine might, every approximate result another one that is documented, every sum in
  // another order.
  const operation menu[] = {
      {opcode::addf, {}, 2, 0, 0},
      {opcode::subf, {}, 2, 0, 0},
      {opcode::mulf, {}, 2, 0, 0},
      {opcode::divf, {}, 2, 0, 0},
      {opcode::fma, {}, 3, 0, 0},
      {opcode::maxf, {}, 2, 0, 0},
      {opcode::absf, {}, 1, 0, 0},
      {opcode::sin, {}, 1, 0, 0},
      {opcode::cos, {}, 1, 0, 0},
      {opcode::tanh, {.round = rounding::full}, 1, 0, 0},
      {opcode::sqrt, {}, 1, 0, 0},
      {opcode::exp2, {}, 1, 0, 0},
      {opcode::log2, {}, 1, 0, 0},
      {opcode::rsqrt, {}, 1, 0, 0},
  };
  constexpr std::uint32_t width = 8;
  std::size_t bounded = 0;
  std::size_t varied = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    samples draw(1000 + seed);
    const element kind = seed % 3 == 0 ? element::f64 : element::f32;
    struct line {
      std::size_t op; ///< of the menu; one more: a sum over the tile, spread again
      std::array<std::size_t, 3> from;
    };
    std::vector<line> program;
    for (std::size_t n = 0; n < 10; ++n) {
      program.push_back({draw.below(std::size(menu) + 1), {}});
      for (std::size_t& f : program.back().from) {
        f = draw.below(2 + n);
      }
    }
    std::vector<tile> inputs;
    for (int k = 0; k < 2; ++k) {
      inputs.emplace_back(kind, std::vector{width});
      draw.fill(inputs.back(), -2, 2);
      for (std::size_t i = 0; i < width; ++i) {
        const double x = inputs.back().at(i);
        inputs.back().set(i, x, x, x);
      }
      inputs.back().known = {};
    }
    const auto run = [&](bool perturbed, samples& other) {
      std::vector<tile> values{inputs[0], inputs[1]};
      for (const line& l : program) {
        tile result(kind, {width});
        if (l.op == std::size(menu)) {
          tile& operand = values[l.from[0]];
          tile total(kind, {1});
          const enclosed_tile bound = combined(opcode::reduce, opcode::addf, total, operand, 0);
          std::vector<double> numbers;
          for (std::size_t i = 0; i < width; ++i) {
            numbers.push_back(operand.at(i));
          }
          const double sum = perturbed ? added_up(other, kind, numbers) : total.at(0);
          for (std::size_t i = 0; i < width; ++i) {
            put_number(kind, sum, result.cell(i));
          }
          result.known = {};
          if (!bound.empty()) {
            result.known = {
                .kind = kind, .cells = std::vector(width, bound.cells[0]), .products = {}};
          }
        } else {
          const operation& o = menu[l.op];
          std::vector<tile> operands;
          for (std::size_t k = 0; k < o.operands; ++k) {
            operands.push_back(values[l.from[k]]);
          }
          perform(o, result, operands);
          result.known = perturbed ? enclosed_tile{} : enclosed(o, result, operands);
          const ops::accuracy how = ops::accuracy_of(o.op, o.modes, kind);
          for (std::size_t i = 0; i < width && perturbed && how.approximate(); ++i) {
            // At most what is documented, from the correctly rounded result.
            const int most = static_cast<int>(how.bound.ulps - 0.5);
            const double x = stepped(
                kind,
                result.at(i),
                static_cast<int>(other.below((2 * static_cast<std::size_t>(most)) + 1)) - most);
            put_number(kind, x, result.cell(i));
          }
        }
        values.push_back(result);
      }
      return values;
    };
    std::vector<tile> here = run(false, draw);
    for (std::uint64_t again = 0; again < 20; ++again) {
      samples other((seed * 1000) + again);
      std::vector<tile> there = run(true, other);
      for (std::size_t v = 0; v < here.size(); ++v) {
        for (std::size_t i = 0; i < width; ++i) {
          const enclosure e = here[v].known.empty() ? point(here[v].at(i)) : here[v].known.cells[i];
          CAPTURE(seed, again, v, i, e.lo, e.hi, here[v].at(i), there[v].at(i));
          REQUIRE(holds(e, there[v].at(i)));
          bounded += e.open == 0 && !e.is_point() ? 1U : 0U;
          varied += here[v].at(i) != there[v].at(i) ? 1U : 0U;
        }
      }
    }
  }
  CHECK(bounded > 50000); // the test tests something
  CHECK(varied > 20000);
}
