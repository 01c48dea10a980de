// The rules of elementwise operations.
//
// An operation that is rounded correctly, in whichever direction, is monotone where its function
// is: so the ends of its result are found by performing the very same operation on the ends of its
// operands, its rounding, flushing and saturation included. Where the function is not monotone the
// rule says what is done instead. An approximate operation is computed here rounded correctly; what
// is documented that it may be off comes on top.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/error_analysis/elementwise_rules.hpp"

#include "sim/ops/accuracy.hpp"
#include "sim/ops/number_format.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>

namespace tilesim::sim::errors {

namespace {

using machine::in;
using machine::opcode;
using machine::out;
using machine::predicate;
using machine::rounding;

constexpr double double_infinity = std::numeric_limits<double>::infinity();

bool is_finite(const enclosure& e) noexcept {
  return std::isfinite(e.lo) && std::isfinite(e.hi);
}

/// What the operation gives at the corners of its operands' enclosures.
struct corner {
  double lo = 0;
  double hi = 0;
  bool nan = false;     ///< at some corner, and not at all of them
  bool differs = false; ///< the result is not the same at all corners, bit for bit
  bool inexact = false; ///< some operand is no point
  reason open = 0;      ///< of some operand
};

class elementwise_rule {
public:
  elementwise_rule(const computation& how,
                   const out& result,
                   std::span<const known_operand> operands,
                   bool contracts,
                   const because& why)
      : how_(how)
      , result_(result)
      , operands_(operands)
      , contracts_(contracts)
      , why_(why)
      , accuracy_(ops::accuracy_of(how.op, *how.modes, result.type->elem))
      , kind_(result.type->elem) {}

  enclosed_tile enclosed() {
    const bool some =
        std::ranges::any_of(operands_, [](const known_operand& o) { return o.known; });
    const bool multiplies = contracts_ && how_.op == opcode::mulf;
    if (!some && !accuracy_.approximate() && !multiplies) {
      return {};
    }
    enclosed_tile tile{.kind = kind_, .cells = {}, .products = {}};
    tile.cells.resize(result_.type->count);
    if (how_.op != opcode::select) {
      at_corners();
    }
    for (std::size_t i = 0; i < tile.cells.size(); ++i) {
      tile.cells[i] = how_.op == opcode::select ? selected(i) : computed(i);
    }
    if (multiplies) {
      for (std::size_t i = 0; i < tile.cells.size(); ++i) {
        tile.products.push_back(unrounded(i));
      }
    }
    return tile.is_exact() ? enclosed_tile{} : tile;
  }

private:
  [[nodiscard]] double nominal(std::size_t i) const noexcept {
    return number_at(kind_, static_cast<const std::byte*>(result_.data) + (i * size_of(kind_)));
  }

  // ------------------------------------------------------------------------------------ corners

  /// Performs the operation at each corner: at one where all operands are points.
  void at_corners() {
    corners_.resize(result_.type->count);
    std::vector<unsigned> varied;
    for (unsigned k = 0; k < operands_.size(); ++k) {
      if (operands_[k].known != nullptr) {
        if (is_floating(operands_[k].tile->type->elem)) {
          varied.push_back(k);
        }
        for (std::size_t i = 0; i < corners_.size(); ++i) {
          const enclosure e = operands_[k].at(i);
          corners_[i].inexact |= !e.is_point();
          corners_[i].open = corners_[i].open != 0 ? corners_[i].open : e.open;
        }
      }
    }
    for (std::size_t i = 0; is_floating(kind_) && i < corners_.size(); ++i) {
      corners_[i].lo = corners_[i].hi = nominal(i);
    }
    for (unsigned which = 0; !varied.empty() && which < 1U << varied.size(); ++which) {
      at_corner(varied, which);
    }
  }

  void at_corner(const std::vector<unsigned>& varied, unsigned which) {
    std::vector<in> others;
    std::vector<std::vector<std::byte>> cells(operands_.size());
    for (const known_operand& o : operands_) {
      others.push_back(*o.tile);
    }
    for (unsigned n = 0; n < varied.size(); ++n) {
      const in& tile = *operands_[varied[n]].tile;
      cells[varied[n]] = moved(operands_[varied[n]], (which >> n & 1U) != 0);
      others[varied[n]] = {tile.type, cells[varied[n]].data()};
    }
    const std::size_t size = size_of(kind_);
    std::vector<std::byte> given(size * result_.type->count);
    how_.again({result_.type, given.data()}, others.data());
    const auto* const computed = static_cast<const std::byte*>(result_.data);
    for (std::size_t i = 0; i < corners_.size(); ++i) {
      corner& c = corners_[i];
      c.differs |= std::memcmp(given.data() + (i * size), computed + (i * size), size) != 0;
      if (is_floating(kind_) && c.inexact) {
        const double x = number_at(kind_, given.data() + (i * size));
        c.nan |= std::isnan(x) != std::isnan(c.lo);
        enclosure e{c.lo, c.hi, 0};
        e.include(x);
        c.lo = e.lo;
        c.hi = e.hi;
      }
    }
  }

  /// The operand with its elements at one end.
  static std::vector<std::byte> moved(const known_operand& o, bool up) {
    const element kind = o.tile->type->elem;
    const std::size_t size = size_of(kind);
    const auto* const from = static_cast<const std::byte*>(o.tile->data);
    std::vector<std::byte> cells(from, from + (size * o.tile->type->count));
    for (std::size_t i = 0; i < o.known->cells.size(); ++i) {
      if (const enclosure& e = o.known->cells[i]; e.open == 0 && !e.is_point()) {
        put_number(kind, up ? e.hi : e.lo, cells.data() + (i * size));
      }
    }
    return cells;
  }

  // ----------------------------------------------------------------------------------- elements

  enclosure computed(std::size_t i) {
    const corner& c = corners_[i];
    if (c.open != 0) {
      return masked_out(i) ? enclosure{} : opened(c.open);
    }
    if (!is_floating(kind_)) {
      return c.inexact ? decided(i) : enclosure{};
    }
    enclosure e{c.lo, c.hi, 0};
    if (c.inexact) {
      if (const char* const problem = unbounded(i)) {
        return opened(why_(problem));
      }
      if (c.nan) {
        return opened(why_("an error decides whether the result is a NaN"));
      }
      widen(i, e);
    }
    e = contracted(i, e);
    return accuracy_.approximate() ? approximate(i, e) : e;
  }

  /// An open operand makes no difference: false and it, true or it.
  [[nodiscard]] bool masked_out(std::size_t i) const noexcept {
    if (kind_ != tilesim::element::i1 || (how_.op != opcode::andi && how_.op != opcode::ori)) {
      return false;
    }
    return std::ranges::any_of(operands_, [&](const known_operand& o) {
      const std::size_t at = o.tile->type->count == 1 ? 0 : i;
      const bool value = static_cast<const std::uint8_t*>(o.tile->data)[at] != 0;
      return o.at(i).open == 0 && value == (how_.op == opcode::ori);
    });
  }

  /// A comparison or a conversion to an integer, of operands that may be off.
  enclosure decided(std::size_t i) {
    if (how_.op == opcode::cmpf) {
      const bool equality =
          how_.modes->pred == predicate::equal || how_.modes->pred == predicate::not_equal;
      const enclosure a = operands_[0].at(i);
      const enclosure b = operands_[1].at(i);
      const bool apart = a.hi < b.lo || b.hi < a.lo;
      const bool nan = std::isnan(a.lo) || std::isnan(b.lo);
      return corners_[i].differs || (equality && !apart && !nan)
                 ? opened(why_("a comparison of numbers that may be off"))
                 : enclosure{};
    }
    if (how_.op == opcode::ftoi) {
      return corners_[i].differs ? opened(why_("a conversion to an integer of what may be off"))
                                 : enclosure{};
    }
    return opened(why_("the bits of a number that may be off"));
  }

  enclosure selected(std::size_t i) {
    const enclosure condition = operands_[0].at(i);
    const enclosure a = operands_[1].at(i);
    const enclosure b = operands_[2].at(i);
    if (condition.open == 0) {
      const std::size_t at = operands_[0].tile->type->count == 1 ? 0 : i;
      return static_cast<const std::uint8_t*>(operands_[0].tile->data)[at] != 0 ? a : b;
    }
    if (a.open != 0 || b.open != 0) {
      return opened(condition.open);
    }
    if (!is_floating(kind_)) {
      return same_cells(i) ? enclosure{} : opened(condition.open);
    }
    // Which of the two it is makes one range where they meet.
    const bool apart = !(a.hi >= b.lo && b.hi >= a.lo);
    if (apart) {
      return opened(condition.open);
    }
    enclosure both = a;
    both.include(b);
    return both;
  }

  [[nodiscard]] bool same_cells(std::size_t i) const noexcept {
    const std::size_t size = size_of(kind_);
    const auto cell = [&](const known_operand& o) {
      return static_cast<const std::byte*>(o.tile->data) +
             ((o.tile->type->count == 1 ? 0 : i) * size);
    };
    return std::memcmp(cell(operands_[1]), cell(operands_[2]), size) == 0;
  }

  // ------------------------------------------------------------- where functions are not monotone

  /// Why the corners say nothing; nullptr: they do.
  [[nodiscard]] const char* unbounded(std::size_t i) const noexcept {
    const enclosure a = operands_[0].at(i);
    const enclosure b = operands_.size() > 1 ? operands_[1].at(i) : enclosure{};
    if ((a.is_nan() || b.is_nan()) && how_.op != opcode::bitcast) {
      return holds_zero(b) && how_.op == opcode::fpowf ? "a power of a NaN that may be 1" : nullptr;
    }
    switch (how_.op) {
    case opcode::divf:
      return holds_zero(b) && !b.is_point() ? "a divisor that may be zero" : nullptr;
    case opcode::remf:
      return one_quotient(a, b) ? nullptr : "a remainder whose quotient may be another";
    case opcode::tan: // rises from pole to pole
      return is_finite(a) && a.hi - a.lo < 1 && corners_[i].lo <= corners_[i].hi && rises(i)
                 ? nullptr
                 : "a tangent near its pole";
    case opcode::atan2: // the cut, and the origin
      return b.lo <= 0 && holds_zero(a) ? "an angle where it jumps" : nullptr;
    case opcode::fpowf:
      return a.lo > 0 || a.is_point() || (a.hi < 0 && b.is_point())
                 ? (a.hi < 0 && !b.is_point() ? "a power of a negative number" : nullptr)
                 : "a power of a number that may be zero";
    case opcode::bitcast:
      return "the bits of a number that may be off";
    case opcode::sin:
    case opcode::cos:
      return is_finite(a) ? nullptr : "a sine of what may be infinite";
    default:
      return nullptr;
    }
  }

  /// A tangent over less than 1 has no pole within if it is greater at the upper end.
  [[nodiscard]] bool rises(std::size_t i) const noexcept {
    const enclosure a = operands_[0].at(i);
    return std::tan(static_cast<long double>(a.lo)) <= std::tan(static_cast<long double>(a.hi));
  }

  /// x - y · q, q the quotient cut off, is monotone as long as q is the same.
  static bool one_quotient(const enclosure& x, const enclosure& y) noexcept {
    constexpr long double most = 0x1p40L;
    if (!is_finite(x) || !is_finite(y) || holds_zero(y)) {
      return false;
    }
    const auto quotient = [](long double a, long double b) {
      return std::round((a - std::fmod(a, b)) / b);
    };
    const long double q = quotient(x.lo, y.lo);
    return std::fabs(q) < most && q == quotient(x.lo, y.hi) && q == quotient(x.hi, y.lo) &&
           q == quotient(x.hi, y.hi);
  }

  void widen(std::size_t i, enclosure& e) const noexcept {
    const enclosure a = operands_[0].at(i);
    switch (how_.op) {
    case opcode::absf:
      if (holds_zero(a)) {
        e.include(0.0);
      }
      break;
    case opcode::cosh:
      if (holds_zero(a)) {
        e.include(1.0);
      }
      break;
    case opcode::sin:
    case opcode::cos: { // its slope is 1 at most
      const double x = number_at(operands_[0].tile->type->elem, cell_of(operands_[0], i));
      const double off = std::max(a.hi - x, x - a.lo);
      e = {std::max(-1.0, std::nextafter(nominal(i) - off, -double_infinity)),
           std::min(1.0, std::nextafter(nominal(i) + off, double_infinity)),
           0};
      if (!accuracy_.approximate()) { // no such operation is rounded correctly
        e = {-1, 1, 0};
      }
      break;
    }
    default:
      break;
    }
  }

  static const std::byte* cell_of(const known_operand& o, std::size_t i) noexcept {
    return static_cast<const std::byte*>(o.tile->data) +
           ((o.tile->type->count == 1 ? 0 : i) * size_of(o.tile->type->elem));
  }

  // -------------------------------------------------------------------------------- contraction

  /// The exact product: of formats of 32 bits or less, of double rounded outward.
  [[nodiscard]] product unrounded(std::size_t i) const noexcept {
    const enclosure a = operands_[0].at(i);
    const enclosure b = operands_[1].at(i);
    product p{std::numeric_limits<long double>::infinity(),
              -std::numeric_limits<long double>::infinity()};
    for (const long double x : {a.lo, a.hi}) {
      for (const long double y : {b.lo, b.hi}) {
        const long double z = x * y;
        const bool exact = kind_ != tilesim::element::f64 || std::fma(x, y, -z) == 0;
        p.lo = std::min(
            p.lo, exact ? z : std::nextafter(z, -std::numeric_limits<long double>::infinity()));
        p.hi = std::max(
            p.hi, exact ? z : std::nextafter(z, std::numeric_limits<long double>::infinity()));
      }
    }
    return p;
  }

  /// An addend: itself, or the product that it is rounded from.
  [[nodiscard]] static product addend(const known_operand& o, std::size_t i) noexcept {
    const enclosure e = o.at(i);
    product p{e.lo, e.hi};
    if (o.known != nullptr && !o.known->products.empty()) {
      const product& whole = o.known->products[o.tile->type->count == 1 ? 0 : i];
      p.lo = std::min(p.lo, whole.lo);
      p.hi = std::max(p.hi, whole.hi);
    }
    return p;
  }

  [[nodiscard]] enclosure contracted(std::size_t i, enclosure e) const noexcept {
    const bool adds = how_.op == opcode::addf || how_.op == opcode::subf;
    const bool some = std::ranges::any_of(operands_, [](const known_operand& o) {
      return o.known != nullptr && !o.known->products.empty();
    });
    if (!adds || how_.settled || !some || std::isnan(e.lo)) {
      return e;
    }
    const product a = addend(operands_[0], i);
    const product b = addend(operands_[1], i);
    const bool minus = how_.op == opcode::subf;
    e.include(sum(a.lo, minus ? -b.hi : b.lo, false));
    e.include(sum(a.hi, minus ? -b.lo : b.hi, true));
    if (how_.modes->flush_to_zero &&
        least_magnitude(e) < std::ldexp(1.0, ops::format_of(kind_).least)) {
      e.include(0.0);
      e.include(-0.0);
    }
    return e;
  }

  [[nodiscard]] double sum(long double a, long double b, bool up) const noexcept {
    const long double toward = up ? std::numeric_limits<long double>::infinity()
                                  : -std::numeric_limits<long double>::infinity();
    const long double s = a + b;
    const long double part = s - a; // the error of a sum [Knuth 4.2.2]
    const bool exact = std::isinf(s) || (a - (s - part)) + (b - part) == 0;
    const long double bound = exact ? s : std::nextafter(s, toward);
    if (how_.modes->round == rounding::nearest_even) {
      return nearest_to(kind_, bound);
    }
    return up ? up_to(kind_, bound) : down_to(kind_, bound);
  }

  // -------------------------------------------------------------------------------- approximate

  /// The widest of the bounds at the corners of the operands.
  [[nodiscard]] ops::error_bound bound_at(std::size_t i) const noexcept {
    if (accuracy_.bound_at == nullptr) {
      return accuracy_.bound;
    }
    ops::error_bound widest;
    for (unsigned which = 0; which < 1U << operands_.size(); ++which) {
      std::array<double, 3> at{};
      for (unsigned k = 0; k < operands_.size(); ++k) {
        const enclosure e = operands_[k].at(i);
        at[k] = (which >> k & 1U) != 0 ? e.hi : e.lo;
      }
      const ops::error_bound b = accuracy_.bound_at(at.data());
      widest.ulps = std::max(widest.ulps, b.ulps);
      widest.relative = std::max(widest.relative, b.relative);
      widest.absolute = std::max(widest.absolute, b.absolute);
    }
    return widest;
  }

  /// A result that is infinite since the format ends, of finite operands: not a pole.
  [[nodiscard]] bool overflows(std::size_t i) const noexcept {
    switch (how_.op) {
    case opcode::exp:
    case opcode::exp2:
    case opcode::sinh:
    case opcode::cosh:
    case opcode::tan:
    case opcode::fpowf:
    case opcode::divf:
      return std::ranges::all_of(operands_,
                                 [&](const known_operand& o) { return is_finite(o.at(i)); }) &&
             !(how_.op == opcode::divf && holds_zero(operands_[1].at(i))) &&
             !(how_.op == opcode::fpowf && holds_zero(operands_[0].at(i)));
    default:
      return false;
    }
  }

  /// How far off the documentation lets a result be. The simulator's own rounding is half a unit,
  /// in double a little more.
  [[nodiscard]] long double off(long double y, const ops::error_bound& bound) const noexcept {
    constexpr double rounding_here = 0.502;
    return std::isinf(y) ? 0
                         : ((bound.ulps + rounding_here) * ops::unit_at(ops::format_of(kind_), y)) +
                               (bound.relative * 1.000001L * std::fabs(y)) + bound.absolute;
  }

  /// An end: where it is infinite since the format ends, and results further in may not be, where
  /// that is.
  [[nodiscard]] long double finite_end(std::size_t i, double end, bool up) const noexcept {
    return std::isinf(end) && up != (end > 0) && overflows(i)
               ? std::copysign(std::ldexp(1.0L, ops::format_of(kind_).end), end)
               : end;
  }

  enclosure approximate(std::size_t i, enclosure e) {
    if (std::isnan(e.lo)) {
      return e;
    }
    const ops::error_bound bound = bound_at(i);
    if (std::isinf(bound.absolute)) {
      return opened(why_("an operation of which nothing is documented at such operands"));
    }
    const bool beyond = accuracy_.instead_of != nullptr && replaced(i);
    if (beyond && !std::isfinite(operands_[0].at(i).hi + operands_[0].at(i).lo)) {
      return opened(why_("an operation of which two results are documented"));
    }
    enclosure wide =
        widened(kind_, finite_end(i, e.lo, false), finite_end(i, e.hi, true), [&](long double y) {
          return off(y, bound);
        });
    if (beyond || (accuracy_.flushes_subnormals &&
                   least_magnitude(wide) < ops::least_normal(ops::format_of(kind_)))) {
      wide.include(0.0);
      wide.include(-0.0);
    }
    return wide;
  }

  /// Another result is documented at some operand within: of a division by more than 2^126, zero.
  [[nodiscard]] bool replaced(std::size_t i) const noexcept {
    return greatest_magnitude(operands_[1].at(i)) > 0x1p126;
  }

  const computation& how_;
  const out& result_;
  std::span<const known_operand> operands_;
  bool contracts_;
  const because& why_;
  const ops::accuracy accuracy_;
  const tilesim::element kind_;
  std::vector<corner> corners_;
};

} // namespace

enclosed_tile enclose_elementwise(const computation& how,
                                  const out& result,
                                  std::span<const known_operand> operands,
                                  bool contracts,
                                  const because& why) {
  return elementwise_rule(how, result, operands, contracts, why).enclosed();
}

} // namespace tilesim::sim::errors
