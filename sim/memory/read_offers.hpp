// What a strong read may be given: for whoever lets a person choose (sim/step).
//
// Only an engine whose reads take more than the newest write has anything to offer
// (memory_engine::offers).
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "memmodel/event.hpp"

#include <tilesim/detail/machine.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace tilesim::sim {

/// The reads of one operation that a thread is about to begin: of a tile's elements, or of one
/// object. Nothing has been checked yet.
class coming_read {
public:
  memmodel::memory_order order = memmodel::memory_order::weak;
  memmodel::scope scope = memmodel::scope::sys;
  std::size_t bytes = 0;                         ///< of each element
  bool updates = false;                          ///< it writes, too, so it takes the newest write
  const machine::ordered_after* after = nullptr; ///< what it waits for; nullptr: program order

  /// The address of each element, and whether it is read (1); empty: all are.
  virtual void elements(std::vector<std::uintptr_t>& addresses,
                        std::vector<std::uint8_t>& active) const = 0;

protected:
  coming_read() = default;
  coming_read(const coming_read&) = default;
  coming_read& operator=(const coming_read&) = default;
  ~coming_read() = default;
};

/// A write that a read may be given.
struct offered_write {
  std::uint64_t value = 0; ///< its low bytes
  std::string by;          ///< who made it, and how: "relaxed store of device scope by …"
  const void* site = nullptr;
  std::uint64_t operation = 0; ///< as of memory_engine::performed(); 0: none that wrote strongly
};

/// What one element of a strong read may be given.
struct offered_read {
  std::size_t element = 0; ///< of the operation
  std::uintptr_t address = 0;
  std::size_t bytes = 0;
  std::uint64_t launch = 0;
  std::uint64_t thread = 0;          ///< linear, in the launch
  std::uint64_t number = 0;          ///< of the thread's strong reads
  std::vector<offered_write> writes; ///< the newest first
  std::size_t takes = 0;             ///< which of them
  std::string bound;                 ///< why nothing older than the last; empty: there is nothing
};

/// What a person has chosen for one: as a stale_choice of a schedule's, and also the newest write.
struct chosen_read {
  std::uint64_t launch = 0;
  std::uint64_t thread = 0;
  std::uint64_t number = 0;
  std::uint64_t back = 0; ///< writes that it passes over
};

} // namespace tilesim::sim
