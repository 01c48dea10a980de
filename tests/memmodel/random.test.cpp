// Random programs: the library against a naive second enumerator, and laws that every model keeps.
//
// A failure prints the program as a litmus test, and the outcomes that are missing or unexpected.
// SPDX-License-Identifier: Apache-2.0
#include "memmodel/brute_force.hpp"
#include "memmodel/litmus/enumerate.hpp"
#include "memmodel/litmus/reader.hpp"
#include "memmodel/random_program.hpp"
#include "support/catch.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>
#include <set>

using namespace tilesim;
using namespace tilesim::random_programs;

namespace {

using state = std::vector<std::int64_t>;

struct answers {
  brute_force::answer what;
  std::set<state> outcomes;
};

answers of_library(const program& p, const memmodel::model& m = memmodel::ptx()) {
  const auto r = memmodel::litmus::enumerate(memmodel::litmus::read_test(text_of(p)), m);
  answers out;
  for (const auto& [s, count] : r.outcomes) {
    out.what.outcomes[s] = count.racy;
    out.outcomes.insert(s);
  }
  out.what.executions = r.executions;
  out.what.racy = r.racy;
  out.what.mixed_size_race = r.mixed_size_race;
  return out;
}

std::set<state> outcomes_of(const program& p, const memmodel::model& m = memmodel::ptx()) {
  return of_library(p, m).outcomes;
}

std::set<state> states(const brute_force::answer& a) {
  std::set<state> out;
  for (const auto& [s, racy] : a.outcomes) {
    out.insert(s);
  }
  return out;
}

/// The states of `a` that are not among those of `b`.
std::string beyond(const std::set<state>& a, const std::set<state>& b) {
  std::vector<state> more;
  std::ranges::set_difference(a, b, std::back_inserter(more));
  return fmt::format("{}", fmt::join(more, " "));
}

/// The next program with at most so many candidates.
program next_program(std::mt19937& random, const shape& s, double most) {
  for (;;) {
    program p = random_program(random, s);
    if (brute_force::cost(p) < most) {
      return p;
    }
  }
}

/// Three threads; every fourth time two, with accesses of different sizes.
program any_program(std::mt19937& random, int i) {
  return next_program(
      random, i % 4 == 0 ? shape{2, 2, 2, true, true} : shape{3, 2, 3, false, true}, 100'000);
}

/// Some access of the program that `fits`, none if there is none.
template <class F>
instruction* some_instruction(std::mt19937& random, program& p, F fits) {
  std::vector<instruction*> all;
  for (thread& t : p.threads) {
    for (instruction& i : t.code) {
      if (fits(i)) {
        all.push_back(&i);
      }
    }
  }
  return all.empty() ? nullptr : all[below(random, static_cast<unsigned>(all.size()))];
}

} // namespace

TEST_CASE("random programs: ptx against the naive enumerator: outcomes, executions, races") {
  struct row {
    shape s;
    int programs;
  };
  const row r = GENERATE(values<row>({
      {{2, 2, 3, false, true}, 300},
      {{3, 2, 2, false, true}, 300},
      {{3, 1, 3, false, false}, 60},
      {{4, 2, 2, false, true}, 60},
      {{2, 1, 3, true, true}, 150},
      {{3, 2, 2, true, false}, 150},
  }));
  std::mt19937 random(20240229 + 100 * r.s.threads + 10 * r.s.locations + r.s.instructions);
  for (int i = 0; i < r.programs; ++i) {
    const program p = next_program(random, r.s, 10'000);
    const brute_force::answer expected = brute_force::ptx(p);
    const answers got = of_library(p);
    CAPTURE(text_of(p));
    INFO("missing: " << beyond(states(expected), got.outcomes));
    INFO("unexpected: " << beyond(got.outcomes, states(expected)));
    REQUIRE(got.what.outcomes == expected.outcomes);
    REQUIRE(got.what.executions == expected.executions);
    REQUIRE(got.what.racy == expected.racy);
    REQUIRE(got.what.mixed_size_race == expected.mixed_size_race);
  }
}

TEST_CASE("random programs: sc against all interleavings") {
  const bool mixed = GENERATE(false, true);
  std::mt19937 random(mixed ? 11 : 12);
  for (int i = 0; i < 600; ++i) {
    const program p = next_program(random, {3, 2, 3, mixed, true}, 100'000);
    const std::set<state> expected = states(brute_force::interleavings(p));
    const std::set<state> got = outcomes_of(p, memmodel::sc());
    CAPTURE(text_of(p));
    INFO("missing: " << beyond(expected, got));
    INFO("unexpected: " << beyond(got, expected));
    REQUIRE(got == expected);
  }
}

TEST_CASE("random programs: what sc allows, ptx allows") {
  std::mt19937 random(1);
  for (int i = 0; i < 300; ++i) {
    const program p = any_program(random, i);
    CAPTURE(text_of(p));
    CHECK(beyond(outcomes_of(p, memmodel::sc()), outcomes_of(p)) == "");
  }
}

TEST_CASE("random programs: a stronger order never adds an outcome") {
  std::mt19937 random(2);
  for (int i = 0; i < 400; ++i) {
    const program p = any_program(random, i);
    program q = p;
    instruction* one = some_instruction(
        random, q, [](const instruction& in) { return orders_of(in.kind).size() > 1; });
    if (one == nullptr) {
      continue;
    }
    std::vector<order> stronger;
    for (const order o : orders_of(one->kind)) {
      if (at_least(o, one->order)) {
        stronger.push_back(o);
      }
    }
    one->order = stronger[below(random, static_cast<unsigned>(stronger.size()))];
    CAPTURE(text_of(p), text_of(q));
    CHECK(beyond(outcomes_of(q), outcomes_of(p)) == "");
  }
}

TEST_CASE("random programs: a wider scope never adds an outcome") {
  std::mt19937 random(3);
  for (int i = 0; i < 300; ++i) {
    const program p = any_program(random, i);
    program q = p;
    instruction* one = some_instruction(random, q, [](const instruction& in) {
      return in.order != order::weak && in.scope != scope::sys;
    });
    if (one == nullptr) {
      continue;
    }
    one->scope = static_cast<scope>(static_cast<unsigned>(one->scope) + 1);
    CAPTURE(text_of(p), text_of(q));
    CHECK(beyond(outcomes_of(q), outcomes_of(p)) == "");
  }
}

TEST_CASE("random programs: threads in one block have no outcome that threads apart have not") {
  std::mt19937 random(4);
  for (int i = 0; i < 200; ++i) {
    const program p = any_program(random, i);
    program q = p;
    for (thread& t : q.threads) {
      t.gpu = t.cluster = t.cta = 0;
    }
    CAPTURE(text_of(p), text_of(q));
    CHECK(beyond(outcomes_of(q), outcomes_of(p)) == "");
  }
}

TEST_CASE("random programs: one more fence never adds an outcome") {
  std::mt19937 random(5);
  for (int i = 0; i < 300; ++i) {
    const program p = any_program(random, i);
    program q = p;
    std::vector<instruction>& code =
        q.threads[below(random, static_cast<unsigned>(q.threads.size()))].code;
    instruction f;
    f.kind = kind::fence;
    f.order = orders_of(kind::fence)[below(random, 4)];
    f.scope = static_cast<scope>(below(random, 4));
    code.insert(code.begin() + below(random, static_cast<unsigned>(code.size() + 1)), f);
    CAPTURE(text_of(p), text_of(q));
    CHECK(beyond(outcomes_of(q), outcomes_of(p)) == "");
  }
}

TEST_CASE("random programs: the order in which threads are written changes nothing") {
  std::mt19937 random(6);
  for (int i = 0; i < 200; ++i) {
    const program p = any_program(random, i);
    std::vector<std::size_t> place(p.threads.size()); // of each thread of q in p
    std::iota(place.begin(), place.end(), 0);
    for (std::size_t k = place.size(); k > 1; --k) {
      std::swap(place[k - 1], place[below(random, static_cast<unsigned>(k))]);
    }
    program q = p;
    for (std::size_t k = 0; k < place.size(); ++k) {
      q.threads[k] = p.threads[place[k]];
      q.registers[k] = p.registers[place[k]];
    }
    const answers a = of_library(p);
    const answers b = of_library(q);
    std::vector<std::size_t> first{0}; // where a thread's registers begin in a state of p
    for (const unsigned n : p.registers) {
      first.push_back(first.back() + n);
    }
    std::set<state> moved;
    for (const state& s : a.outcomes) {
      state m;
      for (const std::size_t k : place) {
        m.insert(m.end(),
                 s.begin() + static_cast<std::ptrdiff_t>(first[k]),
                 s.begin() + static_cast<std::ptrdiff_t>(first[k + 1]));
      }
      m.insert(m.end(), s.begin() + static_cast<std::ptrdiff_t>(first.back()), s.end());
      moved.insert(m);
    }
    CAPTURE(text_of(p), text_of(q));
    CHECK(b.outcomes == moved);
    CHECK(a.what.executions == b.what.executions);
    CHECK(a.what.racy == b.what.racy);
  }
}

TEST_CASE("random programs: renaming locations changes nothing") {
  std::mt19937 random(7);
  for (int i = 0; i < 200; ++i) {
    const program p = any_program(random, i);
    program q = p;
    for (thread& t : q.threads) {
      for (instruction& in : t.code) {
        in.location = p.locations - 1 - in.location;
      }
    }
    std::set<state> moved;
    for (state s : outcomes_of(p)) {
      std::reverse(s.end() - static_cast<std::ptrdiff_t>(p.locations), s.end());
      moved.insert(s);
    }
    CAPTURE(text_of(p), text_of(q));
    CHECK(outcomes_of(q) == moved);
  }
}

TEST_CASE("random programs: the generator makes what the laws are about") {
  // So that the laws above do not hold of nothing: outcomes beyond sc, races, forbidden ones.
  std::mt19937 random(8);
  int weaker = 0;
  int racy = 0;
  int race_free = 0;
  int more_by_fences = 0;
  for (int i = 0; i < 300; ++i) {
    program p = next_program(random, {3, 2, 3, false, true}, 100'000);
    const answers a = of_library(p);
    weaker += a.outcomes.size() > outcomes_of(p, memmodel::sc()).size() ? 1 : 0;
    ++(a.what.racy != 0 ? racy : race_free);
    for (thread& t : p.threads) {
      std::erase_if(t.code, [](const instruction& in) { return in.kind == kind::fence; });
    }
    more_by_fences += outcomes_of(p).size() > a.outcomes.size() ? 1 : 0;
  }
  CHECK(weaker > 30);
  CHECK(racy > 100);
  CHECK(race_free > 30);
  CHECK(more_by_fences > 0);
}
