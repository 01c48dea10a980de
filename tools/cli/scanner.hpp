// Reads what a person typed from its front, piece by piece.
//
// In one pass and without recursion: std::regex recurses over its input, so that a long line ends
// the program.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cctype>
#include <optional>
#include <string_view>

namespace tilesim::tools {

[[nodiscard]] inline bool is_blank(char c) {
  return std::isspace(static_cast<unsigned char>(c)) != 0;
}
[[nodiscard]] inline bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
/// Of a name, but for its first character.
[[nodiscard]] inline bool is_name(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}
[[nodiscard]] inline bool is_name_start(char c) {
  return is_name(c) && !is_digit(c);
}

class scanner {
public:
  explicit scanner(std::string_view text)
      : rest_(text) {}

  [[nodiscard]] bool at_end() const { return rest_.empty(); }
  [[nodiscard]] std::string_view rest() const { return rest_; }

  /// As many characters as `belongs` takes.
  template <class Predicate>
  std::string_view take(Predicate belongs) {
    const auto end = std::find_if_not(rest_.begin(), rest_.end(), belongs);
    const auto taken = rest_.substr(0, static_cast<std::size_t>(end - rest_.begin()));
    rest_.remove_prefix(taken.size());
    return taken;
  }
  std::string_view digits() { return take(is_digit); }
  void blanks() { take(is_blank); }

  template <class Predicate>
  bool one(Predicate belongs) {
    const bool there = !rest_.empty() && belongs(rest_.front());
    rest_.remove_prefix(there ? 1 : 0);
    return there;
  }
  bool literal(std::string_view wanted) {
    const bool there = rest_.starts_with(wanted);
    rest_.remove_prefix(there ? wanted.size() : 0);
    return there;
  }

private:
  std::string_view rest_;
};

} // namespace tilesim::tools
