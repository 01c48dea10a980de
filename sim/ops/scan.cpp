// Scans: one element after the other, or grouped at random.
// SPDX-License-Identifier: Apache-2.0
#include "sim/ops/combine.hpp"
#include "sim/ops/slices.hpp"
#include "sim/rng.hpp"

#include <algorithm>
#include <bit>

namespace tilesim::sim::ops {
namespace {

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
