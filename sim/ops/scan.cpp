// Scans: one element after the other, or grouped at random.
// SPDX-License-Identifier: Apache-2.0
#include "sim/fp/cells.hpp"
#include "sim/ops/combine.hpp"
#include "sim/ops/float_meanings.hpp"
#include "sim/ops/integer_types.hpp"
#include "sim/ops/slices.hpp"
#include "sim/rng.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <type_traits>

namespace tilesim::sim::ops {
namespace {

using machine::opcode;

// A lane by itself, whose elements follow one another: a call per element would cost ten times the
// addition. Only the sums and products that people scan; each step is the elementwise operation.

/// result[k] = result[k - 1] op from[k], or backward. False if there came a NaN, which the
/// elementwise operations know how to choose.
using lane_scan = bool (*)(std::byte* result,
                           const std::byte* from,
                           std::size_t length,
                           bool reverse) noexcept;

template <class Op, class Cell>
bool scan_lane(std::byte* result,
               const std::byte* from,
               std::size_t length,
               bool reverse) noexcept {
  const auto* x = reinterpret_cast<const Cell*>(from);
  auto* to = reinterpret_cast<Cell*>(result);
  const std::ptrdiff_t step = reverse ? -1 : 1;
  if (reverse) {
    x += length - 1;
    to += length - 1;
  }
  Cell total = *x;
  *to = total;
  for (std::size_t k = 1; k < length; ++k) {
    x += step;
    to += step;
    total = Op::apply(total, *x);
    *to = total;
  }
  if constexpr (std::is_integral_v<Cell>) {
    return true;
  } else {
    return fp::widen(total) == fp::widen(total); // a NaN stays one to the end
  }
}

/// The sum or product of two integers modulo 2^n.
template <opcode Body>
struct modulo {
  template <class T>
  static T apply(T a, T b) noexcept {
    return static_cast<T>(Body == opcode::addi ? modular<T>(a) + modular<T>(b)
                                               : modular<T>(a) * modular<T>(b));
  }
};

/// Of half and bfloat16 through float, which rounds once: see half.cpp.
template <class Op>
struct rounded_once {
  template <class Cell>
  static Cell apply(Cell a, Cell b) noexcept {
    if constexpr (std::is_floating_point_v<Cell>) {
      return Op::apply(a, b);
    } else {
      return fp::narrow<Cell>(Op::apply(fp::widen(a), fp::widen(b)));
    }
  }
};

template <class Op>
lane_scan find_float_lane(element kind) noexcept {
  switch (kind) {
  case element::f16:
    return &scan_lane<rounded_once<Op>, fp::f16>;
  case element::bf16:
    return &scan_lane<rounded_once<Op>, fp::bf16>;
  case element::f32:
    return &scan_lane<rounded_once<Op>, float>;
  case element::f64:
    return &scan_lane<rounded_once<Op>, double>;
  default:
    return nullptr;
  }
}

template <opcode Body>
lane_scan find_integer_lane(element kind) noexcept {
  switch (kind) {
  case element::i8:
    return &scan_lane<modulo<Body>, std::uint8_t>;
  case element::i16:
    return &scan_lane<modulo<Body>, std::uint16_t>;
  case element::i32:
    return &scan_lane<modulo<Body>, std::uint32_t>;
  case element::i64:
    return &scan_lane<modulo<Body>, std::uint64_t>;
  default:
    return nullptr;
  }
}

/// nullptr: not one of these.
lane_scan find_lane_scan(const machine::combination& how, element kind) noexcept {
  const bool plain = how.modes.round == machine::rounding::nearest_even && !how.modes.flush_to_zero;
  switch (how.body) {
  case opcode::addi:
    return find_integer_lane<opcode::addi>(kind);
  case opcode::muli:
    return find_integer_lane<opcode::muli>(kind);
  case opcode::addf:
    return plain ? find_float_lane<addition>(kind) : nullptr;
  case opcode::mulf:
    return plain ? find_float_lane<multiplication>(kind) : nullptr;
  default:
    return nullptr;
  }
}

/// Scans `length` slices of `inner` cells each. Slice number k stands at place(k).
class slice_scan {
public:
  slice_scan(const combiner& op, bool reverse, std::size_t length, std::size_t inner)
      : op_(op)
      , reverse_(reverse)
      , length_(length)
      , inner_(inner)
      , bytes_(inner * op.cell()) {}

  /// result[k] = result[k - 1] op slices[k]
  void in_order(std::byte* result, const std::byte* slices) const noexcept {
    std::memcpy(place(result, 0), place(slices, 0), bytes_);
    for (std::size_t k = 1; k < length_; ++k) {
      op_(place(result, k), place(result, k - 1), place(slices, k), inner_);
    }
  }

  /// Groups of a random length are scanned in order; then, by halves of random size, the total of
  /// the left part is combined with each element of the right part.
  void in_random_groups(std::byte* result, const std::byte* slices, rng& draw) const {
    const std::size_t group = std::size_t{1} << draw.below(std::bit_width(length_));
    for (std::size_t k = 0; k < length_; ++k) {
      if (k % group == 0) {
        std::memcpy(place(result, k), place(slices, k), bytes_);
      } else {
        op_(place(result, k), place(result, k - 1), place(slices, k), inner_);
      }
    }
    const scratch spare = make_scratch(length_ * bytes_);
    join(result, spare.get(), 0, (length_ + group - 1) / group, group, draw);
  }

private:
  template <class Byte>
  [[nodiscard]] Byte* place(Byte* slices, std::size_t k) const noexcept {
    return slices + ((reverse_ ? length_ - 1 - k : k) * bytes_);
  }

  /// Makes one scanned group of groups first to last - 1.
  void join(std::byte* result,
            std::byte* spare,
            std::size_t first,
            std::size_t last,
            std::size_t group,
            rng& draw) const {
    if (last - first < 2) {
      return;
    }
    const std::size_t middle = first + 1 + draw.below(last - first - 1);
    join(result, spare, first, middle, group, draw);
    join(result, spare, middle, last, group, draw);
    const std::size_t begin = middle * group;
    const std::size_t end = std::min(last * group, length_);
    const std::byte* total = place(result, begin - 1);
    std::byte* const lowest = place(result, reverse_ ? end - 1 : begin);
    if (inner_ == 1) {
      op_(spare, total, lowest, end - begin, true);
    } else {
      for (std::size_t i = 0; i < end - begin; ++i) {
        op_(spare + (i * bytes_), total, lowest + (i * bytes_), inner_);
      }
    }
    std::memcpy(lowest, spare, (end - begin) * bytes_);
  }

  const combiner& op_;
  bool reverse_;
  std::size_t length_, inner_, bytes_;
};

} // namespace

bool scan(const machine::combination& how,
          bool reverse,
          machine::out result,
          machine::in operand,
          unsigned dim,
          combining_order order,
          arithmetic arith) noexcept {
  const element kind = operand.type->elem;
  const combiner op(how, kind, arith);
  if (!op) {
    return false;
  }
  const lanes shape(*operand.type, dim);
  lanes l = shape;
  const auto* from = static_cast<const std::byte*>(operand.data);
  auto* to = static_cast<std::byte*>(result.data);
  // Few lanes of neighbours: each by itself.
  constexpr std::size_t few = 16;
  if (const lane_scan one = find_lane_scan(how, kind);
      one != nullptr && !order.random && l.inner == 1 && l.outer <= few) {
    const std::size_t bytes = l.length * op.cell();
    const slice_scan with_nan(op, reverse, l.length, 1);
    for (std::size_t o = 0; o < l.outer; ++o, from += bytes, to += bytes) {
      if (!one(to, from, l.length, reverse)) {
        with_nan.in_order(to, from);
      }
    }
    return true;
  }
  // Many thin slices: turned so that each operation covers all of them.
  constexpr std::size_t thin = 64; // cells
  const bool turns = l.outer > 1 && l.inner < thin;
  scratch turned;
  if (turns) {
    const std::size_t bytes = operand.type->count * op.cell();
    turned = make_scratch(2 * bytes);
    swap_outer(turned.get(), from, kind, l.outer, l.length, l.inner);
    from = turned.get();
    to = turned.get() + bytes;
    l.inner *= l.outer;
    l.outer = 1;
  }
  const slice_scan one(op, reverse, l.length, l.inner);
  rng draw(order.seed);
  for (std::size_t o = 0; o < l.outer; ++o) {
    const std::size_t at = o * l.length * l.inner * op.cell();
    if (order.random) {
      one.in_random_groups(to + at, from + at, draw);
    } else {
      one.in_order(to + at, from + at);
    }
  }
  if (turns) {
    swap_outer(
        static_cast<std::byte*>(result.data), to, kind, shape.length, shape.outer, shape.inner);
  }
  return true;
}

} // namespace tilesim::sim::ops
