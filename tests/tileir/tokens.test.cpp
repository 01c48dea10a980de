// Recorded kernels whose order is that of tokens: what races without them, and not with them.
//
// SPDX-License-Identifier: Apache-2.0
#include "tests/tileir/device.hpp"

#include <set>
#include <utility>
#include <vector>

using namespace tilesim;
using test::device;
using test::line_of;
using test::lines_of;

namespace {

using line_pair = std::set<unsigned>;

/// What of two accesses of a kernel is told.
std::set<std::pair<finding_kind, line_pair>> told(const device& d) {
  std::set<std::pair<finding_kind, line_pair>> all;
  for (const finding& f : d.findings()) {
    all.emplace(f.kind, lines_of(f));
  }
  return all;
}

/// Runs in_turn; what it writes last is right.
void run_in_turn(device& d, const std::string& name) {
  constexpr int tile = 16;
  float* const x = d.array(std::vector<float>(std::size_t{8} * tile, 0));
  float* const y = d.array(std::vector<float>(std::size_t{11} * tile, 0));
  d.tensor(x, {8 * tile}).tensor(y, {11 * tile}).scalar(3).run(name, dim3(1));
  CHECK(x[tile] == 1.0F);
  CHECK(y[9 * tile] == 5.0F);
  CHECK(y[10 * tile] == 7.0F);
}

} // namespace

// [Tile IR: memory model] Operations of a block are ordered by their tokens only: through joins,
// what a loop carries, results of branches, breaks out of both, and a print.
TEST_CASE("accesses that wait for each other do not race, and without tokens each pair does",
          "[tileir][run]") {
  device ordered({.races = true});
  run_in_turn(ordered, "in_turn");
  CHECK(told(ordered).empty());

  device unordered({.races = true});
  run_in_turn(unordered, "in_turn_unordered");
  std::set<std::pair<finding_kind, line_pair>> want;
  for (const auto& [first, second] : {std::pair{"# 0: first", "# 0: second"},
                                      std::pair{"# 1: first", "# 1: second"},
                                      std::pair{"# 3: around the loop", "# 3: and within it"},
                                      std::pair{"# 5: first", "# 5: second"},
                                      std::pair{"# 6: first", "# 6: second"}}) {
    want.emplace(finding_kind::token_race, line_pair{line_of(first), line_of(second)});
  }
  CHECK(told(unordered) == want);

  device not_asked; // without the race detector nobody looks
  run_in_turn(not_asked, "in_turn_unordered");
  CHECK(not_asked.findings().empty());
}

// [Tile IR: memory model] What is to be seen by who acquires is what the release waits for.
TEST_CASE("a release that waits for nothing hands nothing on", "[tileir][run]") {
  device d({.races = true});
  float* const x = d.array(std::vector<float>(8, 0));
  int* const flag = d.array(std::vector<int>{0});
  d.tensor(x, {8}).tensor(flag, {1}).run("message_unordered", dim3(2));
  CHECK(told(d) == std::set{std::pair{
                       finding_kind::data_race,
                       line_pair{line_of("ct.store(x, index=(0,), tile=ct.full((4,), 1.0, f32))"),
                                 line_of("tile=ct.load(x, index=(0,), shape=(4,)))")}}});
}

// [cuTile: execution model] No arrays passed to a kernel alias one another.
TEST_CASE("one array under two names is accessed in no order", "[tileir][run]") {
  device d({.races = true});
  float* const x = d.array(std::vector<float>(16, 1));
  float* const y = d.array(std::vector<float>(16, 1));
  d.tensor(x, {16}).tensor(y, {16}).run("two_names", dim3(1));
  CHECK(told(d).empty());
  d.tensor(x, {16}).tensor(x, {16}).run("two_names", dim3(1));
  REQUIRE(d.findings().size() == 1);
  const finding& f = d.findings().front();
  CHECK(f.kind == finding_kind::token_race);
  CHECK(f.message.find("weak store and weak load by one block") == 0);
  CHECK(lines_of(f) == std::set{line_of("tile=ct.load(x, index=(0,), shape=(size,)) + 1.0)")});
}

// [memory-model.md, G.12] NVIDIA's C++ compiler names the last turn of a loop only in what follows
// it.
TEST_CASE("bytecode of NVIDIA's C++ compiler is in the order of its text", "[tileir][run]") {
  for (const std::string& name : test::recorded_names()) {
    INFO(name);
    CHECK(interpreter::load(test::recorded(name)).orders_by_tokens() == (name.find("cuda_") != 0));
  }
}
