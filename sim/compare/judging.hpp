// Whether an element that differs may: by what the error analysis derives of it.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/compare/differing.hpp"
#include "sim/compare/held_memory.hpp"
#include "sim/error_analysis/analysis.hpp"
#include "sim/watch/buffers.hpp"
#include "sim/watch/write_log.hpp"

#include <cstddef>
#include <cstdint>
#include <set>
#include <span>

namespace tilesim::sim::compare {

/// What memory holds here, for whoever asks with an address.
inline constexpr auto bytes_here = [](std::uintptr_t at, auto... /*bytes*/) {
  return reinterpret_cast<const std::byte*>(at);
};

class judging {
public:
  judging(errors::error_analysis& bounds, const step::buffers& buffers, const write_log& writes)
      : bounds_(bounds)
      , buffers_(buffers)
      , writes_(writes) {}

  /// Of a run that has altered something: before its memory is looked at.
  void begin() { altered_.clear(); }
  /// `left`: what another run has left, in which nothing was altered. What is exact and has become
  /// another value depends on what was altered, and so may all that is stored by the same line.
  /// True: this run has left the same.
  [[nodiscard]] bool note_altered(const held_memory& m, std::span<const std::byte> left);

  /// Something was.
  [[nodiscard]] bool depends() const noexcept { return !altered_.empty(); }

  /// Of the element at an offset, of so many bytes; `here`: what all of memory holds here.
  [[nodiscard]] judged judge(const held_memory& m,
                             std::span<const std::byte> here,
                             std::size_t offset,
                             std::size_t bytes) const;
  /// Of a page of which the other machine's bytes are not known, but that they are others: may an
  /// allowed execution give others?
  [[nodiscard]] bool is_open(const held_memory& m, const byte_range& page) const;

private:
  [[nodiscard]] const void* last_site(std::uintptr_t at) const;
  [[nodiscard]] judged
  one_of_written(const held_memory& m, std::size_t offset, std::size_t bytes) const;
  [[nodiscard]] bool
  are_nans(const held_memory& m, std::span<const std::byte> here, std::size_t offset) const;

  errors::error_analysis& bounds_;
  const step::buffers& buffers_;
  const write_log& writes_;
  std::set<const void*> altered_; ///< where what was altered is stored, of what is not followed
};

} // namespace tilesim::sim::compare
