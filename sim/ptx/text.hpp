// The text of inline PTX as instructions.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tilesim::sim::ptx {

struct operand {
  enum class kind : std::uint8_t {
    none,      ///< `_`
    reg,       ///< `number`: of the statement's own registers
    argument,  ///< `number`: %0, %1, …
    constant,  ///< `bits`
    special,   ///< `name`: laneid, tid.x, …
    address,   ///< [parts[0] + bits]
    vector,    ///< {parts…}
    with_flag, ///< parts[0]|parts[1]
  };
  kind what = kind::none;
  unsigned number = 0;
  std::uint64_t bits = 0;
  std::string name;
  std::vector<operand> parts;
};

struct instruction {
  bool guarded = false;
  bool negated = false;           ///< @!p
  unsigned guard = 0;             ///< a register
  std::string opcode;             ///< "shfl.sync.down.b32"
  std::vector<std::string> words; ///< between its dots
  std::vector<operand> operands;

  [[nodiscard]] bool has(std::string_view word) const;
  [[nodiscard]] bool starts(std::string_view first) const { return words.front() == first; }
};

struct statement {
  std::vector<instruction> instructions;
  unsigned registers = 0;
  std::string problem; ///< what of it cannot be read; empty: nothing
};

[[nodiscard]] statement read(std::string_view text);

} // namespace tilesim::sim::ptx
