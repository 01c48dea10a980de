// Blocks as the protocol's threads: a number for each that has been seen, kept for the session.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tools/step/words.hpp"

#include <compare>
#include <cstdint>
#include <map>
#include <vector>

namespace tilesim::tools::dap {

class blocks {
public:
  /// The host program, while no kernel runs.
  static constexpr int host = 1;

  /// Of a block, or of a thread of a SIMT kernel.
  int number(const step::protocol::thread& thread);

  struct identity {
    std::uint64_t launch = 0;
    std::uint64_t block = 0;
    step::coordinates thread{}; ///< in the block

    auto operator<=>(const identity&) const = default;
  };
  /// Whose number it is; nullptr for one that nobody has.
  [[nodiscard]] const identity* find(int number) const;

  /// "block (3,0,0) of histogram", with its thread and its launch where there are several.
  [[nodiscard]] static std::string name(const step::protocol::thread& thread);
  /// Likewise, of threads that are `called` so together.
  [[nodiscard]] static std::string name(const step::protocol::thread& thread,
                                        const std::string& called);

private:
  std::map<identity, int> numbers_;
  std::vector<identity> known_; ///< of number host + 1 and on
};

} // namespace tilesim::tools::dap
