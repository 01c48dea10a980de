// What a table says of the sum at a place in the program.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/contract/sum_table.hpp"

#include <tilesim/report.hpp>

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tilesim::sim::contraction {

class compiled_places {
public:
  explicit compiled_places(sum_table sums);

  /// The sums of this kernel, by its name without namespaces and template arguments, that may be
  /// the one at a place, by the frames that debugging information has of it: innermost first, and
  /// perhaps not out to the kernel. Several if the frames do not tell them apart.
  [[nodiscard]] std::vector<const compiled_sum*> at(std::string_view kernel,
                                                    std::string_view element,
                                                    const std::vector<source_frame>& frames) const;

  /// Is any of the kernel's sums fused, or may it be?
  [[nodiscard]] bool fuses(std::string_view kernel) const;

private:
  sum_table sums_;
  std::map<std::string, std::vector<const compiled_sum*>, std::less<>> by_kernel_;
};

/// They all say the same. Nothing: they do not, or there is none.
[[nodiscard]] std::optional<compiled_sum> one_of(const std::vector<const compiled_sum*>& sums);

} // namespace tilesim::sim::contraction
