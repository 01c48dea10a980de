// A view access as programs pass it, number by number, as tables again.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilesim/detail/machine.hpp>

#include <array>
#include <cstdarg>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace tilesim::machine {

/// Its tables are its own, and point to one another.
class passed_view {
public:
  /// Takes the extents, strides and indices from `numbers`.
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-member-init): what is used of its arrays is written
  passed_view(const view_form& form, const void* base, const void* list, std::va_list& numbers)
      : rank_(form.rank) {
    if (rank_ > few) {
      many_numbers_.resize(3 * rank_);
      many_at_.resize(rank_);
    }
    std::int64_t* const first = rank_ > few ? many_numbers_.data() : numbers_.data();
    for (std::size_t k = 0; k < 3 * rank_; ++k) {
      first[k] = va_arg(numbers, std::int64_t);
    }
    in* const at = rank_ > few ? many_at_.data() : at_.data();
    for (std::size_t k = 0; k < rank_; ++k) {
      // A narrower number lies at the address of the wider: both machines are little-endian.
      at[k] = {form.index_types[k], first + (2 * rank_) + k};
    }
    if (list != nullptr) {
      at[form.sparse_dim].data = list;
    }
    tensor_ = {base, form.rank, first, first + rank_};
    view_ = {
        form.what, &tensor_, form.tile, form.traversal, form.sparse_dim, form.masked, form.pad};
  }
  passed_view(const passed_view&) = delete;
  passed_view& operator=(const passed_view&) = delete;
  ~passed_view() = default;

  [[nodiscard]] const tile_view& view() const noexcept { return view_; }
  [[nodiscard]] const in* indices() const noexcept {
    return rank_ > few ? many_at_.data() : at_.data();
  }

private:
  static constexpr std::size_t few = 8;

  std::size_t rank_;
  // As many as are used are filled in.
  std::array<std::int64_t, 3 * few> numbers_;
  std::array<in, few> at_;
  std::vector<std::int64_t> many_numbers_; ///< of more dimensions
  std::vector<in> many_at_;
  tensor_view tensor_{};
  tile_view view_{};
};

} // namespace tilesim::machine
