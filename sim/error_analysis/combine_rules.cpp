// The rules of sums in an open order, and of extrema.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/error_analysis/combine_rules.hpp"

#include "sim/ops/accuracy.hpp"
#include "sim/ops/number_format.hpp"
#include "sim/ops/slices.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

namespace tilesim::sim::errors {

namespace {

using machine::in;
using machine::opcode;
using machine::out;
using ops::lanes;

constexpr long double long_infinity = std::numeric_limits<long double>::infinity();

long double least_normal(element kind) noexcept {
  return ops::least_normal(ops::format_of(kind));
}

/// The smallest number of a format.
long double least_number(element kind) noexcept {
  return ops::unit_at(ops::format_of(kind), 0);
}

const std::byte* cell(const void* data, element kind, std::size_t i) noexcept {
  return static_cast<const std::byte*>(data) + (i * size_of(kind));
}

} // namespace

namespace {

enclosure known(double x) noexcept {
  return std::isnan(x) ? some_nan() : point(x);
}

} // namespace

int lowest_bit(double x) noexcept {
  if (x == 0 || !std::isfinite(x)) {
    return 1 << 20;
  }
  constexpr int digits = std::numeric_limits<double>::digits;
  int exponent = 0;
  const double part = std::frexp(std::fabs(x), &exponent);
  const auto bits = static_cast<std::uint64_t>(std::ldexp(part, digits));
  return exponent - digits + std::countr_zero(bits);
}

void open_sum::note(long double lo, long double hi, int lowest) noexcept {
  ++count_;
  const long double size = std::max(std::fabs(lo), std::fabs(hi));
  if (std::isnan(lo) || std::isnan(hi)) {
    nan_ = true;
  } else if (std::isinf(size)) {
    above_ |= hi == long_infinity;
    below_ |= lo == -long_infinity;
  } else {
    lo_ += lo;
    hi_ += hi;
    magnitude_ += size;
    lowest_ = std::min(lowest_, lowest);
  }
}

void open_sum::add(const enclosure& e) noexcept {
  open_ = open_ != 0 ? open_ : e.open;
  points_ = points_ && e.is_certain();
  note(e.lo, e.hi, lowest_bit(e.lo));
}

void open_sum::add_product(const enclosure& a, const enclosure& b) noexcept {
  open_ = open_ != 0 ? open_ : a.open != 0 ? a.open : b.open;
  if (a.is_certain() && b.is_certain()) {
    const long double p = static_cast<long double>(a.lo) * b.lo;
    note(p, p, p == 0 ? 1 << 20 : lowest_bit(a.lo) + lowest_bit(b.lo));
    return;
  }
  points_ = false;
  long double lo = long_infinity;
  long double hi = -long_infinity;
  bool nan = false;
  for (const long double x : {a.lo, a.hi}) {
    for (const long double y : {b.lo, b.hi}) {
      const long double p = x * y;
      nan |= std::isnan(p);
      lo = std::min(lo, p);
      hi = std::max(hi, p);
    }
  }
  note(nan ? std::numeric_limits<long double>::quiet_NaN() : lo, hi, 0);
}

enclosure open_sum::enclosed(element kind,
                             const rounding_errors& errors,
                             double nominal,
                             const because& why) const {
  if (open_ != 0) {
    return opened(open_);
  }
  const ops::number_format f = ops::format_of(kind);
  const bool special = nan_ || above_ || below_;
  if (special) {
    return points_ ? known(nominal) : opened(why("a sum of what may be infinite"));
  }
  const bool few = count_ <= 1 || (count_ == 2 && errors.one_rounding);
  if (points_ &&
      (few || magnitude_ <= std::ldexp(1.0L, std::min(lowest_, 1 << 14) + errors.kept_bits))) {
    return point(nominal);
  }
  // What this sum itself is off: a rounding of 2^-64 each.
  const long double here = std::ldexp(static_cast<long double>(count_ + 1), -63) * magnitude_;
  const long double error = (errors.relative * 1.000001L * magnitude_) + errors.absolute + here;
  if (!(magnitude_ + error < std::ldexp(1.0L, f.end) - std::ldexp(1.0L, f.end - f.precision))) {
    return opened(why("a sum that overflows in some order"));
  }
  enclosure e = count_ <= 1 ? enclosure{static_cast<double>(lo_), static_cast<double>(hi_), 0}
                            : enclosure{up_to(kind, lo_ - error), down_to(kind, hi_ + error), 0};
  e.include(nominal);
  return e;
}

namespace {

// --------------------------------------------------------------------------- reductions and scans

class combination_rule {
public:
  combination_rule(const computation& how,
                   const out& result,
                   const known_operand& operand,
                   const because& why)
      : how_(how)
      , result_(result)
      , operand_(operand)
      , why_(why)
      , kind_(operand.tile->type->elem)
      , lanes_(*operand.tile->type, how.dim) {}

  enclosed_tile enclosed() {
    if (how_.combined == nullptr) { // a body of its own: nobody knows what it does to errors
      return operand_.known == nullptr && !is_floating(result_.type->elem)
                 ? enclosed_tile{}
                 : all_open("a body of several operations, in an open order");
    }
    const opcode body = how_.combined->body;
    tile_ = points_of({result_.type, result_.data});
    if (how_.of_index) {
      indices();
    } else if (body == opcode::addf || body == opcode::mulf) {
      open_orders(body == opcode::addf);
    } else if (operand_.known == nullptr) {
      return {};
    } else if (body == opcode::maxf || body == opcode::minf) {
      extrema();
    } else {
      spread_open();
    }
    return tile_.is_exact() ? enclosed_tile{} : std::move(tile_);
  }

private:
  enclosed_tile all_open(const char* what) {
    enclosed_tile all{.kind = result_.type->elem, .cells = {}, .products = {}};
    all.cells.assign(result_.type->count, opened(why_(what)));
    return all;
  }

  /// Calls f(outer, inner) for each lane.
  template <class F>
  void each_lane(const F& f) const {
    for (std::size_t o = 0; o < lanes_.outer; ++o) {
      for (std::size_t i = 0; i < lanes_.inner; ++i) {
        f(o, i);
      }
    }
  }

  /// Calls f(element of the operand, element of the result or nothing) along a lane.
  template <class F>
  void along(std::size_t o, std::size_t i, const F& f) const {
    for (std::size_t n = 0; n < lanes_.length; ++n) {
      const std::size_t k = how_.reverse ? lanes_.length - 1 - n : n;
      const bool scans = how_.op == opcode::scan;
      const bool last = n + 1 == lanes_.length;
      f(lanes_.at(o, k, i), scans || last, scans ? lanes_.at(o, k, i) : (o * lanes_.inner) + i);
    }
  }

  [[nodiscard]] double nominal(std::size_t at) const noexcept {
    return number_at(kind_, cell(result_.data, kind_, at));
  }

  void open_orders(bool adds) {
    each_lane([&](std::size_t o, std::size_t i) {
      open_sum sum;
      open_product product;
      along(o, i, [&](std::size_t from, bool gives, std::size_t to) {
        const enclosure e = operand_.at(from);
        adds ? sum.add(e) : product.add(e);
        if (gives) {
          tile_.cells[to] = adds ? summed(sum, nominal(to)) : product.enclosed(*this, nominal(to));
        }
      });
    });
  }

  enclosure summed(const open_sum& sum, double nominal_sum) const {
    const machine::attributes& modes = how_.combined->modes;
    const auto n = static_cast<long double>(sum.count());
    return sum.enclosed(kind_,
                        {.relative = ops::error_of_order(kind_, modes, sum.count()),
                         .absolute = modes.flush_to_zero ? n * least_normal(kind_) : 0,
                         .kept_bits = ops::format_of(kind_).precision,
                         .one_rounding = true},
                        nominal_sum,
                        why_);
  }

  /// Factors, whose product in any order is asked for.
  struct open_product {
    long double lo = 1, hi = 1;
    long double large = 1, small = 1; ///< of the factors above 1, and below
    std::size_t count = 0;
    bool points = true, zero = false, special = false;
    reason open = 0;

    void add(const enclosure& e) noexcept {
      open = open != 0 ? open : e.open;
      points = points && e.is_certain();
      special |= !std::isfinite(e.lo) || !std::isfinite(e.hi);
      zero |= e.is_point() && e.lo == 0;
      ++count;
      const long double most = greatest_magnitude(e);
      const long double least = least_magnitude(e);
      large *= std::max(most, 1.0L);
      small *= e.is_point() && e.lo == 0 ? 1.0L : std::min(least, 1.0L);
      const long double ends[] = {lo * e.lo, lo * e.hi, hi * e.lo, hi * e.hi};
      lo = std::min({ends[0], ends[1], ends[2], ends[3]});
      hi = std::max({ends[0], ends[1], ends[2], ends[3]});
    }

    [[nodiscard]] enclosure enclosed(const combination_rule& rule, double nominal) const {
      const element kind = rule.kind_;
      if (open != 0) {
        return opened(open);
      }
      if (points && (count <= 2 || special || zero)) {
        // One rounding; or infinities and zeros, which every order has, or NaNs.
        return large < std::ldexp(1.0L, ops::format_of(kind).end - 1) || count <= 2
                   ? point(nominal)
                   : opened(rule.why_("a product that overflows in some order"));
      }
      if (special || !(large < std::ldexp(1.0L, ops::format_of(kind).end - 1)) ||
          small < least_normal(kind)) {
        return opened(rule.why_("a product that overflows or underflows in some order"));
      }
      const long double relative =
          ops::error_of_order(kind, rule.how_.combined->modes, count) * 1.000001L +
          std::ldexp(static_cast<long double>(count), -62);
      enclosure e{up_to(kind, lo - (relative * std::fabs(lo))),
                  down_to(kind, hi + (relative * std::fabs(hi))),
                  0};
      e.include(nominal);
      return e;
    }
  };

  /// Monotone, in any order: performed on the ends.
  void extrema() {
    const element kind = kind_;
    const in& tile = *operand_.tile;
    const std::size_t size = size_of(kind);
    for (const bool up : {false, true}) {
      const auto* const from = static_cast<const std::byte*>(tile.data);
      std::vector<std::byte> moved(from, from + (size * tile.type->count));
      for (std::size_t i = 0; i < operand_.known->cells.size(); ++i) {
        if (const enclosure& e = operand_.known->cells[i]; e.open == 0 && !e.is_point()) {
          put_number(kind, up ? e.hi : e.lo, moved.data() + (i * size));
        }
      }
      std::vector<std::byte> given(size * result_.type->count);
      const in other{tile.type, moved.data()};
      how_.again({result_.type, given.data()}, &other);
      for (std::size_t i = 0; i < tile_.cells.size(); ++i) {
        tile_.cells[i].include(number_at(kind, given.data() + (i * size)));
      }
    }
    spread_open();
  }

  void spread_open() {
    if (operand_.known == nullptr) {
      return;
    }
    each_lane([&](std::size_t o, std::size_t i) {
      reason open = 0;
      along(o, i, [&](std::size_t from, bool gives, std::size_t to) {
        open = open != 0 ? open : operand_.known->cells[from].open;
        if (gives && open != 0) {
          tile_.cells[to] = opened(open);
        }
      });
    });
  }

  /// The index is known if no other element can come before the one that was found.
  void indices() {
    const bool largest = how_.combined->body == opcode::maxf || how_.combined->body == opcode::maxi;
    each_lane([&](std::size_t o, std::size_t i) {
      const std::size_t to = (o * lanes_.inner) + i;
      std::int32_t found = 0;
      std::memcpy(&found, cell(result_.data, result_.type->elem, to), sizeof found);
      const enclosure best = operand_.at(lanes_.at(o, static_cast<std::size_t>(found), i));
      reason open = best.open;
      for (std::size_t k = 0; k < lanes_.length && open == 0; ++k) {
        const enclosure e = operand_.at(lanes_.at(o, k, i));
        open = e.open;
        if (!is_floating(kind_) || open != 0 || k == static_cast<std::size_t>(found)) {
          continue;
        }
        const double ahead = largest ? best.lo - e.hi : e.lo - best.hi;
        const bool equal = largest ? best.lo == e.hi : e.lo == best.hi; // infinities, too
        const bool sure = equal ? k > static_cast<std::size_t>(found) : ahead > 0;
        if (!sure &&
            !(best.is_point() && e.is_point() && !std::isnan(best.lo) && !std::isnan(e.lo))) {
          open = why_(std::isnan(e.lo) || std::isnan(best.lo)
                          ? "the index of an extremum, with a NaN among the elements"
                          : "the index of an extremum among numbers that may be off");
        }
      }
      if (open != 0) {
        tile_.cells[to] = opened(open);
      }
    });
  }

  const computation& how_;
  const out& result_;
  const known_operand& operand_;
  const because& why_;
  const element kind_;
  const lanes lanes_;
  enclosed_tile tile_;
};

// ------------------------------------------------------------------------- products of matrices

/// tf32 operands that have more bits than conversions leave are cut off to ten.
enclosure as_multiplied(element kind, const enclosure& e) noexcept {
  constexpr std::uint32_t cut = 0x1fff;
  if (kind != element::tf32 || !std::isfinite(e.lo) || !std::isfinite(e.hi)) {
    return e;
  }
  const auto low = [](double x) {
    return std::bit_cast<std::uint32_t>(static_cast<float>(x)) & cut;
  };
  if (low(e.lo) == 0 && low(e.hi) == 0) {
    return e;
  }
  constexpr double off = 0x1p-10;
  return {e.lo - (off * std::fabs(e.lo)), e.hi + (off * std::fabs(e.hi)), e.open};
}

/// How many bits a sum may have that nothing cuts off, on tensor cores or not.
int kept_bits(element operands, element result) noexcept {
  switch (result) {
  case element::f64:
    return 53;
  case element::f16:
    return operands == element::f16 ? 11 : 10;
  default:
    return size_of(operands) == 1 ? 12 : 24;
  }
}

/// The two factors of a product of matrices, and what of them meets in an element of it.
class matrix_factors {
public:
  matrix_factors(const known_operand& lhs, const known_operand& rhs)
      : rows_(extent(lhs, 2))
      , depth_(extent(lhs, 1))
      , columns_(extent(rhs, 1))
      , left_step_(is_batched(lhs) ? rows_ * depth_ : 0)
      , right_step_(is_batched(rhs) ? depth_ * columns_ : 0)
      , left_(ready(lhs, lhs.tile->type->elem))
      , right_(ready(rhs, lhs.tile->type->elem)) {}

  [[nodiscard]] std::size_t depth() const noexcept { return depth_; }

  /// Calls f(l, r) for each product that is a summand of the element.
  template <class F>
  void for_each_product(std::size_t at, F f) const {
    const std::size_t batch = at / (rows_ * columns_);
    const std::size_t row = at / columns_ % rows_;
    const enclosure* const l = left_.data() + (batch * left_step_) + (row * depth_);
    const enclosure* const r = right_.data() + (batch * right_step_) + (at % columns_);
    for (std::size_t k = 0; k < depth_; ++k) {
      f(l[k], r[k * columns_]);
    }
  }

private:
  static std::size_t extent(const known_operand& o, unsigned from_end) noexcept {
    return o.tile->type->extents[o.tile->type->rank - from_end];
  }
  static bool is_batched(const known_operand& o) noexcept {
    return o.tile->type->rank == 3 && o.tile->type->extents[0] != 1;
  }
  /// Cut off once each, not once a product.
  static std::vector<enclosure> ready(const known_operand& o, element kind) {
    std::vector<enclosure> all(o.tile->type->count);
    for (std::size_t i = 0; i < all.size(); ++i) {
      all[i] = as_multiplied(kind, o.at(i));
    }
    return all;
  }

  std::size_t rows_, depth_, columns_;
  std::size_t left_step_, right_step_; ///< from one matrix of a batch to the next
  std::vector<enclosure> left_, right_;
};

} // namespace

enclosed_tile enclose_combination(const computation& how,
                                  const out& result,
                                  const known_operand& operand,
                                  const because& why) {
  return combination_rule(how, result, operand, why).enclosed();
}

enclosed_tile enclose_matrix(const computation& how,
                             const out& result,
                             std::span<const known_operand> operands,
                             const because& why) {
  const known_operand& acc = operands[2];
  const bool integers = how.op == opcode::mmai;
  if (integers && std::ranges::all_of(operands.first(3),
                                      [](const known_operand& o) { return o.known == nullptr; })) {
    return {};
  }
  const matrix_factors factors(operands[0], operands[1]);
  const element kind = result.type->elem;
  const element multiplied = operands[0].tile->type->elem;
  const open_sum::rounding_errors errors{
      .relative = integers ? 0 : ops::error_of_mma(multiplied, kind, factors.depth()),
      .absolute = static_cast<long double>(factors.depth() + 1) * least_number(kind),
      .kept_bits = kept_bits(multiplied, kind)};
  enclosed_tile tile{.kind = kind, .cells = {}, .products = {}};
  tile.cells.resize(result.type->count);
  for (std::size_t at = 0; at < tile.cells.size(); ++at) {
    if (integers) {
      reason open = acc.at(at).open;
      factors.for_each_product(at, [&](const enclosure& l, const enclosure& r) {
        open = open != 0 ? open : l.open != 0 ? l.open : r.open;
      });
      tile.cells[at] = enclosure{0, 0, open};
      continue;
    }
    open_sum sum;
    sum.add(acc.at(at));
    factors.for_each_product(
        at, [&](const enclosure& l, const enclosure& r) { sum.add_product(l, r); });
    tile.cells[at] = sum.enclosed(kind, errors, number_at(kind, cell(result.data, kind, at)), why);
  }
  return tile.is_exact() ? enclosed_tile{} : tile;
}

} // namespace tilesim::sim::errors
