// Scans: as the warps of an H200 do it, or grouped at random.
//
// SPDX-License-Identifier: Apache-2.0
#include "memmodel/assertion.hpp"
#include "sim/ops/combine.hpp"
#include "sim/ops/integer_types.hpp"
#include "sim/ops/preconditions.hpp"
#include "sim/ops/rng.hpp"
#include "sim/ops/slices.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>

namespace tilesim::sim::ops {
namespace {

using machine::opcode;

// Sums and products of integers in a lane by itself, whose elements follow one another: a call per
// element would cost ten times the addition. They wrap, so that the order does not matter.

/// result[k] = result[k - 1] op from[k], or backward.
using lane_scan = void (*)(std::byte* result,
                           const std::byte* from,
                           std::size_t length,
                           bool reverse) noexcept;

template <opcode Body, class Cell>
void scan_lane(std::byte* result,
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
    total = static_cast<Cell>(Body == opcode::addi ? modular<Cell>(total) + modular<Cell>(*x)
                                                   : modular<Cell>(total) * modular<Cell>(*x));
    *to = total;
  }
}

template <opcode Body>
lane_scan find_integer_lane(element kind) noexcept {
  switch (kind) {
  case element::i8:
    return &scan_lane<Body, std::uint8_t>;
  case element::i16:
    return &scan_lane<Body, std::uint16_t>;
  case element::i32:
    return &scan_lane<Body, std::uint32_t>;
  case element::i64:
    return &scan_lane<Body, std::uint64_t>;
  default:
    return nullptr;
  }
}

/// The threads of a warp that take elements along a dimension: its 32 take the first dimension's
/// first.
std::size_t warp_along(const lanes& shape) noexcept {
  TILESIM_ASSERT(shape.outer != 0, shape.length, shape.inner);
  return std::max<std::size_t>(1, 32 / std::bit_floor(shape.outer));
}

/// nullptr: not one of these.
lane_scan find_lane_scan(const machine::combination& how, element kind) noexcept {
  switch (how.body) {
  case opcode::addi:
    return find_integer_lane<opcode::addi>(kind);
  case opcode::muli:
    return find_integer_lane<opcode::muli>(kind);
  default:
    return nullptr;
  }
}

/// Scans `length` slices of `inner` cells each. Slice number k stands at place(k).
template <class Op>
class slice_scan {
public:
  slice_scan(const Op& op, bool reverse, std::size_t length, std::size_t inner)
      : op_(op)
      , reverse_(reverse)
      , length_(length)
      , inner_(inner)
      , bytes_(inner * op.cell()) {}

  /// result[k] = result[k - 1] op slices[k]
  void in_order(std::byte* result, const std::byte* slices) const {
    std::memcpy(place(result, 0), place(slices, 0), bytes_);
    for (std::size_t k = 1; k < length_; ++k) {
      op_(place(result, k), place(result, k - 1), place(slices, k), inner_);
    }
  }

  /// The fixed order, an H200's. The elements of a warp combine themselves with the one 1 before,
  /// then 2 before, 4, 8, … Then what all warps before make together, one after the other, is
  /// combined with each.
  void in_warps(std::byte* result, const std::byte* slices, std::size_t warp) const {
    const scratch memory = make_scratch(2 * length_ * bytes_);
    std::byte* spare[]{memory.get(), memory.get() + (length_ * bytes_)};
    const std::byte* from = slices;
    for (std::size_t distance = 1; distance < std::min(warp, length_); distance *= 2) {
      step_in_warps(spare[0], from, distance, warp);
      from = spare[0];
      std::swap(spare[0], spare[1]);
    }
    for (std::size_t begin = 0; begin < length_; begin += warp) {
      const std::size_t end = std::min(begin + warp, length_);
      std::byte* const to = lowest(result, begin, end);
      if (begin == 0) {
        std::memcpy(to, lowest(from, begin, end), (end - begin) * bytes_);
      } else {
        combine_each(to, place(result, begin - 1), lowest(from, begin, end), end - begin);
      }
    }
  }

  /// Groups of a random length are scanned in order; then, by halves of random size, the total of
  /// the left part is combined with each element of the right part.
  void in_random_groups(std::byte* result, const std::byte* slices, rng& draw) const {
    const std::size_t group = std::size_t{1}
                              << draw.below(static_cast<std::uint64_t>(std::bit_width(length_)));
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
  /// to[k] = from[k - distance] op from[k] in all warps; the first ones of each stay.
  void step_in_warps(std::byte* to,
                     const std::byte* from,
                     std::size_t distance,
                     std::size_t warp) const {
    if constexpr (!Op::takes_spare_pairs) {
      for (std::size_t k = 0; k < length_; ++k) {
        if (k % warp < distance) {
          std::memcpy(place(to, k), place(from, k), bytes_);
        } else {
          op_(place(to, k), place(from, k - distance), place(from, k), inner_);
        }
      }
      return;
    }
    // In one call: what it makes of two warps' elements is replaced.
    const std::size_t rest = length_ - distance;
    const std::byte* const later = from + (distance * bytes_);
    op_(reverse_ ? to : to + (distance * bytes_),
        reverse_ ? later : from,
        reverse_ ? from : later,
        rest * inner_);
    for (std::size_t begin = 0; begin < length_; begin += warp) {
      const std::size_t end = std::min(begin + distance, length_);
      std::memcpy(lowest(to, begin, end), lowest(from, begin, end), (end - begin) * bytes_);
    }
  }

  /// to[i] = total op from[i]
  void combine_each(std::byte* to,
                    const std::byte* total,
                    const std::byte* from,
                    std::size_t count) const {
    if (inner_ == 1) {
      op_(to, total, from, count, true);
      return;
    }
    for (std::size_t i = 0; i < count; ++i) {
      op_(to + (i * bytes_), total, from + (i * bytes_), inner_);
    }
  }

  /// Where slices begin to end - 1 stand, the lowest address of them.
  template <class Byte>
  [[nodiscard]] Byte* lowest(Byte* slices, std::size_t begin, std::size_t end) const noexcept {
    return place(slices, reverse_ ? end - 1 : begin);
  }

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
    std::byte* const first_place = lowest(result, begin, end);
    combine_each(spare, place(result, begin - 1), first_place, end - begin);
    std::memcpy(first_place, spare, (end - begin) * bytes_);
  }

  const Op& op_;
  bool reverse_;
  std::size_t length_, inner_, bytes_;
};

/// Each group of slices by itself: of numbers whose results depend on the order, as it says.
void scan_groups(const combiner& op,
                 bool reverse,
                 const lanes& l,
                 std::byte* to,
                 const std::byte* from,
                 std::size_t warp,
                 bool order_matters,
                 combining_order order) {
  const slice_scan one(op, reverse, l.length, l.inner);
  rng draw(order.seed);
  for (std::size_t o = 0; o < l.outer; ++o) {
    const std::size_t at = o * l.length * l.inner * op.cell();
    if (order.random) {
      one.in_random_groups(to + at, from + at, draw);
    } else if (order_matters) {
      one.in_warps(to + at, from + at, warp);
    } else {
      one.in_order(to + at, from + at);
    }
  }
}

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
  TILESIM_ASSERT(dim < operand.type->rank, dim, operand.type->rank);
  TILESIM_ASSERT(is_consistent(*operand.type), operand.type->count);
  TILESIM_ASSERT(same_kind(*result.type, *operand.type), result.type->elem, operand.type->elem);
  TILESIM_ASSERT(
      result.type->count == operand.type->count, result.type->count, operand.type->count);
  TILESIM_ASSERT(apart(result, operand));
  const lanes shape(*operand.type, dim);
  lanes l = shape;
  const auto* from = static_cast<const std::byte*>(operand.data);
  auto* to = static_cast<std::byte*>(result.data);
  // Few lanes of neighbours: each by itself.
  constexpr std::size_t few = 16;
  if (const lane_scan one = find_lane_scan(how, kind);
      one != nullptr && !order.random && l.inner == 1 && l.outer <= few) {
    const std::size_t bytes = l.length * op.cell();
    for (std::size_t o = 0; o < l.outer; ++o, from += bytes, to += bytes) {
      one(to, from, l.length, reverse);
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
  const bool order_matters = is_floating(kind); // integers wrap to the same results in any order
  scan_groups(op, reverse, l, to, from, warp_along(shape), order_matters, order);
  if (turns) {
    swap_outer(
        static_cast<std::byte*>(result.data), to, kind, shape.length, shape.outer, shape.inner);
  }
  return true;
}

void scan(const combining_body& body,
          bool reverse,
          const machine::out* results,
          const machine::in* operands,
          unsigned values,
          unsigned dim,
          combining_order order) {
  TILESIM_ASSERT(dim < operands[0].type->rank, dim, operands[0].type->rank);
  const body_combiner op(body, operands, values);
  const lanes l(*operands[0].type, dim);
  for (unsigned v = 0; v < values; ++v) {
    TILESIM_ASSERT(lanes(*operands[v].type, dim).length == l.length, v, l.length);
    TILESIM_ASSERT(results[v].type->count == operands[v].type->count, v, results[v].type->count);
    TILESIM_ASSERT(same_kind(*results[v].type, *operands[v].type), v, results[v].type->elem);
  }
  const scratch cells = zipped(op, operands, values, l);
  const std::size_t count = operands[0].type->count;
  const scratch scanned = make_scratch(count * op.cell());
  const slice_scan one(op, reverse, l.length, l.outer * l.inner);
  if (order.random) {
    rng draw(order.seed);
    one.in_random_groups(scanned.get(), cells.get(), draw);
  } else {
    one.in_warps(scanned.get(), cells.get(), warp_along(l));
  }
  const scratch column = make_scratch(count * op.cell());
  for (unsigned v = 0; v < values; ++v) {
    op.take(v, column.get(), scanned.get(), count, false);
    swap_outer(static_cast<std::byte*>(results[v].data),
               column.get(),
               operands[v].type->elem,
               l.length,
               l.outer,
               l.inner);
  }
}

} // namespace tilesim::sim::ops
