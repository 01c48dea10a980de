// gdb's formats.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/step/formats.hpp"

#include "sim/contract/formats.hpp"
#include "tools/step/words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace tilesim::tools::step {
namespace {

using sim::step::format_letters;

constexpr std::size_t most_bytes = 1U << 20U;

/// Bytes of gdb's sizes b, h, w and g; 0 for another letter.
std::size_t unit_of(char letter) {
  switch (letter) {
  case 'b':
    return 1;
  case 'h':
    return 2;
  case 'w':
    return 4;
  case 'g':
    return 8;
  default:
    return 0;
  }
}

std::size_t usual_unit(char letter) {
  return letter == 'c' ? 1 : letter == 'a' ? 8 : 4;
}

[[noreturn]] void refuse(std::string_view word) {
  throw command_error(fmt::format("x/ takes a count, a form (x d u o t c a f) and a size (b h w "
                                  "g), at most {} bytes, not '{}': "
                                  "x/64 bins, x/8dw bins, x/4f bins",
                                  most_bytes,
                                  word));
}

/// What is between the slash and the blank, and what is behind.
std::pair<std::string_view, std::string_view> split_slash(std::string_view rest) {
  if (rest.empty() || rest.front() != '/') {
    return {{}, rest};
  }
  const auto end = std::min(rest.find_first_of(" \t"), rest.size());
  const auto expression = std::min(rest.find_first_not_of(" \t", end), rest.size());
  return {rest.substr(1, end - 1), rest.substr(expression)};
}

memory_format parse_memory_format(std::string_view word) {
  memory_format f;
  std::optional<std::size_t> count;
  std::optional<std::size_t> unit;
  for (std::size_t i = 0; i < word.size(); ++i) {
    const char c = word[i];
    if (std::isdigit(static_cast<unsigned char>(c)) != 0) {
      // A second number is none: "4d4".
      if (count && (i == 0 || std::isdigit(static_cast<unsigned char>(word[i - 1])) == 0)) {
        refuse(word);
      }
      count = (count.value_or(0) * 10) + static_cast<std::size_t>(c - '0');
      if (*count > most_bytes) {
        refuse(word);
      }
    } else if (unit_of(c) != 0 && !unit) {
      unit = unit_of(c);
    } else if (format_letters.find(c) != std::string_view::npos && !f.letter) {
      f.letter = c;
    } else {
      refuse(word);
    }
  }
  if (unit && !f.letter) {
    f.letter = 'x';
  }
  f.unit = unit.value_or(f.letter ? usual_unit(*f.letter) : 1);
  f.count = count.value_or(f.letter ? 1 : 64);
  if (f.count == 0 || f.count * f.unit > most_bytes) {
    refuse(word);
  }
  return f;
}

} // namespace

std::pair<memory_format, std::string_view> parse_examined(std::string_view rest) {
  const auto [word, expression] = split_slash(rest);
  if (word.empty() && !rest.empty() && rest.front() == '/') {
    refuse(word);
  }
  return {parse_memory_format(word), expression};
}

std::pair<std::optional<char>, std::string_view> parse_formatted(std::string_view rest) {
  if (rest.empty() || rest.front() != '/') {
    return {std::nullopt, rest};
  }
  const auto [word, expression] = split_slash(rest);
  if (word.size() != 1 || format_letters.find(word.front()) == std::string_view::npos) {
    throw command_error(fmt::format(
        "behind the slash stands one of x d u o t c a f, not '{}': print/x bins[3]", word));
  }
  return {word.front(), expression};
}

} // namespace tilesim::tools::step
