// Where two contents of one piece of memory differ, element by element.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/contract/comparison_lines.hpp"

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace tilesim::sim::compare {

/// What is said of an element that differs.
struct judged {
  using how = element_difference;
  how is = how::wrong;
  std::string low; ///< of an element with a bound: between which bits it may lie
  std::string high;
  double part = 0;     ///< how much of the bound is used
  bool nan = false;    ///< both are NaNs: which of them is left open
  unsigned reason = 0; ///< why it is open
};

struct differing {
  struct element {
    std::size_t index = 0;
    std::size_t offset = 0; ///< in bytes
    std::string here;       ///< its bits: "3f800000"
    std::string there;
    judged verdict;
  };
  std::size_t elements = 0;     ///< that differ,
  std::size_t open = 0;         ///< of which so many are open,
  std::size_t allowed = 0;      ///< and so many allowed
  std::vector<element> first;   ///< a few: wrong ones, else open ones, else others
  std::optional<element> worst; ///< of those that are allowed
  std::vector<std::pair<std::size_t, std::size_t>> runs; ///< from, to behind the last
  std::vector<judged::how> kinds;                        ///< … of which kind all of it is
  bool cut = false;                                      ///< there are more runs than are kept
};

/// Judges the element at an offset; null: all that differ are wrong.
using judge_element = std::function<judged(std::size_t offset)>;

/// Contents of one size, of elements of so many bytes; the last one may be shorter.
[[nodiscard]] differing where_differs(std::span<const std::byte> here,
                                      std::span<const std::byte> there,
                                      std::size_t element_bytes,
                                      const judge_element& judge = nullptr);

/// Bits of an element as a number is written: the highest byte first.
[[nodiscard]] std::string bits_of(std::span<const std::byte> element);

} // namespace tilesim::sim::compare
