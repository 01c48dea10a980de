// Whether an element that differs may: by what the error analysis derives of it.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/compare/differing.hpp"
#include "sim/compare/held_memory.hpp"
#include "sim/error_analysis/analysis.hpp"
#include "sim/watch/buffers.hpp"

#include <cstddef>
#include <span>

namespace tilesim::sim::compare {

class judging {
public:
  judging(errors::error_analysis& bounds, const step::buffers& buffers)
      : bounds_(bounds)
      , buffers_(buffers) {}

  /// Of the element at an offset, of so many bytes; `here`: what is in all of memory here.
  [[nodiscard]] judged judge(const held_memory& m,
                             std::span<const std::byte> here,
                             std::size_t offset,
                             std::size_t bytes) const;
  /// Of a page of which the other machine's bytes are not known, but that they are others: may an
  /// allowed execution give others?
  [[nodiscard]] bool is_open(const held_memory& m, const byte_range& page) const;

private:
  [[nodiscard]] judged
  one_of_written(const held_memory& m, std::size_t offset, std::size_t bytes) const;
  [[nodiscard]] bool
  are_nans(const held_memory& m, std::span<const std::byte> here, std::size_t offset) const;

  errors::error_analysis& bounds_;
  const step::buffers& buffers_;
};

} // namespace tilesim::sim::compare
