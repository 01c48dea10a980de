// The stepper's protocol: what is written is read again, and the page lists all of it.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/contract/step_protocol_json.hpp"

#include <fstream>
#include <map>
#include <string>
#include <support/catch.hpp>
#include <vector>

namespace tilesim::sim::step::protocol {
namespace {

using nlohmann::json;

/// The rows of docs/step-protocol.md's tables by their headings, "`name`" or "`name` always".
std::map<std::string, std::vector<std::string>> page() {
  std::map<std::string, std::vector<std::string>> sections;
  std::ifstream in(TILESIM_PROTOCOL_PAGE);
  REQUIRE(in);
  std::string heading;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("### ")) {
      sections[heading = line.substr(4)] = {};
    }
    if (!line.starts_with("| `")) {
      continue;
    }
    const std::size_t end = line.find('`', 3);
    const bool always = line.find("| always |", end) != std::string::npos;
    sections[heading].push_back(line.substr(3, end - 3) + (always ? " always" : ""));
  }
  return sections;
}

TEST_CASE("step protocol: the page lists every message and member") {
  auto told = page();
  for (const described& d : described_protocol()) {
    CAPTURE(d.title);
    std::vector<std::string> rows;
    for (const auto& m : d.members) {
      rows.push_back(m.name + (m.always ? " always" : ""));
    }
    REQUIRE(told.contains(d.title));
    CHECK(told.at(d.title) == rows);
    told.erase(d.title);
  }
  for (const std::string enumeration : {"stop_reason", "way", "led_by", "back_by"}) {
    CAPTURE(enumeration);
    CHECK(told[enumeration] == words_of(enumeration));
    told.erase(enumeration);
  }
  for (const auto& [heading, rows] : told) {
    FAIL_CHECK("nobody says '" << heading << "'");
  }
}

TEST_CASE("step protocol: what says nothing is left out, and reads as nothing") {
  CHECK(encode(go{.how = way::next}) == json{{"do", "go"}, {"how", "next"}});
  const auto read = decode<go>({{"how", "step"}, {"count", 3}});
  CHECK(read.how == way::step);
  CHECK(read.count == 3);
  CHECK(read.position == nowhere);
  CHECK(encode(locals{.most = 0}) == json{{"do", "locals"}, {"most", 0}});
  CHECK_FALSE(decode<schedule_now>({{"schedule", "random"},
                                    {"turns", ""},
                                    {"seed", 1},
                                    {"fill", 2},
                                    {"unfollowed", nullptr},
                                    {"position", 7}})
                  .unfollowed.size());
}

TEST_CASE("step protocol: a stop both ways") {
  stop said;
  said.reason = stop_reason::block_ended;
  said.breakpoints = {2, 5};
  said.position = 12;
  said.ended = "block (0,0,0) of k";
  said.thread = thread{.number = 4, .kernel = "k", .block = {1, 2, 3}, .in_block = {{0, 0, 7}}};
  said.last = operation{
      .name = "load_ptr_tko",
      .operands = {{value{.kind = "ptr", .shape = {2}, .texts = {"&a[0]", "-"}}, "pointers"}},
      .memory = {{.reads = true,
                  .order = "weak",
                  .places = {"a[0]", std::nullopt},
                  .sources = {0, std::nullopt},
                  .unwritten = {true, false}}}};
  const json j = encode(said);
  CHECK(j.at("event") == "stop");
  CHECK(j.at("reason") == "block ended");
  CHECK(j.at("last").at("operands")[0].at("role") == "pointers");
  CHECK(j.at("last").at("memory")[0].at("unwritten") == json{true, false});
  CHECK(j.at("last").at("memory")[0].at("places") == json{"a[0]", nullptr});
  CHECK_FALSE(j.contains("host"));
  CHECK(encode(decode<stop>(j)) == j);
}

TEST_CASE("step protocol: a block is a number, or x, y and z") {
  CHECK(encode(switch_to{.block = std::uint64_t{3}}).at("block") == 3);
  CHECK(encode(switch_to{.block = coordinates{1, 0, 2}}).at("block") == json{1, 0, 2});
  CHECK(decode<switch_to>({{"block", {1, 0, 2}}}).block == block_name(coordinates{1, 0, 2}));
  CHECK_THROWS_AS(decode<switch_to>({{"block", "three"}}), json::exception);
}

TEST_CASE("step protocol: a message that is wrong is refused") {
  CHECK_THROWS_AS(decode<go>({{"how", "sideways"}}), json::exception);
  CHECK_THROWS_AS(decode<go>(json::object()), json::exception);
  CHECK_THROWS_AS(decode<evaluate>({{"expression", 3}}), json::exception);
  CHECK_THROWS_AS(decode<evaluate>(json::array()), json::exception);
}

} // namespace
} // namespace tilesim::sim::step::protocol
