// Views: from indices to elements.  [partition view] [strided view] [gather scatter view]
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/machine/view_selection.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>

namespace tilesim::sim {

namespace {

using machine::in;
using kind = machine::tile_view::kind;

/// Element i of a tile of integers, read unsigned.
std::uint64_t unsigned_at(const in& tile, std::size_t i) noexcept {
  const unsigned size = size_of(tile.type->elem);
  std::uint64_t value = 0;
  std::memcpy(&value, static_cast<const std::byte*>(tile.data) + (i * size), size);
  return value;
}

} // namespace

std::uint64_t view_selection::stride_bytes(unsigned k) const noexcept {
  return static_cast<std::uint64_t>(view_->tensor->strides[k]) * size_of(view_->tile->elem);
}

std::uint64_t view_selection::index_space(unsigned k) const noexcept {
  const auto extent = static_cast<std::uint64_t>(view_->tensor->extents[k]);
  std::uint64_t step = 1;
  switch (view_->what) {
  case kind::partition:
    step = view_->tile->extents[k];
    break;
  case kind::strided:
    step = static_cast<std::uint64_t>(view_->traversal[k]);
    break;
  case kind::gather_scatter:
    break;
  }
  return (extent / step) + (extent % step != 0 ? 1 : 0);
}

std::uint64_t view_selection::coordinate(unsigned k, std::uint32_t j) const noexcept {
  if (lists(k)) {
    return unsigned_at(indices_[k], j);
  }
  const std::uint64_t index = unsigned_at(indices_[k], 0);
  switch (view_->what) {
  case kind::partition:
    return (index * view_->tile->extents[k]) + j;
  case kind::strided:
    return (index * static_cast<std::uint64_t>(view_->traversal[k])) + j;
  case kind::gather_scatter:
    break;
  }
  return index + j;
}

view_selection::view_selection(const machine::tile_view& view, const in* indices)
    : view_(&view)
    , indices_(indices)
    , listed_(view.what == kind::gather_scatter) {
  const machine::tensor_view& tensor = *view.tensor;
  box_.base = reinterpret_cast<std::uintptr_t>(tensor.base);
  for (unsigned k = 0; k < tensor.rank; ++k) {
    const std::uint32_t size = view.tile->extents[k];
    const auto extent = static_cast<std::uint64_t>(tensor.extents[k]);
    std::uint32_t inside = 0;
    if (lists(k)) {
      for (std::uint32_t j = 0; j < size; ++j) {
        inside += coordinate(k, j) < extent ? 1U : 0U;
      }
    } else if (unsigned_at(indices[k], 0) >= index_space(k)) {
      if (!outside_) {
        outside_ = {k, index_space(k)};
      }
    } else {
      const std::uint64_t first = coordinate(k, 0);
      inside = static_cast<std::uint32_t>(std::min<std::uint64_t>(size, extent - first));
      box_.base += first * stride_bytes(k);
    }
    active_ *= inside;
    if (!listed_) {
      box_.append(size, inside, stride_bytes(k));
    }
  }
}

void view_selection::expand(std::vector<std::uintptr_t>& addresses,
                            std::vector<std::uint8_t>& inside) const {
  addresses.assign(1, reinterpret_cast<std::uintptr_t>(view_->tensor->base));
  inside.assign(1, 1);
  addresses.reserve(count());
  inside.reserve(count());
  std::vector<std::uintptr_t> next;
  std::vector<std::uint8_t> next_inside;
  for (unsigned k = 0; k < view_->tensor->rank; ++k) {
    const std::uint32_t size = view_->tile->extents[k];
    const auto extent = static_cast<std::uint64_t>(view_->tensor->extents[k]);
    const bool all_outside = !lists(k) && unsigned_at(indices_[k], 0) >= index_space(k);
    next.clear();
    next_inside.clear();
    for (std::size_t i = 0; i < addresses.size(); ++i) {
      for (std::uint32_t j = 0; j < size; ++j) {
        const std::uint64_t at = coordinate(k, j);
        next.push_back(addresses[i] + (at * stride_bytes(k)));
        next_inside.push_back(
            static_cast<std::uint8_t>(inside[i] != 0 && !all_outside && at < extent ? 1 : 0));
      }
    }
    addresses.swap(next);
    inside.swap(next_inside);
  }
}

std::vector<std::uint64_t> view_selection::coordinates(std::size_t element) const {
  std::vector<std::uint64_t> result(view_->tensor->rank);
  for (unsigned k = view_->tensor->rank; k-- > 0;) {
    const std::uint32_t size = view_->tile->extents[k];
    result[k] = coordinate(k, static_cast<std::uint32_t>(element % size));
    element /= size;
  }
  return result;
}

// Elements are apart if, dimension by dimension from the smallest stride up, a step is longer than
// all that the smaller dimensions reach. (Not only if: 2x2 elements with strides 2 and 3 are apart,
// too.)
bool view_selection::surely_apart() const {
  struct dimension {
    std::uint64_t stride;
    std::uint64_t steps;
  };
  std::array<dimension, tile_box::max_rank> dimensions{};
  std::size_t n = 0;
  for (unsigned k = 0; k < view_->tensor->rank; ++k) {
    const std::uint32_t size = view_->tile->extents[k];
    const auto extent = static_cast<std::uint64_t>(view_->tensor->extents[k]);
    std::uint64_t steps = 0;
    if (lists(k)) {
      std::vector<std::uint64_t> listed;
      for (std::uint32_t j = 0; j < size; ++j) {
        if (coordinate(k, j) < extent) {
          listed.push_back(coordinate(k, j));
        }
      }
      std::sort(listed.begin(), listed.end());
      if (std::adjacent_find(listed.begin(), listed.end()) != listed.end()) {
        return false;
      }
      steps = listed.back() - listed.front();
    } else {
      steps = std::min<std::uint64_t>(size, extent - coordinate(k, 0)) - 1;
    }
    if (steps != 0) {
      dimensions[n++] = {stride_bytes(k), steps};
    }
  }
  auto* const used = dimensions.begin() + n;
  std::sort(dimensions.begin(), used, [](const dimension& a, const dimension& b) {
    return a.stride < b.stride;
  });
  std::uint64_t reach = 0;
  for (const auto* d = dimensions.begin(); d != used; ++d) {
    std::uint64_t more = 0;
    if (d->stride <= reach || __builtin_mul_overflow(d->stride, d->steps, &more) ||
        __builtin_add_overflow(reach, more, &reach)) {
      return false;
    }
  }
  return true;
}

std::optional<std::pair<std::size_t, std::size_t>> view_selection::overlap() const {
  if (active_ < 2 || surely_apart()) {
    return {};
  }
  std::vector<std::uintptr_t> addresses;
  std::vector<std::uint8_t> inside;
  expand(addresses, inside);
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < addresses.size(); ++i) {
    if (inside[i] != 0) {
      order.push_back(i);
    }
  }
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return addresses[a] < addresses[b];
  });
  const auto twice =
      std::adjacent_find(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return addresses[a] == addresses[b];
      });
  if (twice == order.end()) {
    return {};
  }
  return std::pair{*twice, *(twice + 1)};
}

std::string sizes_text(const std::int64_t* sizes, unsigned rank) {
  return fmt::format("[{}]", fmt::join(sizes, sizes + rank, "x"));
}

} // namespace tilesim::sim
