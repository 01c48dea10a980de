// Tokens of expressions and the values of literals.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/expressions/expression_tokens.hpp"

#include "sim/expressions/arithmetic.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <optional>
#include <string>
#include <utility>

namespace tilesim::sim::step {

namespace {

// ------------------------------------------------------------------------------------------ tokens

bool begins_name(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$';
}
bool continues_name(char c) {
  return begins_name(c) || std::isdigit(static_cast<unsigned char>(c)) != 0;
}
bool is_digit(char c) {
  return std::isdigit(static_cast<unsigned char>(c)) != 0;
}

// Longer ones first.
constexpr std::array<std::string_view, 21> long_symbols = {
    "<<=", ">>=", "->", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||",
    "++",  "--",  "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^="};
constexpr std::string_view short_symbols = "+-*/%<>!=&^|~()[].,:";

class tokenizer {
public:
  explicit tokenizer(std::string_view text)
      : text_(text) {}

  std::vector<token> all() {
    std::vector<token> tokens;
    do {
      tokens.push_back(next());
    } while (tokens.back().kind != token_kind::end);
    return tokens;
  }

private:
  [[nodiscard]] char at(std::size_t i) const { return i < text_.size() ? text_[i] : '\0'; }

  token take(token_kind kind, std::size_t length) {
    const token t{kind, text_.substr(at_, length), at_};
    at_ += length;
    return t;
  }

  token next() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0) {
      ++at_;
    }
    if (at_ == text_.size()) {
      return {token_kind::end, {}, at_};
    }
    const char c = at(at_);
    if (is_digit(c) || (c == '.' && is_digit(at(at_ + 1)))) {
      return take(token_kind::number, number_length());
    }
    const bool from_global = c == ':' && at(at_ + 1) == ':' && begins_name(at(at_ + 2));
    if (begins_name(c) || from_global) {
      return take(token_kind::name, name_length());
    }
    if (c == '\'') {
      return take(token_kind::character, character_length());
    }
    return symbol();
  }

  /// As C++'s preprocessor takes a number: digits, letters, dots, signs after an exponent.
  [[nodiscard]] std::size_t number_length() const {
    const bool hexadecimal = at(at_) == '0' && (at(at_ + 1) == 'x' || at(at_ + 1) == 'X');
    std::size_t i = at_ + 1;
    for (;; ++i) {
      const char last = static_cast<char>(std::tolower(static_cast<unsigned char>(at(i - 1))));
      const bool after_exponent = last == (hexadecimal ? 'p' : 'e');
      const char c = at(i);
      if (continues_name(c) || c == '.' || ((c == '+' || c == '-') && after_exponent) ||
          (c == '\'' && continues_name(at(i + 1)))) {
        continue;
      }
      return i - at_;
    }
  }

  [[nodiscard]] std::size_t name_length() const {
    std::size_t i = at_;
    for (;;) {
      while (continues_name(at(i))) {
        ++i;
      }
      if (at(i) == '#' && is_digit(at(i + 1))) { // the second buffer of a name
        ++i;
        continue;
      }
      if (at(i) != ':' || at(i + 1) != ':' || !begins_name(at(i + 2))) {
        return i - at_;
      }
      i += 2;
    }
  }

  [[nodiscard]] std::size_t character_length() const {
    for (std::size_t i = at_ + 1; i < text_.size(); ++i) {
      if (text_[i] == '\\') {
        ++i;
      } else if (text_[i] == '\'') {
        return i + 1 - at_;
      }
    }
    throw expression_error("the character has no closing '", at_);
  }

  token symbol() {
    for (const std::string_view s : long_symbols) {
      if (text_.substr(at_, s.size()) == s) {
        return take(token_kind::symbol, s.size());
      }
    }
    const char c = at(at_);
    if (short_symbols.find(c) == std::string_view::npos) {
      if (c == '?') {
        throw expression_error("'?:' is not supported", at_);
      }
      if (c == '"') {
        throw expression_error("strings are not supported", at_);
      }
      throw expression_error(fmt::format("'{}' is no part of an expression", c), at_);
    }
    return take(token_kind::symbol, 1);
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

// ---------------------------------------------------------------------------------------- literals

[[noreturn]] void no_number(const token& t) {
  throw expression_error(fmt::format("'{}' is no number", t.text), t.column);
}

value floating_literal(const token& t, std::string digits) {
  const bool is_float = digits.back() == 'f' || digits.back() == 'F';
  if (is_float) {
    digits.pop_back();
  }
  char* end = nullptr;
  const char* const begin = digits.c_str();
  const float narrow = std::strtof(begin, &end);
  if (end != begin + digits.size()) {
    no_number(t);
  }
  return is_float ? make_float(narrow) : make_double(std::strtod(begin, nullptr));
}

/// The first type of C++'s list that has the value.
value integer_literal(const token& t, std::string digits, int base) {
  bool is_unsigned = false;
  bool is_long = false;
  while (!digits.empty() &&
         std::string_view("uUlL").find(digits.back()) != std::string_view::npos) {
    (digits.back() == 'u' || digits.back() == 'U' ? is_unsigned : is_long) = true;
    digits.pop_back();
  }
  const std::string_view significant =
      std::string_view(digits).substr(base == 16 || base == 2 ? 2 : 0);
  char* end = nullptr;
  errno = 0;
  const std::uint64_t x = std::strtoull(significant.data(), &end, base);
  if (significant.empty() || end != digits.data() + digits.size()) {
    no_number(t);
  }
  if (errno == ERANGE) {
    throw expression_error(fmt::format("{} does not fit in 64 bits", t.text), t.column);
  }
  const bool may_be_unsigned = is_unsigned || base != 10;
  const auto fits = [&](std::uint64_t limit) { return x <= limit; };
  element kind = element::i64;
  if (!is_long && !is_unsigned && fits(std::numeric_limits<std::int32_t>::max())) {
    kind = element::i32;
  } else if (!is_long && may_be_unsigned && fits(std::numeric_limits<std::uint32_t>::max())) {
    kind = element::i32;
    is_unsigned = true;
  } else if (!fits(std::numeric_limits<std::int64_t>::max())) {
    is_unsigned = true;
  }
  return make_integer(static_cast<std::int64_t>(x), kind, is_unsigned);
}

std::optional<char> escaped(std::string_view after_backslash) {
  if (after_backslash.size() > 1 && after_backslash[0] == 'x') {
    char* end = nullptr;
    const std::string digits(after_backslash.substr(1));
    const unsigned long x = std::strtoul(digits.c_str(), &end, 16);
    return *end == '\0' && x < 256 ? std::optional(static_cast<char>(x)) : std::nullopt;
  }
  constexpr std::string_view letters = "ntr0abfv\\'\"";
  constexpr std::string_view meant("\n\t\r\0\a\b\f\v\\'\"", 11);
  const std::size_t i =
      after_backslash.size() == 1 ? letters.find(after_backslash[0]) : std::string_view::npos;
  return i != std::string_view::npos ? std::optional(meant[i]) : std::nullopt;
}

} // namespace

std::vector<token> tokens_of(std::string_view text) {
  return tokenizer(text).all();
}

value number_literal(const token& t) {
  std::string digits(t.text);
  digits.erase(std::remove(digits.begin(), digits.end(), '\''), digits.end());
  const char second = digits.size() > 1
                          ? static_cast<char>(std::tolower(static_cast<unsigned char>(digits[1])))
                          : '\0';
  const bool hexadecimal = digits[0] == '0' && second == 'x';
  const bool floating = digits.find('.') != std::string::npos ||
                        digits.find_first_of(hexadecimal ? "pP" : "eE") != std::string::npos;
  if (floating) {
    return floating_literal(t, std::move(digits));
  }
  const int base = hexadecimal ? 16 : digits[0] != '0' ? 10 : second == 'b' ? 2 : 8;
  return integer_literal(t, std::move(digits), base);
}

value character_literal(const token& t) {
  const std::string_view inside = t.text.substr(1, t.text.size() - 2);
  std::optional<char> c;
  if (inside.size() == 1) {
    c = inside[0];
  } else if (inside.size() > 1 && inside[0] == '\\') {
    c = escaped(inside.substr(1));
  }
  if (!c) {
    throw expression_error(fmt::format("{} is no single character", t.text), t.column);
  }
  value v = make_integer(static_cast<signed char>(*c), element::i8, false);
  v.type.spelling = "char";
  return v;
}

} // namespace tilesim::sim::step
