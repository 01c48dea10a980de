// Places in a block's memory, which are used again.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <map>

namespace tilesim::interpreter {

class slots {
public:
  /// The first place of `bytes` bytes that is free.
  std::size_t take(std::size_t bytes) {
    bytes = rounded(bytes);
    std::size_t at = 0;
    for (const auto& [begin, size] : taken_) {
      if (begin - at >= bytes) {
        break;
      }
      at = begin + size;
    }
    taken_.emplace(at, bytes);
    most_ = std::max(most_, at + bytes);
    return at;
  }

  void give_back(std::size_t at) { taken_.erase(at); }

  /// Bytes that suffice for all.
  [[nodiscard]] std::size_t most() const noexcept { return most_; }

private:
  static std::size_t rounded(std::size_t bytes) {
    constexpr std::size_t unit = 64;
    return std::max(unit, (bytes + unit - 1) / unit * unit);
  }

  std::map<std::size_t, std::size_t> taken_; ///< sizes, by where they begin
  std::size_t most_ = 0;
};

} // namespace tilesim::interpreter
