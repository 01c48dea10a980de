// Values by their bytes.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/error_analysis/known_values.hpp"

#define XXH_INLINE_ALL
#include <algorithm>
#include <utility>
#include <xxhash.h>

namespace tilesim::sim::errors {

std::uint64_t known_values::hash_of(std::span<const std::byte> bytes) noexcept {
  return XXH3_64bits_withSeed(bytes.data(), bytes.size(), bytes.size());
}

// Kinds whose cells with the same bits are the same value have one key.
std::uint64_t known_values::key_of(element kind, std::uint64_t hash) noexcept {
  const unsigned class_of = kind == element::tf32 ? static_cast<unsigned>(element::f32)
                            : is_floating(kind)   ? static_cast<unsigned>(kind)
                                                  : 32U + size_of(kind);
  return hash ^ (0x9e3779b97f4a7c15U * (class_of + 1));
}

void known_values::put(std::span<const std::byte> bytes, enclosed_tile what) {
  const std::uint64_t key = key_of(what.kind, hash_of(bytes));
  const auto [at, is_new] = values_.try_emplace(key);
  enclosed_tile& known = at->second;
  if (!is_new) {
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

const enclosed_tile* known_values::find(element kind, std::span<const std::byte> bytes) const {
  if (values_.empty()) {
    return nullptr;
  }
  const auto it = values_.find(key_of(kind, hash_of(bytes)));
  return it == values_.end() ? nullptr : &it->second;
}

const enclosed_tile* known_values::find_other(element kind,
                                              std::span<const std::byte> bytes) const {
  if (values_.empty()) {
    return nullptr;
  }
  const std::uint64_t hash = hash_of(bytes);
  for (unsigned k = 0; k < element_kinds; ++k) {
    const auto other = static_cast<element>(k);
    const auto it = values_.find(key_of(other, hash));
    if (it != values_.end() && key_of(other, hash) != key_of(kind, hash)) {
      return &it->second;
    }
  }
  return nullptr;
}

bool known_values::is_lost(element kind, std::span<const std::byte> bytes) const {
  return !lost_.empty() && lost_.contains(key_of(kind, hash_of(bytes)));
}

} // namespace tilesim::sim::errors
