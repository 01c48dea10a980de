// Shorter schedules: what is tried, and what is kept.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/check/minimise.hpp"

#include <nlohmann/json.hpp>
#include <string>
#include <support/catch.hpp>
#include <vector>

using namespace tilesim::tools;
using tilesim::sim::parse_turns;

namespace {

witness shown(const char* history, const char* parties, std::uint64_t blocks, std::uint64_t turns) {
  return {.which = tilesim::sim::parse_schedule("random_e220a838").value(),
          .blocks = blocks,
          .turns = turns,
          .history = parse_turns(history).value(),
          .parties = parse_turns(parties).value()};
}

std::vector<std::string> texts(const std::vector<std::vector<tilesim::sim::turn>>& candidates) {
  std::vector<std::string> list;
  for (const auto& c : candidates) {
    list.push_back(to_string(c));
  }
  return list;
}

using list = std::vector<std::string>;

program_run run_that_found(std::uint64_t blocks,
                           std::uint64_t turns,
                           const std::string& history,
                           const char* kind = "data-race",
                           const std::string& stale = "") {
  program_run run;
  run.report = {{"how", "ended"},
                {"operations", 1},
                {"judged", 1},
                {"findings",
                 {{{"code", kind},
                   {"severity", "error"},
                   {"message", "m"},
                   {"details", nlohmann::json::array()},
                   {"remedy", ""},
                   {"count", 1},
                   {"where", nlohmann::json::array()},
                   {"other", nlohmann::json::array()},
                   {"through", nlohmann::json::array()},
                   {"other_through", nlohmann::json::array()},
                   {"blocks", blocks},
                   {"turns", turns},
                   {"shown_by", history},
                   {"parties", "3,7"},
                   {"stale", stale},
                   {"stale_reads", nlohmann::json::array()},
                   {"variants", nlohmann::json::array()},
                   {"known", -1},
                   {"if_results_differ", false}}}}};
  return run;
}

} // namespace

TEST_CASE("the finding's threads come first, then what the schedule had of them", "[tools]") {
  CHECK(texts(first_candidates(shown("1,3@2,7,3,9", "3,7", 4, 5))) ==
        list{"3,7", "7,3", "3@2,7,3", "1,3,7,9", "1,3@2,7,3,9"});
  CHECK(texts(first_candidates(shown("1,3", "3,3", 2, 2))) == list{"3", "3", "3", "1,3", "1,3"});
}

TEST_CASE("then what round robin does by itself, other threads and each turn are left out",
          "[tools]") {
  CHECK(texts(smaller_candidates(shown("1,3@2,7,3", "3,7", 3, 4))) ==
        list{"1,3@2", "1,3@2,7", "3@2,7,3", "3@2,7,3", "1,7,3", "1,3", "1,3@2,7"});
  const auto many = texts(smaller_candidates(shown("0,1,2,3,4,9", "9", 6, 6)));
  CHECK(many.front() == "0");
  CHECK(list(many.begin() + 1, many.begin() + 11) == list{"3,4,9",
                                                          "0,1,2,9",
                                                          "2,3,4,9",
                                                          "0,1,4,9",
                                                          "0,1,2,3,9",
                                                          "1,2,3,4,9",
                                                          "0,2,3,4,9",
                                                          "0,1,3,4,9",
                                                          "0,1,2,4,9",
                                                          "0,1,2,3,9"});
}

TEST_CASE("one turn for each thread that a finding speaks of is the least", "[tools]") {
  CHECK_FALSE(is_minimal(shown("3,7", "3,7", 2, 2))); // the turns are shorter than the seed
  auto w = shown("3,7", "3,7", 2, 2);
  w.which = tilesim::sim::parse_schedule("3,7").value();
  CHECK(is_minimal(w));
  w.which = {};
  CHECK(is_minimal(w));
  w.turns = 3;
  CHECK_FALSE(is_minimal(w));
  w.turns = 2;
  w.parties.pop_back();
  CHECK_FALSE(is_minimal(w));
}

namespace {

/// Shortens by runs that `perform` stands for; what is expected has to come, or something better.
void shorten(check_report& report, const std::function<bool(const schedule&, polling)>& perform) {
  std::vector<schedule> expected;
  polling expected_how = polling::full;
  std::size_t next = 0;
  minimise(report,
           {.perform =
                [&](const schedule& s, polling how) {
                  if (how == expected_how && next < expected.size()) {
                    CHECK(s == expected[next++]);
                  }
                  return perform(s, how);
                },
            .expect =
                [&](const std::vector<schedule>& coming, polling how) {
                  expected = coming;
                  expected_how = how;
                  next = 0;
                }});
}

} // namespace

TEST_CASE("a simpler schedule is kept, and no other", "[tools]") {
  check_report report;
  report.program = "0123456789abcdef";
  report.add(tilesim::sim::parse_schedule("random_e220a838").value(),
             run_that_found(4, 9, "1,3@1,7,3,5,7,1,5,3"));
  CHECK(report.findings.at(0).replay == "2-random_e220a838-0123456789abcdef");
  list tried;
  shorten(report, [&](const schedule& s, polling) {
    tried.push_back(to_string(s));
    if (tried.back() == "7,3") { // shows it
      report.add_witness(s, run_that_found(2, 2, "7,3"));
    }
    if (tried.back() == "3,7") { // shows it no better
      report.add_witness(s, run_that_found(9, 9, "7,3"));
    }
    return true;
  });
  CHECK(tried == list{"3,7", "7,3"});
  CHECK(report.findings.at(0).replay == "2-7,3-0123456789abcdef");
  CHECK(report.findings.at(0).count == 1);
  CHECK(report.runs.size() == 1);
}

TEST_CASE("a deadlock that brief runs show is kept if a full run shows it", "[tools]") {
  const bool real = GENERATE(false, true);
  check_report report;
  report.program = "0123456789abcdef";
  report.add(tilesim::sim::parse_schedule("random_e220a838").value(),
             run_that_found(4, 9, "1,3@1,7,3,5,7,1,5,3", "deadlock"));
  std::vector<std::pair<std::string, polling>> tried;
  shorten(report, [&](const schedule& s, polling how) {
    tried.emplace_back(to_string(s), how);
    if (to_string(s) == "7,3" && (how == polling::brief || real)) {
      report.add_witness(s, run_that_found(2, 2, "7,3", "deadlock"));
    }
    return true;
  });
  CHECK(tried ==
        decltype(tried){{"3,7", polling::brief}, {"7,3", polling::brief}, {"7,3", polling::full}});
  CHECK(report.findings.at(0).replay ==
        (real ? "2-7,3-0123456789abcdef" : "2-random_e220a838-0123456789abcdef"));
}

TEST_CASE("no candidate has more than 64 characters", "[tools]") {
  check_report report;
  report.program = "0123456789abcdef";
  std::string history = "100000001@1000000";
  for (int i = 2; i < 8; ++i) {
    history += ",10000000" + std::to_string(i) + "@1000000";
  }
  report.add(tilesim::sim::parse_schedule("random_e220a838").value(),
             run_that_found(7, 7, history));
  shorten(report, [&](const schedule& s, polling) {
    CHECK(to_string(replay{s, report.program}).size() <= 64);
    return true;
  });
  CHECK(report.findings.at(0).replay == "2-random_e220a838-0123456789abcdef");
}

TEST_CASE("time that is over ends the search", "[tools]") {
  check_report report;
  report.program = "0123456789abcdef";
  report.add({}, run_that_found(4, 4, "1,2,3,7"));
  int runs = 0;
  shorten(report, [&](const schedule&, polling) { return ++runs < 2; });
  CHECK(runs == 2);
  CHECK(report.findings.at(0).replay == "2-rr-0123456789abcdef");
}

TEST_CASE("stale reads are left out by halves, and one by one", "[tools]") {
  const auto texts_of = [](const char* reads) {
    list texts;
    for (const auto& l : fewer(tilesim::sim::parse_stale_choices(reads).value())) {
      texts.push_back(to_string(l));
    }
    return texts;
  };
  CHECK(texts_of("0@1:1").empty());
  // Without the first poll the read behind it is one earlier.
  CHECK(texts_of("1@0:1,1@2:1") == list{"1@0:1", "1@2:1", "1@1:1", "1@2:1", "1@1:1", "1@0:1"});
  CHECK(texts_of("0@1:1,1@2:1") == list{"0@1:1", "1@2:1", "1@2:1", "0@1:1"});
  CHECK(texts_of("0@1:1,1@2:1,2@0:3") == list{"0@1:1,1@2:1",
                                              "2@0:3",
                                              "2@0:3",
                                              "0@1:1,1@2:1",
                                              "0@1:1",
                                              "1@2:1",
                                              "2@0:3",
                                              "1@2:1,2@0:3",
                                              "0@1:1,2@0:3",
                                              "0@1:1,1@2:1"});
}

TEST_CASE("a witness without stale reads is the simplest, then one with fewest", "[tools]") {
  auto two = shown("3,7", "3,7", 2, 2);
  two.stale = tilesim::sim::parse_stale_choices("3@0:1,7@0:1").value();
  auto one = shown("3,7,3,7", "3,7", 2, 4);
  one.stale = tilesim::sim::parse_stale_choices("7@0:1").value();
  const auto none = shown("1,2,3,7,3,7,3", "3,7", 4, 7);
  CHECK(one.simpler_than(two));
  CHECK(none.simpler_than(one));
  CHECK_FALSE(is_minimal(one));
}

TEST_CASE("what only a weak execution shows keeps the stale reads that it takes, in turns",
          "[tools]") {
  check_report report;
  report.program = "0123456789abcdef";
  report.add(tilesim::sim::parse_schedule("random_e220a838_w").value(),
             run_that_found(2, 4, "3@1,7,3", "data-race", "3@0:1,3@1:1,7@0:1,7@1:2"));
  minimise(report,
           {.perform =
                [&](const schedule& s, polling) {
                  for (const auto& read : s.stale) {
                    if (read == tilesim::sim::stale_choice{1, 7, 0, 1}) {
                      report.add_witness(
                          s, run_that_found(2, 2, "3,7", "data-race", to_string(s.stale)));
                    }
                  }
                  return true;
                },
            .expect = [](const std::vector<schedule>&, polling) {}});
  CHECK(to_string(report.findings[0].shown.which) == "3_0_e220a838_r7@0:1");
  CHECK(report.findings[0].replay == "2-3_0_e220a838_r7@0:1-0123456789abcdef");
}
