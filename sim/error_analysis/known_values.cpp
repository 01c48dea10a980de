// Values by their bytes.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/error_analysis/known_values.hpp"

#define XXH_INLINE_ALL
#include <algorithm>
#include <utility>
#include <xxhash.h>

namespace tilesim::sim::errors {

std::uint64_t known_values::key_of(std::span<const std::byte> bytes) noexcept {
  return XXH3_64bits_withSeed(bytes.data(), bytes.size(), bytes.size());
}

void known_values::put(std::span<const std::byte> bytes, enclosed_tile what) {
  const std::uint64_t key = key_of(bytes);
  const auto [at, is_new] = values_.try_emplace(key);
  enclosed_tile& known = at->second;
  if (!is_new && known.kind == what.kind && known.cells.size() == what.cells.size()) {
    for (std::size_t i = 0; i < known.cells.size(); ++i) {
      known.cells[i].include(what.cells[i]);
    }
    for (std::size_t i = 0; i < what.products.size(); ++i) {
      if (known.products.empty()) {
        known.products = what.products;
        break;
      }
      known.products[i].lo = std::min(known.products[i].lo, what.products[i].lo);
      known.products[i].hi = std::max(known.products[i].hi, what.products[i].hi);
    }
    return;
  }
  cells_ += what.cells.size() - known.cells.size();
  known = std::move(what);
  if (is_new) {
    order_.push_back(key);
  }
  while (cells_ > most_cells && order_.size() > 1) {
    const auto oldest = values_.find(order_.front());
    lost_.insert(order_.front());
    order_.pop_front();
    cells_ -= oldest->second.cells.size();
    values_.erase(oldest);
  }
}

const enclosed_tile* known_values::find(std::span<const std::byte> bytes) const {
  if (values_.empty()) {
    return nullptr;
  }
  const auto it = values_.find(key_of(bytes));
  return it == values_.end() ? nullptr : &it->second;
}

bool known_values::is_lost(std::span<const std::byte> bytes) const {
  return !lost_.empty() && lost_.contains(key_of(bytes));
}

} // namespace tilesim::sim::errors
