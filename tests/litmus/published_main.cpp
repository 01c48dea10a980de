// litmus_published [FOLDER]: holds the library to the verdicts on published PTX litmus tests.
//
// FOLDER/expected.csv has a row for each test: file below FOLDER/ptx, quantifier, verdict on the
// condition, race or free, and, where it is known, whether every fair execution terminates (1) or
// some may hang (0). Status 77, with a message, if there is no such folder; 1 if a verdict differs.
// SPDX-License-Identifier: Apache-2.0
#include "memmodel/litmus/enumerate.hpp"
#include "memmodel/litmus/reader.hpp"

#include <fmt/format.h>

#include <array>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

namespace {

using namespace tilesim::memmodel;
using namespace tilesim::memmodel::litmus;

constexpr int skipped = 77;

/// What the library says, in the words of the columns: quantifier, condition, race, terminates.
std::vector<std::string> verdicts(const std::string& text) {
  const test t = read_test(text);
  const result r = enumerate(t, ptx());
  const bool all = t.wanted == quantifier::forall;
  const bool holds = r.holds(t.wanted);
  return {all                                  ? "forall"
          : t.wanted == quantifier::not_exists ? "~exists"
                                               : "exists",
          all ? (holds ? "always" : "not-always") : (holds ? "allowed" : "forbidden"),
          r.racy == 0 ? "free" : "race",
          !r.terminates   ? ""
          : *r.terminates ? "1"
                          : "0"};
}

std::vector<std::string> columns_of(const std::string& line) {
  std::vector<std::string> out;
  std::istringstream in(line);
  for (std::string column; std::getline(in, column, ',');) {
    out.push_back(column);
  }
  return out;
}

/// The number of verdicts of a row that differ, each told.
int differences(const std::string& folder, std::vector<std::string> row) {
  static constexpr std::array names{"quantifier", "condition", "race", "terminates"};
  row.resize(names.size() + 1);
  std::ifstream in(folder + "/ptx/" + row.front(), std::ios::binary);
  if (!in) {
    fmt::print("{}: error: the file cannot be read\n", row.front());
    return 1;
  }
  const std::vector<std::string> got = verdicts({std::istreambuf_iterator<char>(in), {}});
  int count = 0;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::string& expected = row[i + 1];
    const bool unknown = expected.empty() && i == 3;
    if (!unknown && got[i] != expected) {
      fmt::print("{}: error: {} is '{}', expected '{}'\n", row.front(), names[i], got[i], expected);
      ++count;
    }
  }
  return count;
}

} // namespace

int main(int argc, char** argv) {
  const std::string folder = argc > 1 ? argv[1] : "";
  std::ifstream table(folder + "/expected.csv");
  if (folder.empty() || !table) {
    fmt::print("skipped: there are no published PTX litmus tests on this machine\n");
    return skipped;
  }
  std::string line;
  std::getline(table, line); // names of the columns
  int tests = 0;
  int wrong = 0;
  while (std::getline(table, line)) {
    const std::vector<std::string> row = columns_of(line);
    if (row.empty()) {
      continue;
    }
    ++tests;
    try {
      wrong += differences(folder, row);
    } catch (const syntax_error& e) {
      fmt::print("{}:{}:{}: error: {}\n", row.front(), e.at.line, e.at.column, e.message);
      ++wrong;
    } catch (const program_error& e) {
      fmt::print("{}:{}:{}: error: {}\n", row.front(), e.at.line, e.at.column, e.message);
      ++wrong;
    } catch (const limit_reached& e) {
      fmt::print("{}: error: {}\n", row.front(), e.what);
      ++wrong;
    }
  }
  if (tests == 0) {
    fmt::print("error: the table of expectations has no row\n");
    return 1;
  }
  fmt::print("{} published tests, {} differences\n", tests, wrong);
  return wrong == 0 ? 0 : 1;
}
