// Which elements of a tensor the indices of a view select. Geometry only: no memory is touched, and
// nothing is reported.
//
// Indices are read unsigned, so a negative one lies outside every index space.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/memory/tile_box.hpp"

#include <tilesim/detail/machine.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tilesim::sim {

class view_selection {
public:
  view_selection(const machine::tile_view& view, const machine::in* indices);

  /// The dimension whose index lies outside the index space, and that space's size there.
  struct outside_index {
    unsigned dimension;
    std::uint64_t space;
  };
  [[nodiscard]] const std::optional<outside_index>& outside() const noexcept { return outside_; }

  [[nodiscard]] const machine::tile_view& view() const noexcept { return *view_; }
  [[nodiscard]] const machine::in& index(unsigned dimension) const noexcept {
    return indices_[dimension];
  }
  [[nodiscard]] std::size_t count() const noexcept { return view_->tile->count; }
  /// How many of the tile's elements lie inside the tensor.
  [[nodiscard]] std::size_t active() const noexcept { return active_; }

  /// The elements as a box; nullptr for what lists its indices.
  [[nodiscard]] const tile_box* box() const noexcept { return listed_ ? nullptr : &box_; }

  /// An address per element of the tile, and whether it lies inside the tensor.
  void expand(std::vector<std::uintptr_t>& addresses, std::vector<std::uint8_t>& inside) const;

  /// The tensor's index of an element of the tile, given by its number in row-major order.
  [[nodiscard]] std::vector<std::uint64_t> coordinates(std::size_t element) const;

  /// Two elements of the tile inside the tensor that share their place in memory, if there are any.
  [[nodiscard]] std::optional<std::pair<std::size_t, std::size_t>> overlap() const;

private:
  [[nodiscard]] bool lists(unsigned k) const noexcept { return listed_ && k == view_->sparse_dim; }
  [[nodiscard]] std::uint64_t coordinate(unsigned k, std::uint32_t j) const noexcept;
  [[nodiscard]] std::uint64_t stride_bytes(unsigned k) const noexcept;
  [[nodiscard]] std::uint64_t index_space(unsigned k) const noexcept;
  [[nodiscard]] bool surely_apart() const;

  const machine::tile_view* view_;
  const machine::in* indices_;
  bool listed_;
  std::size_t active_ = 1;
  std::optional<outside_index> outside_;
  tile_box box_;
};

/// "[4x8]": sizes.
[[nodiscard]] std::string sizes_text(const std::int64_t* sizes, unsigned rank);

} // namespace tilesim::sim
