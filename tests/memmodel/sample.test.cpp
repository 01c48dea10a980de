// Executions that are drawn: none that the enumerator does not know, and in the end all of them.
//
// A million a run. SPDX-License-Identifier: Apache-2.0
#include "memmodel/brute_force.hpp"
#include "memmodel/explore/litmus.hpp"
#include "memmodel/litmus/reader.hpp"
#include "memmodel/random_program.hpp"
#include "support/catch.hpp"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>

using namespace tilesim;
using namespace tilesim::memmodel;

namespace {

using state = std::vector<litmus::value>;

std::set<state> states_of(const explore::litmus_result& r) {
  std::set<state> out;
  for (const auto& [s, count] : r.outcomes) {
    out.insert(s);
  }
  return out;
}

/// What the enumerator finds without load buffering.
std::set<state> allowed(const litmus::result& r) {
  std::set<state> out;
  for (const auto& [s, count] : r.outcomes) {
    if (count.unbuffered != 0) {
      out.insert(s);
    }
  }
  return out;
}

struct drawn_counts {
  std::uint64_t programs = 0;
  std::uint64_t complete = 0; ///< of which every execution came
};

void hold_against_enumerator(const litmus::test& t,
                             const std::string& text,
                             std::uint64_t count,
                             drawn_counts& all) {
  for (const model* m : {&ptx(), &sc()}) {
    const litmus::result known = litmus::enumerate(t, *m);
    const explore::litmus_result drawn = explore::sample(t, {m, false}, count, all.programs);
    CAPTURE(text, m->name);
    const std::set<state> expected = allowed(known);
    const std::set<state> got = states_of(drawn);
    REQUIRE(std::ranges::includes(expected, got));
    if (t.filter) { // the enumerator does not count what a filter takes out
      continue;
    }
    REQUIRE(drawn.counted.executions <= known.executions - known.buffered);
    ++all.programs;
    all.complete += drawn.counted.executions == known.executions - known.buffered ? 1U : 0U;
  }
}

litmus::test test_of(const std::string& text) {
  return litmus::read_test(text);
}

} // namespace

TEST_CASE("sample: a million drawn executions of random programs are the enumerator's") {
  std::mt19937 random(7);
  drawn_counts all;
  for (int i = 0; i < 1'000;) {
    const unsigned threads = 2 + static_cast<unsigned>(i % 2);
    const random_programs::program p =
        random_programs::random_program(random, {threads, 2, 3, false, true});
    if (brute_force::cost(p) > 3'000) {
      continue;
    }
    ++i;
    const std::string text = random_programs::text_of(p);
    hold_against_enumerator(litmus::read_test(text), text, 500, all);
  }
  CHECK(all.programs == 2'000);
  // Which are found is chance, and the same each time.
  CHECK(all.complete > 1'800);
}

TEST_CASE("sample: drawn executions of the project's litmus files are the enumerator's") {
  drawn_counts all;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(TILESIM_LITMUS_DIR)) {
    if (entry.path().extension() != ".litmus") {
      continue;
    }
    std::ifstream in(entry.path(), std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    try {
      hold_against_enumerator(litmus::read_test(text), entry.path().filename(), 300, all);
    } catch (const explore::not_explored& n) {
      CHECK(n.what != "");
    }
  }
  CHECK(all.programs > 500);
  CHECK(all.complete > 450);
}

TEST_CASE("sample: every execution of independent reads and of 2+2W is drawn") {
  const litmus::test iriw = test_of(R"(PTX IRIW
{ x=0; y=0; }
 P0@cta 0,gpu 0      | P1@cta 1,gpu 0      | P2@cta 2,gpu 0       | P3@cta 3,gpu 0       ;
 st.relaxed.gpu x, 1 | st.relaxed.gpu y, 1 | ld.relaxed.gpu r0, x | ld.relaxed.gpu r0, y ;
                     |                     | ld.relaxed.gpu r1, y | ld.relaxed.gpu r1, x ;
exists (P2:r0 == 1)
)");
  CHECK(explore::sample(iriw, {}, 2'000, 1).counted.executions == 16);
  const litmus::test writes = test_of(R"(PTX 2+2W
{ x=0; y=0; }
 P0@cta 0,gpu 0      | P1@cta 1,gpu 0      ;
 st.relaxed.gpu x, 1 | st.relaxed.gpu y, 1 ;
 st.relaxed.gpu y, 2 | st.relaxed.gpu x, 2 ;
exists (x == 1 /\ y == 1)
)");
  CHECK(explore::sample(writes, {}, 2'000, 1).counted.executions == 4);
  CHECK(explore::sample(writes, {&sc()}, 2'000, 1).counted.executions == 3);
}

TEST_CASE("sample: a thread that waits reads later, and the same seed draws the same") {
  const litmus::test lock = test_of(R"(PTX lock
{ x=0; }
 P0@cta 0,gpu 0           | P1@cta 1,gpu 0           ;
 atom.relaxed.gpu.add r0, x, 1 | atom.relaxed.gpu.add r0, x, 1 ;
exists (x == 2)
)");
  const explore::litmus_result one = explore::sample(lock, {}, 100, 3);
  const explore::litmus_result again = explore::sample(lock, {}, 100, 3);
  CHECK(one.counted.executions == 2);
  CHECK(states_of(one) == states_of(again));
  CHECK(one.counted.refused == 0);
}
