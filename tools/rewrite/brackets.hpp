// Moving through a list of tokens: matching brackets and template arguments.
//
// launches.cpp and declarators.cpp use it. Out of range is the empty token, so that a look past
// either end needs no test.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tools/rewrite/lexer.hpp"

#include <optional>
#include <string>

namespace tilesim::tools {

class token_view {
public:
  token_view(const lexed& source, const std::vector<token>& tokens)
      : source_(&source)
      , tokens_(&tokens) {}

  [[nodiscard]] std::size_t size() const { return tokens_->size(); }
  [[nodiscard]] const token& operator[](std::size_t i) const { return (*tokens_)[i]; }
  [[nodiscard]] std::string_view spelling(std::size_t i) const {
    return i < size() ? source_->spelling((*tokens_)[i]) : std::string_view{};
  }
  [[nodiscard]] bool is(std::size_t i, token_kind kind) const {
    return i < size() && (*tokens_)[i].kind == kind;
  }
  /// The token that is nothing but this punctuation.
  [[nodiscard]] bool is_punct(std::size_t i, std::string_view what) const {
    return is(i, token_kind::punct) && without_digraph(spelling(i)) == what;
  }
  [[nodiscard]] bool opens(std::size_t i) const {
    return is_punct(i, "(") || is_punct(i, "[") || is_punct(i, "{");
  }
  [[nodiscard]] bool closes(std::size_t i) const {
    return is_punct(i, ")") || is_punct(i, "]") || is_punct(i, "}");
  }
  /// The text from the token at `first` to the end of the one at `last`.
  [[nodiscard]] std::string_view between(std::size_t first, std::size_t last) const {
    return last < size() && first <= last
               ? source_->text.substr((*this)[first].begin,
                                      (*this)[last].end - (*this)[first].begin)
               : std::string_view{};
  }
  /// Nothing but line splices between this token and the next one.
  [[nodiscard]] bool touches_next(std::size_t i) const {
    return i + 1 < size() && behind_splices(source_->text, (*this)[i].end) == (*this)[i + 1].begin;
  }

  /// The bracket that closes the one at `i`; size() if none does.
  [[nodiscard]] std::size_t matching_close(std::size_t i) const;
  /// The bracket that the one at `i` closes, if there is one.
  [[nodiscard]] std::optional<std::size_t> matching_open(std::size_t i) const;
  /// `i` stands on a <: behind the > that closes it, if it opens template arguments.
  [[nodiscard]] std::optional<std::size_t> skip_template_arguments(std::size_t i) const;
  /// `i` stands on a >: the < that opens the template arguments it closes, if it does.
  [[nodiscard]] std::optional<std::size_t> template_arguments_open(std::size_t i) const;

private:
  const lexed* source_;
  const std::vector<token>* tokens_;
};

} // namespace tilesim::tools
