// Tokens of preprocessed CUDA C++: as much of the language as finding launches needs.
//
// launches.cpp and kernel_bodies.cpp read the tokens. The text is the output of the preprocessor
// with macros not yet expanded, so it holds #define lines; the bodies of those that may hold a
// launch or declare a kernel are lexed too, each into a list of its own.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace tilesim::tools {

enum class token_kind : unsigned char {
  identifier,
  number,
  string, ///< also raw, also with a prefix
  character,
  launch, ///< <<<
  punct,  ///< one character, but for :: -> ... and the operators that hold < or >
};

struct token {
  token_kind kind;
  std::size_t begin; ///< offset of its first byte
  std::size_t end;   ///< offset behind its last byte
};

/// The offset behind the spliced lines' ends (a backslash and a newline) at `at`, if there are any.
[[nodiscard]] std::size_t behind_splices(std::string_view text, std::size_t at);

/// The bracket or # that a digraph stands for; any other text as it is.
[[nodiscard]] std::string_view without_digraph(std::string_view spelling);

/// A #define whose body is worth a look.
struct macro_definition {
  std::string_view name;
  std::vector<std::string_view> parameters;
  bool function_like = false;
  std::vector<token> body;
  std::size_t end = 0; ///< offset of the line behind the directive
};

/// Any other #define: as much of it as is needed to look into it later.
struct plain_macro {
  std::string_view name;
  std::size_t begin; ///< behind the name
  std::size_t end;   ///< offset of the line behind the directive
};

/// Where a linemarker says that the text behind it comes from.
struct line_marker {
  std::size_t offset;    ///< of the first byte that it speaks of
  std::size_t line;      ///< the line number of that byte
  std::string_view file; ///< as it stands in the text: quoted and escaped
  bool system;           ///< a system header
};

/// An #if, #else or #endif that the preprocessor left standing (clang's does).
struct conditional {
  enum class part : unsigned char { open, branch, close };
  std::size_t offset;
  part what;
};

struct location {
  std::string_view file; ///< quoted and escaped, as a linemarker writes it
  std::size_t line = 0;
  std::size_t column = 0; ///< from 1, in bytes
  bool system = false;
};

struct lexed {
  std::string_view text;
  std::vector<token> tokens; ///< of everything that is not a directive
  std::vector<macro_definition> macros;
  std::vector<plain_macro> plain_macros;
  std::vector<line_marker> markers;
  std::vector<conditional> conditionals;
  std::unordered_set<std::string_view> function_like_macros;
  std::unordered_set<std::string_view> list_macros; ///< object-like ones with a comma in them
  std::vector<std::size_t> newlines;                ///< where lines end

  [[nodiscard]] std::string_view spelling(const token& t) const {
    return text.substr(t.begin, t.end - t.begin);
  }
  /// The place in the user's file of the byte at `offset`.
  [[nodiscard]] location locate(std::size_t offset) const;
};

/// The macro with its body's tokens.
[[nodiscard]] macro_definition lex_macro(const lexed& source, const plain_macro& plain);

/// Never fails: an unterminated literal ends at the end of its line.
[[nodiscard]] lexed lex(std::string_view text);

} // namespace tilesim::tools
