// Sums as text: a line each, files and kernels by number.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/contract/sum_table.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <map>
#include <system_error>

namespace tilesim::sim {

namespace {

constexpr std::string_view head = "tilesim-sums 1";
constexpr std::array<std::string_view, 3> ways{"apart", "fused", "open"};

/// For a message: shortened, and of bytes that can be printed.
std::string quoted(std::string_view text) {
  constexpr std::size_t most = 40;
  std::string shown(text.substr(0, most));
  std::ranges::replace_if(
      shown, [](char c) { return c < ' ' || c > '~'; }, '?');
  return "'" + shown + "'";
}

/// Names, by numbers as they come.
class numbered {
public:
  explicit numbered(const char* what)
      : what_(what) {}
  std::size_t operator()(const std::string& name, std::string& text) {
    const auto [found, is_new] = numbers_.try_emplace(name, numbers_.size());
    if (is_new) {
      text += std::string(what_) + ' ' + name + '\n';
    }
    return found->second;
  }

private:
  const char* what_;
  std::map<std::string, std::size_t> numbers_;
};

std::string text_of(const sum_place& place, std::size_t file) {
  std::string text = std::to_string(file);
  for (const text_position& p : place.at) {
    text += ',' + std::to_string(p.line) + ':' + std::to_string(p.column);
  }
  return text;
}

class reader {
public:
  explicit reader(std::string_view text)
      : rest_(text) {}

  sum_table read() {
    if (!next_line() || line_ != head) {
      fail("'" + std::string(head) + "' is expected");
    }
    while (next_line()) {
      const std::string_view what = word();
      if (what == "file") {
        files_.emplace_back(line_);
      } else if (what == "kernel") {
        kernels_.emplace_back(line_);
      } else if (what == "sum") {
        sums_.push_back(sum());
      } else {
        fail(quoted(what) + " is not known");
      }
    }
    return std::move(sums_);
  }

private:
  [[noreturn]] void fail(const std::string& fact) const {
    throw bad_sum_table("line " + std::to_string(number_) + ": " + fact);
  }

  bool next_line() {
    if (rest_.empty()) {
      return false;
    }
    ++number_;
    const std::size_t end = std::min(rest_.find('\n'), rest_.size());
    line_ = rest_.substr(0, end);
    rest_.remove_prefix(std::min(end + 1, rest_.size()));
    return true;
  }

  std::string_view word() {
    const std::size_t end = std::min(line_.find(' '), line_.size());
    const std::string_view found = line_.substr(0, end);
    line_.remove_prefix(std::min(end + 1, line_.size()));
    return found;
  }

  /// Takes a number off the front.
  template <class T>
  T number(std::string_view& text) const {
    T value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc()) {
      fail("a number is expected, not " + quoted(text));
    }
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return value;
  }

  template <class T>
  T number_in_word() {
    std::string_view text = word();
    const T value = number<T>(text);
    if (!text.empty()) {
      fail(quoted(text) + " stands behind a number");
    }
    return value;
  }

  const std::string& named(const std::vector<std::string>& names, std::size_t which) const {
    if (which >= names.size()) {
      fail("name " + std::to_string(which) + ", but there are " + std::to_string(names.size()));
    }
    return names[which];
  }

  compiled_sum sum() {
    compiled_sum s;
    s.kernel = named(kernels_, number_in_word<std::size_t>());
    s.element = word();
    const auto* const way = std::ranges::find(ways, word());
    if (way == ways.end()) {
      fail("no such way to add");
    }
    s.is = static_cast<compiled_sum::how>(way - ways.begin());
    while (!line_.empty()) {
      std::string_view text = word();
      if (text == "two") {
        s.of_two = true;
      } else if (text == "scalar") {
        s.scalar = true;
      } else {
        s.frames.push_back(place(text));
      }
    }
    if (s.frames.empty()) {
      fail("a sum stands somewhere");
    }
    return s;
  }

  sum_place place(std::string_view text) const {
    sum_place p{.file = named(files_, number<std::size_t>(text)), .at = {}};
    while (text.starts_with(',')) {
      text.remove_prefix(1);
      text_position at{.line = number<unsigned>(text), .column = 0};
      if (!text.starts_with(':')) {
        fail("a line has a column");
      }
      text.remove_prefix(1);
      at.column = number<unsigned>(text);
      p.at.push_back(at);
    }
    if (!text.empty() || p.at.empty()) {
      fail("a place is FILE,LINE:COLUMN…");
    }
    return p;
  }

  std::string_view rest_;
  std::string_view line_;
  std::size_t number_ = 0;
  std::vector<std::string> files_;
  std::vector<std::string> kernels_;
  sum_table sums_;
};

} // namespace

std::string to_text(const sum_table& sums) {
  std::string text = std::string(head) + '\n';
  numbered files("file");
  numbered kernels("kernel");
  for (const compiled_sum& s : sums) {
    std::string line = "sum " + std::to_string(kernels(s.kernel, text)) + ' ' + s.element + ' ' +
                       std::string(ways[static_cast<std::size_t>(s.is)]);
    line += s.of_two ? " two" : "";
    line += s.scalar ? " scalar" : "";
    for (const sum_place& f : s.frames) {
      line += ' ' + text_of(f, files(f.file, text));
    }
    text += line + '\n';
  }
  return text;
}

sum_table sums_from_text(std::string_view text) {
  return reader(text).read();
}

} // namespace tilesim::sim
