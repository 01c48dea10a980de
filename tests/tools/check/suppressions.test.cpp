// Suppressions: reading, matching, what is left over.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/check/suppressions.hpp"

#include "tools/cli/failure.hpp"

#include <support/catch.hpp>

using namespace tilesim::tools;

namespace {

checked_finding finding(std::string code,
                        std::vector<tilesim::source_frame> where,
                        std::vector<tilesim::source_frame> other = {}) {
  checked_finding f;
  f.code = std::move(code);
  f.where = std::move(where);
  f.other = std::move(other);
  return f;
}

bool matches(const std::string& line, const checked_finding& f) {
  return parse_suppressions("known.txt", line).at(0).matches(f);
}

} // namespace

TEST_CASE("suppressions are lines of a kind and a place", "[tools]") {
  const auto list =
      parse_suppressions("known.txt", "# reviewed\n\n  data-race\ta.cu:3 # by Eve\r\ndeadlock *");
  REQUIRE(list.size() == 2);
  CHECK(list[0].at == "known.txt:3");
  CHECK(list[0].what.code == "data-race");
  CHECK(list[0].what.place == "a.cu:3");
  CHECK(list[1].at == "known.txt:4");
  CHECK(list[1].what.place == "*");
  CHECK(parse_suppressions("known.txt", "").empty());
}

TEST_CASE("what is known of NVIDIA's headers is suppressed without a word", "[tools]") {
  std::vector<suppression> list;
  add_built_in(list);
  check_report report;
  report.findings.push_back(
      finding("uninitialised-read", {{"/opt/cccl/cub/block/block_merge_sort.cuh", 90, 25, "k"}}));
  report.findings.push_back(finding("uninitialised-read", {{"block_merge_sort.cuh", 90, 25, "k"}}));
  report.findings.push_back(
      finding("data-race", {{"/opt/cccl/cub/block/block_merge_sort.cuh", 90, 25, "k"}}));
  suppress(report, list);
  CHECK(report.findings[0].suppressed_by == "tilesim");
  CHECK(report.findings[1].suppressed_by.empty());
  CHECK(report.findings[2].suppressed_by.empty());
  check_report none;
  suppress(none, list);
  CHECK(none.remarks.empty());
}

TEST_CASE("a line that is no suppression is refused with its place", "[tools]") {
  const std::string expected =
      "known.txt:2: error: expected a kind of finding and a place, such as "
      "'data-race histogram.cu:23' or 'deadlock *'\n";
  CHECK_THROWS_WITH(parse_suppressions("known.txt", "\ndata-race\n"), expected);
  CHECK_THROWS_WITH(parse_suppressions("known.txt", "\ndata-race a.cu\n"), expected);
  CHECK_THROWS_WITH(parse_suppressions("known.txt", "\ndata-race a.cu:1 b.cu:2\n"), expected);
  CHECK_THROWS_WITH(parse_suppressions("known.txt", "data-rice *"),
                    "known.txt:1: error: 'data-rice' is no kind of finding; did you mean "
                    "'data-race'? docs/findings.md has them all\n");
}

TEST_CASE("suppressions match by kind and place", "[tools]") {
  const auto race = finding(
      "data-race", {{"src/a.cu", 3, 7, "k"}, {"src/main.cu", 20, 1, "main"}}, {{"b.cu", 5, 1, ""}});
  struct row {
    const char* line;
    bool matches;
  };
  const auto [line, expected] = GENERATE(values<row>({{"data-race src/a.cu:3", true},
                                                      {"data-race a.cu:3", true},
                                                      {"data-race a.cu:33", false},
                                                      {"data-race ba.cu:3", false},
                                                      {"data-race c/a.cu:3", false},
                                                      {"data-race b.cu:5", true},
                                                      {"data-race main.cu:20", true},
                                                      {"data-race *.cu:*", true},
                                                      {"data-race sr?/[ab].cu:3", true},
                                                      {"data-race *", true},
                                                      {"* a.cu:3", true},
                                                      {"*-race a.cu:3", true},
                                                      {"host-race a.cu:3", false}}));
  CAPTURE(line);
  CHECK(matches(line, race) == expected);
}

TEST_CASE("a finding without a place is suppressed by a star alone", "[tools]") {
  CHECK(matches("deadlock *", finding("deadlock", {})));
  CHECK_FALSE(matches("deadlock *:*", finding("deadlock", {})));
}

TEST_CASE("suppressed findings do not count, and lines without use are told", "[tools]") {
  check_report r;
  r.planned = 1;
  r.runs.push_back({.judged = 1});
  r.findings = {finding("data-race", {{"a.cu", 3, 7, "k"}})};
  CHECK(r.exit_code() == 1);
  auto list = parse_suppressions("known.txt", "data-race a.cu:3\ndata-race a.cu:4\n* a.cu:3\n");
  suppress(r, list);
  r.strict = true;
  CHECK(r.exit_code() == 0);
  CHECK(r.suppressed() == 1);
  CHECK(r.findings[0].suppressed_by == "known.txt:1");
  CHECK(r.remarks ==
        std::vector<std::string>{"known.txt:2: 'data-race a.cu:4' suppresses nothing"});
}
