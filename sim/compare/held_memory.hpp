// Memory while launches run that are compared, and what is known of another machine's.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/contract/launch_feed.hpp"
#include "sim/memory/allocations.hpp"

#include <cstddef>
#include <map>
#include <span>
#include <vector>

namespace tilesim::sim::compare {

/// Variables have numbers from here on, which no allocation has.
inline constexpr unsigned first_variable = 1U << 30U;

/// Bytes of an allocation.
struct byte_range {
  std::size_t begin = 0;
  std::size_t end = 0;
};

/// One allocation while launches run: what it was, and what it is to be.
struct held_memory {
  const allocation* here = nullptr;
  std::vector<std::byte> expected;
  /// Pages that are others there, of which nothing is known but a hash. There, `expected` is what
  /// is here.
  std::vector<byte_range> unlike = {};

  [[nodiscard]] std::span<std::byte> now() const noexcept {
    return {reinterpret_cast<std::byte*>(here->begin), here->size};
  }
};

/// Holds pages against their hashes: those that are the same are what is expected, the others are
/// unlike.
void take_pages(const fed_pages& pages, held_memory& m);

/// Memory that is another there, behind launches that were compared by hashes alone: it could not
/// be made what the other machine had.
class unlike_memory {
public:
  void add(unsigned allocation, const byte_range& range);
  /// These bytes are the other machine's again.
  void settle(unsigned allocation, const byte_range& range);
  /// Allocations that are gone.
  void keep_live(const std::vector<const allocation*>& live);

  [[nodiscard]] const std::map<unsigned, std::vector<byte_range>>& ranges() const noexcept {
    return ranges_;
  }

private:
  std::map<unsigned, std::vector<byte_range>> ranges_; ///< by the allocation's number
};

} // namespace tilesim::sim::compare
