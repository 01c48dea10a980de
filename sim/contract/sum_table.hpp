// Which sums of a program's kernels NVIDIA's compiler fused with a product, and which it did not,
// by their place in the source: what `tilesim gpu build` puts into recordings, and the simulator
// computes by. docs/recording.md has the text.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace tilesim::sim {

/// Line and column; column 0: anywhere in the line.
struct text_position {
  unsigned line = 0;
  unsigned column = 0;

  friend bool operator==(const text_position&, const text_position&) = default;
};

/// Where debugging information may say that an operator, or a call, stands: compilers differ.
struct sum_place {
  std::string file;
  std::vector<text_position> at;

  friend bool operator==(const sum_place&, const sum_place&) = default;
};

/// An addition or a subtraction of floating-point tiles.
struct compiled_sum {
  enum class how : std::uint8_t {
    apart, ///< of two rounded operands
    fused, ///< with a product: one rounding
    open   ///< of several at this place, some are
  };
  std::string kernel;  ///< its symbol
  std::string element; ///< "f32"
  how is{};
  bool of_two = false; ///< the addend is a product, too: it is the left operand that is fused
  bool scalar = false; ///< perhaps no tile: what plain C++ code adds looks the same
  std::vector<sum_place> frames; ///< innermost first; the kernel's own last

  friend bool operator==(const compiled_sum&, const compiled_sum&) = default;
};

using sum_table = std::vector<compiled_sum>;

/// The text is no such table: "line 3: …".
class bad_sum_table : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

[[nodiscard]] std::string to_text(const sum_table& sums);
[[nodiscard]] sum_table sums_from_text(std::string_view text);

} // namespace tilesim::sim
