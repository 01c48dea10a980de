// Where two contents of one piece of memory differ, element by element.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace tilesim::sim::compare {

struct differing {
  struct element {
    std::size_t index = 0;
    std::size_t offset = 0; ///< in bytes
    std::string here;       ///< its bits: "3f800000"
    std::string there;
  };
  std::size_t elements = 0;                              ///< that differ
  std::vector<element> first;                            ///< the first few of them
  std::vector<std::pair<std::size_t, std::size_t>> runs; ///< from, to behind the last
  bool cut = false;                                      ///< there are more runs than are kept
};

/// Contents of one size, of elements of so many bytes; the last one may be shorter.
[[nodiscard]] differing where_differs(std::span<const std::byte> here,
                                      std::span<const std::byte> there,
                                      std::size_t element_bytes);

} // namespace tilesim::sim::compare
