// Finding differing elements.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/compare/differing.hpp"

#include "memmodel/assertion.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace tilesim::sim::compare {

namespace {

constexpr std::size_t most_first = 16;
constexpr std::size_t most_runs = 4096;

/// Bits of an element as a number is written: the highest byte first.
std::string bits(std::span<const std::byte> element) {
  std::string text;
  for (std::size_t i = element.size(); i > 0; --i) {
    text += fmt::format("{:02x}", std::to_integer<unsigned>(element[i - 1]));
  }
  return text;
}

void add(differing& found,
         std::span<const std::byte> here,
         std::span<const std::byte> there,
         std::size_t index,
         std::size_t offset) {
  ++found.elements;
  if (found.first.size() < most_first) {
    found.first.push_back(
        {.index = index, .offset = offset, .here = bits(here), .there = bits(there)});
  }
  if (!found.runs.empty() && found.runs.back().second == index) {
    ++found.runs.back().second;
  } else if (found.runs.size() < most_runs) {
    found.runs.emplace_back(index, index + 1);
  } else {
    found.cut = true;
  }
}

} // namespace

differing where_differs(std::span<const std::byte> here,
                        std::span<const std::byte> there,
                        std::size_t element_bytes) {
  TILESIM_ASSERT(here.size() == there.size() && element_bytes != 0, here.size());
  differing found;
  // In pieces of whole elements that mostly do not differ.
  const std::size_t piece_bytes = 4096 * element_bytes;
  for (std::size_t begin = 0; begin < here.size(); begin += piece_bytes) {
    const std::size_t end = std::min(here.size(), begin + piece_bytes);
    if (std::memcmp(here.data() + begin, there.data() + begin, end - begin) == 0) {
      continue;
    }
    for (std::size_t at = begin; at < end; at += element_bytes) {
      const std::size_t bytes = std::min(element_bytes, end - at);
      if (std::memcmp(here.data() + at, there.data() + at, bytes) != 0) {
        add(found, here.subspan(at, bytes), there.subspan(at, bytes), at / element_bytes, at);
      }
    }
  }
  return found;
}

} // namespace tilesim::sim::compare
