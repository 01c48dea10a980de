// The text of a litmus test as tokens with positions, and the parts that both formats share:
// constants, initial values, conditions, expectations.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "memmodel/litmus/program.hpp"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace tilesim::memmodel::litmus {

struct token {
  enum class kind : std::uint8_t { word, number, sign, end };
  kind what = kind::end;
  std::string_view text;
  position at;
  std::size_t offset = 0; ///< of its first byte in the text
};

/// Words, numbers and signs. Skips blanks, `(* *)`, `//` and quoted comments.
/// @throws syntax_error at an unfinished comment or a byte that starts no token
[[nodiscard]] std::vector<token> tokens_of(std::string_view text);

/// The position of a byte.
[[nodiscard]] position position_of(std::string_view text, std::size_t offset);

/// What was found, for messages: "'foo'", "the end of the file".
[[nodiscard]] std::string shown(const token& t);

/// Reads a sequence of tokens. Every error says what was expected, what was found and where.
class cursor {
public:
  cursor(std::string_view text, std::vector<token> tokens)
      : text_(text)
      , tokens_(std::move(tokens)) {}

  [[nodiscard]] const token& peek(std::size_t ahead = 0) const {
    return tokens_[std::min(next_ + ahead, tokens_.size() - 1)];
  }
  [[nodiscard]] bool at(std::string_view text) const { return peek().text == text; }
  [[nodiscard]] bool at_end() const { return peek().what == token::kind::end; }
  token take() { return tokens_[next_ < tokens_.size() - 1 ? next_++ : next_]; }
  bool accept(std::string_view text);
  token expect(std::string_view text, std::string_view where);
  token word(std::string_view what);
  [[nodiscard]] bool at_number() const;
  value number(std::string_view what);
  /// The text from a token to the one before the next, without surrounding blanks.
  [[nodiscard]] std::string since(const token& first) const;

  [[noreturn]] void fail(std::string_view expected) const;
  [[noreturn]] static void fail(const position& at, std::string message);

private:
  std::string_view text_;
  std::vector<token> tokens_;
  std::size_t next_ = 0;
};

/// What a word in a condition names: `P0:r1`, `0:r1`, `x`, `x[2]`.
using find_thread = std::function<std::optional<std::uint32_t>(std::string_view)>;

/// The register of a thread by name; it comes into being, with the value zero, if there is none.
std::uint32_t register_named(thread& t, std::string_view name);

/// `exists (…)`, `~exists (…)`, `forall (…)`, `filter (…)`, `locations […]`, `expect MODEL …`,
/// until the end.
void read_final(cursor& in, test& t);

/// Where a thread is: `host`, or numbers of levels with commas between, as `cta 0,gpu 1`. `set` is
/// given each, and returns false where there is no such level; `levels` says which there are:
/// "'cta', 'gpu' or 'host'".
[[nodiscard]] place
read_thread_place(cursor& in,
                  std::string_view levels,
                  const std::function<bool(place&, std::string_view, std::int32_t)>& set);

/// What `==`, `!=`, `<`, `<=`, `>` and `>=` compare by. Nothing if it is none of them.
[[nodiscard]] std::optional<binary> comparison_named(std::string_view sign);

/// Gives locations their addresses, apart from each other and aligned.
void place_locations(test& t);

/// `u8` … `s64`, `b32`; also `int`, `unsigned`, `char` and their kin as CUDA has them. Nothing if
/// it is no type.
[[nodiscard]] std::optional<element_type> type_named(std::string_view name);

} // namespace tilesim::memmodel::litmus
