// What the elements of one operation acquire, together.
//
// Of elements at one place, which follow each other in a chain of updates, the next one knows what
// those before it do: their joins share nearly all, and cost nearly nothing. Those at different
// places share little, so each place is joined once, and two that know about as much with each
// other.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/detect/clock.hpp"

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace tilesim::sim::detect {

class acquisitions {
public:
  void add(std::uintptr_t address, const knowledge& known) {
    if (all_.empty()) { // as a rule it stays the only one, and nothing is allocated
      first_ = address;
      all_.push_back(known);
      return;
    }
    const std::size_t place =
        address == first_ ? 0 : places_.try_emplace(address, all_.size()).first->second;
    if (place == all_.size()) {
      all_.push_back(known);
    } else {
      all_[place] = all_[place].joined(known);
    }
  }

  [[nodiscard]] bool empty() const noexcept { return all_.empty(); }

  /// All of them. None is left.
  [[nodiscard]] knowledge take() {
    for (std::size_t apart = 1; apart < all_.size(); apart *= 2) {
      for (std::size_t i = 0; i + apart < all_.size(); i += 2 * apart) {
        all_[i] = all_[i].joined(all_[i + apart]);
      }
    }
    knowledge together = all_.empty() ? knowledge{} : all_.front();
    all_.clear();
    places_.clear();
    return together;
  }

private:
  std::vector<knowledge> all_;                             ///< by place
  std::uintptr_t first_ = 0;                               ///< the address of the first,
  std::unordered_map<std::uintptr_t, std::size_t> places_; ///< and which of them others are
};

} // namespace tilesim::sim::detect
