// A compiler's assembly text, as far as two versions of a function need it: x86-64, as g++ and
// clang++ write it.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace tilesim::tools {

struct assembly_text {
  /// Lines of a function: of its label, its .cfi_startproc, its (only) .cfi_endproc, its .size.
  struct function {
    std::size_t label = 0;
    std::size_t begin = 0;
    std::size_t end = 0;
    std::size_t size = 0;
  };
  struct label {
    std::size_t line = 0;
    std::string_view section;
  };

  explicit assembly_text(std::string_view text);

  /// The functions that have one part and one frame description.
  std::vector<std::string_view> lines;
  std::unordered_map<std::string_view, function> functions;
  std::unordered_map<std::string_view, label> labels;
  std::unordered_set<std::string_view> shown;                   ///< .globl and .weak
  std::unordered_map<std::string_view, std::string_view> files; ///< by number: what is behind it
  std::size_t last_file = 0;

  /// Symbols that a function calls or jumps to; "*" for what is computed.
  [[nodiscard]] std::vector<std::string_view> calls(const function& f) const;
};

/// The first word of a line, and the rest without a comment.
struct instruction {
  std::string_view name;
  std::string_view operands;
};
[[nodiscard]] instruction instruction_of(std::string_view line);

/// The symbols that a text names, in order.
[[nodiscard]] std::vector<std::string_view> symbols_of(std::string_view text);

} // namespace tilesim::tools
