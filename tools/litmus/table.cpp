// Reads tables of verdicts.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/litmus/table.hpp"

#include "tools/cli/failure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

namespace tilesim::tools {
namespace {

using memmodel::litmus::quantifier;

constexpr std::string_view header = "test,quantifier,condition,race,terminates";

std::vector<std::string> fields_of(std::string_view line) {
  std::vector<std::string> out;
  for (;;) {
    const auto end = line.find(',');
    out.emplace_back(line.substr(0, end));
    if (end == std::string_view::npos) {
      return out;
    }
    line.remove_prefix(end + 1);
  }
}

class row_reader {
public:
  row_reader(const std::string& file, std::uint32_t line)
      : file_(file)
      , line_(line) {}

  expected_row read(std::string_view text) {
    const auto fields = fields_of(text);
    if (fields.size() != 5) {
      fail(fmt::format("expected 5 fields ({}), found {}", header, fields.size()));
    }
    expected_row row;
    row.table = file_;
    row.line = line_;
    row.test = fields[0];
    if (row.test.empty()) {
      fail("expected the path of a test below the folder, found nothing");
    }
    row.quantifier = quantifier_named(fields[1]);
    if (row.quantifier == quantifier::forall) {
      row.condition = one_of("condition of a forall test", fields[2], {"always", "not-always"});
    } else {
      row.condition = one_of("condition", fields[2], {"allowed", "forbidden"});
    }
    row.race = one_of("race", fields[3], {"race", "free"});
    if (const auto ends = one_of("terminates", fields[4], {"1", "0", ""}); !ends.empty()) {
      row.terminates = ends == "1";
    }
    return row;
  }

private:
  quantifier quantifier_named(const std::string& word) const {
    for (const auto q : {quantifier::exists, quantifier::not_exists, quantifier::forall}) {
      if (word_of(q) == word) {
        return q;
      }
    }
    fail(fmt::format("quantifier: expected 'exists', '~exists' or 'forall', found '{}'", word));
  }

  [[nodiscard]] std::string one_of(std::string_view what,
                                   const std::string& word,
                                   const std::vector<std::string>& allowed) const {
    if (std::ranges::find(allowed, word) != allowed.end()) {
      return word;
    }
    std::string list;
    for (std::size_t i = 0; i < allowed.size(); ++i) {
      list += fmt::format("{}{}",
                          i == 0                    ? ""
                          : i + 1 == allowed.size() ? " or "
                                                    : ", ",
                          allowed[i].empty() ? "nothing" : '\'' + allowed[i] + '\'');
    }
    fail(fmt::format("{}: expected {}, found '{}'", what, list, word));
  }

  [[noreturn]] void fail(const std::string& what) const { fail_at(file_, line_, what); }

  const std::string& file_;
  std::uint32_t line_;
};

} // namespace

expected_table read_table(const std::string& file, std::string_view text) {
  expected_table table;
  for (std::uint32_t number = 1; !text.empty(); ++number) {
    const auto end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.ends_with('\r')) {
      line.remove_suffix(1);
    }
    if (number == 1) {
      if (line != header) {
        throw printed_failure(
            exit_input,
            fmt::format("{}:1: error: expected the header '{}', found '{}'\n", file, header, line));
      }
      continue;
    }
    if (line.empty()) {
      continue;
    }
    expected_row row = row_reader(file, number).read(line);
    const auto [before, added] = table.try_emplace(row.test, row);
    if (!added) {
      throw printed_failure(exit_input,
                            fmt::format("{}:{}: error: '{}' has a row already, in line {}\n",
                                        file,
                                        number,
                                        row.test,
                                        before->second.line));
    }
  }
  if (table.empty()) {
    throw printed_failure(
        exit_input,
        fmt::format("{}: error: expects nothing: there is no row below the header '{}'; leave "
                    "--expect away to run the tests against what they say themselves\n",
                    file,
                    header));
  }
  return table;
}

} // namespace tilesim::tools
