// The contents of memory that a launch feed points into, and how another machine's addresses are
// this one's.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/contract/launch_feed.hpp"
#include "sim/memory/allocations.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace tilesim::sim::compare {

/// The file of contents, mapped.
class fed_contents {
public:
  /// Throws std::system_error where it cannot be read.
  explicit fed_contents(const std::string& path);
  ~fed_contents();
  fed_contents(const fed_contents&) = delete;
  fed_contents& operator=(const fed_contents&) = delete;

  [[nodiscard]] std::size_t size() const noexcept { return bytes_.size(); }
  [[nodiscard]] std::span<const std::byte> at(std::uint64_t from,
                                              std::size_t bytes) const noexcept {
    return bytes_.subspan(from, bytes);
  }

private:
  std::span<const std::byte> bytes_;
};

/// Which allocation here is which piece of memory there.
class counterparts {
public:
  /// `variables`: those of the program, by the memory that they are; `arrays`: those that the
  /// launch is given, likewise.
  counterparts(const std::vector<fed_memory>& memories,
               const allocations& here,
               const std::map<std::size_t, allocation>& variables,
               std::map<std::size_t, const allocation*> arrays = {});

  /// The live allocation that stands for a piece of memory; nullptr: none does, or one of another
  /// size.
  [[nodiscard]] const allocation* of(std::size_t memory) const;
  /// One that lives and has another size.
  [[nodiscard]] const allocation* of_other_size(std::size_t memory) const;
  /// A word of memory there as it is here: an address inside a piece of memory that lives here, or
  /// just behind it, is the same place here; everything else is itself.
  [[nodiscard]] std::uint64_t translated(std::uint64_t word) const noexcept;
  /// It is such an address.
  [[nodiscard]] bool knows(std::uint64_t word) const noexcept;

private:
  struct piece {
    std::uint64_t begin_there, bytes, begin_here;
  };
  [[nodiscard]] const piece* holding(std::uint64_t word) const noexcept;
  const std::vector<fed_memory>& memories_;
  const std::map<std::size_t, allocation>& variables_;
  std::map<std::size_t, const allocation*> arrays_;
  std::map<unsigned, const allocation*> live_;
  std::map<std::uint64_t, piece> by_address_; ///< there, of those that live
};

/// Writes a range over `to`, which is its memory's content from its offset on: the bytes that it
/// means, and in whole aligned words of eight of them addresses as they are here.
void write_range(const fed_range& range,
                 const fed_contents& contents,
                 const counterparts& same,
                 std::span<std::byte> to);

} // namespace tilesim::sim::compare
