// Names of findings: written, read, compared.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/check/selector.hpp"

#include <string>
#include <support/catch.hpp>
#include <vector>

using namespace tilesim;
using namespace tilesim::tools;

namespace {

std::vector<source_frame> at(const char* file, unsigned line) {
  return {{file, line, 3, "kernel"}, {"main.cu", 1, 1, "main"}};
}

bool selects(const char* name,
             const std::vector<source_frame>& where,
             const std::vector<source_frame>& other) {
  const auto s = parse_selector(name);
  REQUIRE(s);
  return s->selects("data-race", where, other);
}

} // namespace

TEST_CASE("a finding's name selects it, whichever access comes first", "[tools]") {
  const auto here = at("src/a.cu", 12);
  const auto there = at("src/b.cu", 7);
  const auto name = name_finding("data-race", here, there);
  CHECK(name == "data-race@src/a.cu:12+src/b.cu:7");
  CHECK(selects(name.c_str(), here, there));
  CHECK(selects(name.c_str(), there, here));
  CHECK(selects("data-race", here, there));
  CHECK(selects("data-race@a.cu:12", here, there));
  CHECK(selects("data-race@b.cu:7", here, there));
  CHECK(selects("data-race@/home/me/src/a.cu:12", here, there));
  CHECK(name_finding("leak", {}, {}) == "leak");
  CHECK(to_string(*parse_selector(name)) == name);
}

TEST_CASE("another finding is not selected", "[tools]") {
  const auto here = at("src/a.cu", 12);
  const auto there = at("src/b.cu", 7);
  CHECK_FALSE(selects("data-race@a.cu:13", here, there));
  CHECK_FALSE(selects("data-race@c.cu:12", here, there));
  CHECK_FALSE(selects("data-race@xa.cu:12", here, there));
  CHECK_FALSE(selects("data-race@a.cu:12+a.cu:12", here, there));
  CHECK_FALSE(selects("data-race@a.cu:12+b.cu:7", here, {}));
  CHECK_FALSE(selects("out-of-bounds@a.cu:12", here, there));
}

TEST_CASE("findings of one line are told apart by columns", "[tools]") {
  const std::vector<source_frame> here{{"src/a.cu", 12, 5, "kernel"}};
  const std::vector<source_frame> there{{"src/a.cu", 12, 31, "kernel"}};
  const auto name = name_finding("data-race", here, there, name_with::columns);
  CHECK(name == "data-race@src/a.cu:12:5+src/a.cu:12:31");
  CHECK(selects(name.c_str(), here, there));
  CHECK(selects(name.c_str(), there, here));
  CHECK_FALSE(selects(name.c_str(), here, here));
  CHECK_FALSE(selects("data-race@a.cu:12:6", here, there));
  CHECK(selects("data-race@a.cu:12:31", here, there));
  CHECK(to_string(*parse_selector(name)) == name);
  // No column is known: any.
  CHECK(name_finding("data-race", {{"a.cu", 3, 0, ""}}, {}, name_with::columns) ==
        "data-race@a.cu:3");

  struct found {
    std::string code;
    std::vector<source_frame> where;
    std::vector<source_frame> other;
  };
  const std::vector<found> all{{"data-race", here, here},
                               {"data-race", there, there},
                               {"data-race", here, at("src/b.cu", 7)},
                               {"crash", here, {}}};
  CHECK(name_among(all, all[0]) == "data-race@src/a.cu:12:5+src/a.cu:12:5");
  CHECK(name_among(all, all[1]) == "data-race@src/a.cu:12:31+src/a.cu:12:31");
  CHECK(name_among(all, all[2]) == "data-race@src/a.cu:12+src/b.cu:7");
  CHECK(name_among(all, all[3]) == "crash@src/a.cu:12");
}

TEST_CASE("a finding that is told in other words is near to the one that is wanted", "[tools]") {
  using closeness = selector::closeness;
  const auto s = parse_selector("data-race@a.cu:12:5+b.cu:7:3");
  REQUIRE(s);
  CHECK(s->closeness_of("data-race", {{"a.cu", 12, 5, ""}}, at("b.cu", 7)) == closeness::same);
  CHECK(s->closeness_of("data-race", at("b.cu", 7), {{"a.cu", 12, 9, ""}}) == closeness::lines);
  CHECK(s->closeness_of("data-race", at("b.cu", 7), at("b.cu", 7)) == closeness::place);
  CHECK(s->closeness_of("data-race", at("a.cu", 13), at("b.cu", 8)) == closeness::none);
  CHECK(s->closeness_of("host-race", at("a.cu", 12), at("b.cu", 7)) == closeness::none);
  const auto one = parse_selector("crash@a.cu:12:5");
  REQUIRE(one);
  CHECK(one->closeness_of("crash", at("a.cu", 12), {}) == closeness::lines);
  CHECK(one->closeness_of("crash", at("a.cu", 11), {}) == closeness::none);
}

TEST_CASE("who waits for ever is one finding, wherever the first of them stands", "[tools]") {
  const auto s = parse_selector("deadlock@a.cu:12");
  REQUIRE(s);
  CHECK(s->selects("deadlock", at("a.cu", 19), {}));
  CHECK_FALSE(s->selects("livelock", at("a.cu", 12), {}));
}

TEST_CASE("what names no finding is not taken for a name", "[tools]") {
  for (const char* text : {"",
                           "race",
                           "data-race@",
                           "data-race@a.cu",
                           "data-race@a.cu:",
                           "data-race@:3",
                           "data-race@a.cu:x",
                           "data-race@a.cu:3+",
                           "data-race@a.cu:3+b.cu",
                           "data-race@a.cu:3 ",
                           "data-race@a.cu:99999999999"}) {
    CAPTURE(text);
    CHECK_FALSE(parse_selector(text));
  }
  // A column is a number, of one, and behind it stands nothing.
  const auto column = parse_selector("data-race@a.cu:3:7+b.cu:4");
  REQUIRE(column);
  CHECK(column->places == std::vector<selector::place>{{"a.cu", 3, 7}, {"b.cu", 4, 0}});
  const auto none = parse_selector("data-race@a.cu:3:0");
  REQUIRE(none);
  CHECK(none->places == std::vector<selector::place>{{"a.cu:3", 0, 0}});
  // A file may have such a name.
  const auto odd = parse_selector("data-race@a+b.cu:3+c@d.cu:4");
  REQUIRE(odd);
  CHECK(odd->places.at(0).file == "a+b.cu");
  CHECK(odd->places.at(1).file == "c@d.cu");
}
