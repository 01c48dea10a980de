// Reading what a command is given.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/step/words.hpp"

#include "tools/cli/numbers.hpp"
#include "tools/cli/scanner.hpp"

#include <tilesim/report.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cstring>
#include <sys/wait.h>

namespace tilesim::tools::step {

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) {
    return {};
  }
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

std::pair<std::string_view, std::string_view> first_word(std::string_view text) {
  text = trimmed(text);
  const auto end = std::min(text.find_first_of(" \t"), text.size());
  return {text.substr(0, end), trimmed(text.substr(end))};
}

std::uint64_t count_argument(std::string_view text, std::string_view command) {
  if (text.empty()) {
    return 1;
  }
  const auto n = number<std::uint64_t>(text);
  if (!n || *n == 0) {
    throw command_error(
        fmt::format("{} takes a number of times, 1 or more, not '{}'", command, text));
  }
  return *n;
}

namespace {

/// "3,0,0" or "(3,0,0)", as far as it goes.
std::optional<coordinates> read_coordinates(scanner& text) {
  coordinates all{};
  text.literal("(");
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (i != 0 && !text.literal(",")) {
      return {};
    }
    text.blanks();
    const auto digits = text.digits();
    const auto* end = digits.data() + digits.size();
    if (std::from_chars(digits.data(), end, all.at(i)).ec != std::errc{}) {
      return {}; // none, or more than any block has
    }
    text.blanks();
  }
  text.literal(")");
  return all;
}

} // namespace

block_name block_argument(std::string_view text) {
  if (std::all_of(text.begin(), text.end(), is_digit)) {
    if (const auto one = number<std::uint64_t>(text)) {
      return *one;
    }
  }
  scanner word(text);
  if (const auto three = read_coordinates(word); three && word.at_end()) {
    return *three;
  }
  throw command_error(fmt::format("a block is a number or x,y,z, not '{}'", shortened(text)));
}

namespace {

/// Where a word "if" stands that a condition follows, or nothing.
std::size_t condition_in(std::string_view text) {
  for (auto at = text.find("if"); at != std::string_view::npos; at = text.find("if", at + 1)) {
    if ((at == 0 || is_blank(text[at - 1])) && (at + 2 == text.size() || is_blank(text[at + 2]))) {
      return at;
    }
  }
  return std::string_view::npos;
}

/// "block=(x,y,z)" in a text: where it begins and ends.
std::optional<std::pair<std::size_t, std::size_t>> coordinates_in(std::string_view text) {
  constexpr std::string_view wanted = "block=(";
  for (auto at = text.find(wanted); at != std::string_view::npos; at = text.find(wanted, at + 1)) {
    scanner rest(text.substr(at + wanted.size() - 1));
    if (read_coordinates(rest) && text[text.size() - rest.rest().size() - 1] == ')') {
      return std::pair(at, text.size() - rest.rest().size());
    }
  }
  return {};
}

} // namespace

bool is_address(std::string_view text) {
  scanner s(text);
  return (s.literal("0x") || s.literal("0X")) && !s.at_end() &&
         std::all_of(s.rest().begin(), s.rest().end(), [](char c) {
           return std::isxdigit(static_cast<unsigned char>(c)) != 0;
         });
}

bool is_always_the_same_place(std::string_view expression) {
  scanner s(expression);
  if (s.literal("*(")) {
    const auto type = s.take([](char c) { return is_name(c) || c == ' '; });
    if (type.empty() || !s.literal("*)")) {
      return false;
    }
    s.blanks();
    return is_address(s.rest());
  }
  s.blanks();
  if (!s.one(is_name_start)) {
    return false;
  }
  s.take([](char c) { return is_name(c) || c == ':' || c == '.' || c == '#'; });
  bool slice = false;
  while (s.literal("[")) {
    const auto index = s.take([](char c) { return is_digit(c) || is_blank(c) || c == ':'; });
    if (slice || !s.literal("]")) {
      return false; // only the last may be a range
    }
    slice = index.empty() || !std::all_of(index.begin(), index.end(), is_digit);
  }
  s.blanks();
  return s.at_end();
}

namespace {

/// Takes one word of what break takes into `where`.
void read_word(std::string_view word, location& where) {
  if (word.substr(0, 3) == "op=") {
    if (word.size() == 3) {
      throw command_error("op= takes an operation's name, as op=atomic_add");
    }
    where.operation = word.substr(3);
  } else if (word.substr(0, 6) == "block=") {
    where.block = block_argument(word.substr(6));
  } else if (word.substr(0, 7) == "launch=") {
    where.launch = number<std::uint64_t>(word.substr(7));
    if (!where.launch) {
      throw command_error("launch= takes a launch's number, as launch=3");
    }
  } else if (word == "choice") {
    where.choice = true;
  } else if (const auto line = number<std::uint64_t>(word)) {
    where.line = *line;
    where.file.clear();
  } else if (const auto colon = word.rfind(':');
             colon != std::string_view::npos && colon > 0 && word[colon - 1] != ':') {
    const auto after = number<std::uint64_t>(word.substr(colon + 1));
    if (!after) {
      throw command_error(
          fmt::format("FILE:LINE takes a line number, not '{}'", word.substr(colon + 1)));
    }
    where.file = word.substr(0, colon);
    where.line = *after;
  } else {
    where.kernel = word;
  }
}

} // namespace

location read_location(std::string_view text) {
  location where;
  std::string rest(trimmed(text));
  if (const auto at = condition_in(rest); at != std::string::npos) {
    where.condition = trimmed(std::string_view(rest).substr(at + 2));
    if (where.condition.empty()) {
      throw command_error("wanted: an expression behind if: break 18 if sum > 9");
    }
    rest.resize(at);
  }
  if (const auto found = coordinates_in(rest)) {
    const auto begin = found->first + std::strlen("block=");
    where.block = block_argument(std::string_view(rest).substr(begin, found->second - begin));
    rest.replace(found->first, found->second - found->first, " ");
  }
  if (trimmed(rest).empty() && where.condition.empty() && !where.block) {
    throw command_error(
        "wanted: [FILE:]LINE, KERNEL, op=NAME, block=N, launch=N or choice, and if EXPRESSION");
  }
  for (auto [word, behind] = first_word(rest); !word.empty();
       std::tie(word, behind) = first_word(behind)) {
    read_word(word, where);
  }
  return where;
}

std::string ended_by_finding(const std::vector<protocol::finding>& found) {
  const bool crash = std::ranges::any_of(
      found, [](const protocol::finding& f) { return f.code == code(finding_kind::crash); });
  return crash ? "the program ends here"
               : "tilesim ends the program here: a GPU would not survive it either";
}

std::string ended_how(int wait_status) {
  return WIFSIGNALED(wait_status)
             ? fmt::format(
                   "by signal {} ({})", WTERMSIG(wait_status), strsignal(WTERMSIG(wait_status)))
             : fmt::format("with status {}, without exit()", WEXITSTATUS(wait_status));
}

} // namespace tilesim::tools::step
