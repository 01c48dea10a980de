// What an operation did to memory, in few words: runs of elements, and whose writes it read.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/core/watcher.hpp"
#include "sim/watch/buffers.hpp"
#include "sim/watch/journal.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace tilesim::sim::trace {

/// Elements of one buffer at equal distances, in the order of the tile's elements.
struct element_run {
  unsigned buffer = 0;       ///< the allocation's number; 0: no memory of the device
  std::uintptr_t begin = 0;  ///< bytes from the buffer's begin, or the address
  std::size_t count = 1;     ///< elements
  std::int64_t distance = 0; ///< bytes from one to the next; 0 with a count: one place, often
};

/// The active elements of an access. Runs are as long as they can be; two elements are one only
/// where they are neighbours.
[[nodiscard]] std::vector<element_run> runs_of(const memory_event& e, const step::buffers& known);

/// An operation whose writes were read.
struct read_from {
  std::uint32_t operation = 0; ///< its number
  std::size_t elements = 0;    ///< that were read of it
};

/// An element that has read an older write than the newest.
struct stale_element {
  std::uintptr_t address = 0;
  std::uint64_t value = 0;  ///< that it has read,
  std::uint64_t newest = 0; ///< and that it passed over
  std::uint32_t given = 0;  ///< the operation that wrote the one; 0: none that wrote strongly
  std::uint32_t passed = 0; ///< and the other
};
using stale_elements = std::map<std::size_t, stale_element>; ///< by their numbers

/// By number. Elements that no operation has written are left out.
[[nodiscard]] std::vector<read_from>
sources_of(const memory_event& e, const step::last_writers& writers, const stale_elements& stale);

[[nodiscard]] bool acquires(machine::memory_order o);
[[nodiscard]] bool releases(machine::memory_order o);

/// "f32", "ptr<i32>", with "[64]" of a tile.
[[nodiscard]] std::string type_text(const machine::tile_type& t);

} // namespace tilesim::sim::trace
