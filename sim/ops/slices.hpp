// What reductions and scans share: a tile as outer × length × inner, and elementwise operations on
// contiguous slices of it.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/ops/combine.hpp"
#include "sim/ops/elementwise.hpp"
#include "sim/ops/rearrange.hpp"

#include <cstddef>
#include <cstring>
#include <memory>

namespace tilesim::sim::ops {

/// A tile as outer × length × inner elements, row-major, around the dimension of `length`.
struct lanes {
  std::size_t outer = 1;
  std::size_t length = 1;
  std::size_t inner = 1;

  lanes(const machine::tile_type& type, unsigned dim) noexcept {
    for (unsigned k = 0; k < type.rank; ++k) {
      (k < dim ? outer : k == dim ? length : inner) *= type.extents[k];
    }
  }
  /// The number of an element.
  [[nodiscard]] std::size_t at(std::size_t o, std::size_t k, std::size_t i) const noexcept {
    return (((o * length) + k) * inner) + i;
  }
};

/// Uninitialised memory for cells.
using scratch = std::unique_ptr<std::byte[]>;
inline scratch make_scratch(std::size_t bytes) {
  return std::make_unique_for_overwrite<std::byte[]>(bytes);
}

/// One operation of two operands on packed cells.
class combiner {
public:
  /// Pairs whose result is dropped may be combined with the others, in one call.
  static constexpr bool takes_spare_pairs = true;

  combiner(const machine::combination& how, element kind, arithmetic arith) noexcept
      : run_(find_elementwise(how.body, unchecked(how.modes), kind, kind, arith).run)
      , cell_(size_of(kind)) {}

  /// False if there is no such operation.
  explicit operator bool() const noexcept { return run_ != nullptr; }
  [[nodiscard]] std::size_t cell() const noexcept { return cell_; }

  /// result[i] = a[i] op b[i]; a_is_one: a[0] op b[i]. `result` overlaps neither.
  void operator()(std::byte* result,
                  const std::byte* a,
                  const std::byte* b,
                  std::size_t count,
                  bool a_is_one = false) const noexcept {
    run_({result, {a, b, nullptr}, {a_is_one, false, false}, count});
  }

private:
  // Overflow is looked for beforehand, in all orders.
  static machine::attributes unchecked(machine::attributes modes) noexcept {
    modes.wrap = machine::overflow::none;
    return modes;
  }
  elementwise_kernel run_;
  std::size_t cell_;
};

/// A body on packed cells: the values of one element side by side.
class body_combiner {
public:
  static constexpr bool takes_spare_pairs = false; // a body may have something to report of a pair
  static constexpr unsigned most = 16;

  body_combiner(const combining_body& body, const machine::in* operands, unsigned values);

  [[nodiscard]] std::size_t cell() const noexcept { return cell_; }

  void operator()(std::byte* result,
                  const std::byte* a,
                  const std::byte* b,
                  std::size_t count,
                  bool a_is_one = false) const;

  /// Value v of each of `count` cells as a tile's elements, and back. `repeat`: of one cell.
  void
  take(unsigned v, std::byte* to, const std::byte* cells, std::size_t count, bool repeat) const;
  void put(unsigned v, std::byte* cells, const std::byte* from, std::size_t count) const;

private:
  const combining_body& body_;
  unsigned values_;
  machine::tile_type types_[most] = {}; // of one element each
  std::size_t at_[most] = {};
  std::size_t cell_ = 0;
};

/// The operands of a body as length × (outer · inner) cells.
[[nodiscard]] scratch
zipped(const body_combiner& op, const machine::in* operands, unsigned values, const lanes& l);

/// outer × length × inner cells as length × outer × inner, or back.
inline void swap_outer(std::byte* to,
                       const std::byte* from,
                       element kind,
                       std::size_t outer,
                       std::size_t length,
                       std::size_t inner) noexcept {
  const auto narrow = [](std::size_t n) { return static_cast<std::uint32_t>(n); };
  const std::uint32_t before[]{narrow(outer), narrow(length), narrow(inner)};
  const std::uint32_t after[]{before[1], before[0], before[2]};
  machine::tile_type type{};
  type.elem = kind;
  type.rank = 3;
  type.count = narrow(outer * length * inner);
  type.extents = before;
  machine::tile_type swapped = type;
  swapped.extents = after;
  constexpr std::int64_t permutation[]{1, 0, 2};
  permute({&swapped, to}, {&type, from}, permutation);
}

} // namespace tilesim::sim::ops
