// The search of schedules with few preemptions, against an enumeration of its own.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/check/systematic.hpp"

#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <support/catch.hpp>
#include <utility>
#include <vector>

using namespace tilesim::tools;
using tilesim::sim::turn;
using tilesim::sim::turn_point;

namespace {

/// A thread makes so many accesses; from one of them on it waits until another has ended.
struct thread_model {
  unsigned accesses = 0;
  unsigned waits_before = ~0U;
  unsigned waits_for = 0;
};

using program = std::vector<thread_model>;
using order = std::vector<unsigned>; ///< whose accesses, one after the other

struct state {
  explicit state(const program& p)
      : of(&p)
      , made(p.size()) {}

  [[nodiscard]] bool ended(unsigned t) const { return made[t] == (*of)[t].accesses; }
  [[nodiscard]] bool may_go_on(unsigned t) const {
    const auto& m = (*of)[t];
    return !ended(t) && (made[t] != m.waits_before || ended(m.waits_for));
  }

  const program* of;
  std::vector<unsigned> made;
};

/// Every order with at most so many preemptions, by trying whatever may go on before each access.
void enumerate(const state& now, int last, unsigned left, order& done, std::set<order>& all) {
  bool some = false;
  for (unsigned t = 0; t < now.made.size(); ++t) {
    if (!now.may_go_on(t)) {
      continue;
    }
    some = true;
    const bool preempts =
        last >= 0 && last != static_cast<int>(t) && now.may_go_on(static_cast<unsigned>(last));
    if (preempts && left == 0) {
      continue;
    }
    auto next = now;
    ++next.made[t];
    done.push_back(t);
    enumerate(next, static_cast<int>(t), left - (preempts ? 1 : 0), done, all);
    done.pop_back();
  }
  if (!some) {
    all.insert(done);
  }
}

/// What sim/execution/schedulers/choices.cpp tells of a run with that beginning.
std::pair<chosen_run, order> run(const program& p, const std::vector<turn>& beginning) {
  chosen_run told;
  order done;
  state now(p);
  int cut = -1;
  for (std::size_t i = 0;; ++i) {
    std::vector<unsigned> can;
    for (unsigned t = 0; t < p.size(); ++t) {
      if (now.may_go_on(t) && static_cast<int>(t) != cut) {
        can.push_back(t);
      }
    }
    if (can.empty() && cut >= 0) { // it made way for nobody
      told.turns.back().until.reset();
      can.push_back(static_cast<unsigned>(cut));
    }
    if (can.empty()) {
      return {told, done};
    }
    cut = -1;
    const auto mine = i < beginning.size() ? static_cast<unsigned>(beginning[i].thread) : can[0];
    turn t{1, mine, {}};
    std::vector<turn> instead;
    for (const auto other : can) {
      if (other != mine) {
        instead.push_back({1, other, {}});
      }
    }
    std::vector<turn_point> points;
    const auto until = i < beginning.size() ? beginning[i].until : std::nullopt;
    for (bool first = true; now.may_go_on(mine); first = false) {
      if (until && now.made[mine] >= until->operations) {
        t.until = until;
        cut = static_cast<int>(mine);
        break;
      }
      bool others = false;
      for (unsigned o = 0; o < p.size(); ++o) {
        others = others || (o != mine && !now.ended(o));
      }
      if (!first && others) {
        points.push_back({.operations = now.made[mine]});
      }
      ++now.made[mine];
      done.push_back(mine);
    }
    const bool went_on = !told.turns.empty() && told.turns.back().thread == mine;
    if (went_on) {
      told.preemptions.back().insert(told.preemptions.back().end(), points.begin(), points.end());
    } else {
      told.turns.push_back(t);
      told.instead.push_back(instead);
      told.preemptions.push_back(points);
    }
  }
}

struct explored {
  std::set<order> orders;
  std::size_t schedules = 0;
};

explored explore(const program& p, systematic_search& search, std::size_t most = ~std::size_t{0}) {
  explored e;
  while (e.schedules < most) {
    const auto beginning = search.next();
    if (!beginning) {
      break;
    }
    const auto [told, done] = run(p, *beginning);
    if (search.take(told)) {
      ++e.schedules;
      e.orders.insert(done);
    }
  }
  return e;
}

std::size_t by_enumeration(const program& p, unsigned preemptions, std::set<order>& all) {
  order done;
  enumerate(state(p), -1, preemptions, done, all);
  return all.size();
}

} // namespace

TEST_CASE("every schedule with so many preemptions comes once", "[tools]") {
  const auto p = GENERATE(values<program>({{{3}},
                                           {{1}, {1}},
                                           {{4}, {4}},
                                           {{2}, {3}, {2}},
                                           {{1}, {1}, {1}, {1}},
                                           {{4, 2, 1}, {3}},
                                           {{3, 0, 1}, {3, 1, 2}, {2}},
                                           {{3, 1, 1}, {3, 1, 0}}})); // a deadlock
  const auto preemptions = GENERATE(0U, 1U, 2U, 3U);
  systematic_search search(preemptions);
  const auto found = explore(p, search);
  std::set<order> all;
  CHECK(found.schedules == by_enumeration(p, preemptions, all));
  CHECK(found.orders == all);
  CHECK(search.known() == 0);
  CHECK(search.complete());
}

TEST_CASE("how many there are", "[tools]") {
  // Two threads of n accesses: 2, and 2 (n - 1), and 2 (n - 1)^2 with exactly 0, 1, 2 preemptions.
  const auto count = [](const program& p, unsigned preemptions) {
    systematic_search search(preemptions);
    return explore(p, search).schedules;
  };
  CHECK(count({{5}, {5}}, 0) == 2);
  CHECK(count({{5}, {5}}, 1) == 2 + 8);
  CHECK(count({{5}, {5}}, 2) == 2 + 8 + 32);
  CHECK(count({{1}, {1}, {1}, {1}, {1}}, 3) == 120);
}

TEST_CASE("those with fewer preemptions come first", "[tools]") {
  systematic_search search(3);
  std::size_t last = 0;
  while (const auto beginning = search.next()) {
    CHECK(search.level() >= last);
    last = search.level();
    search.take(run({{3}, {3}}, *beginning).first);
  }
  CHECK(last == 3);
}

TEST_CASE("a search goes on from its state", "[tools]") {
  const program p{{3}, {3}, {2}};
  systematic_search whole(2);
  const auto all = explore(p, whole);
  const auto cut = GENERATE(std::size_t{0}, std::size_t{1}, std::size_t{7}, std::size_t{40});
  systematic_search first(2);
  auto found = explore(p, first, cut);
  auto rest = systematic_search::from(nlohmann::json::parse(first.state().dump()));
  REQUIRE(rest);
  CHECK(rest->next() == first.next());
  const auto second = explore(p, *rest);
  found.orders.insert(second.orders.begin(), second.orders.end());
  CHECK(found.schedules + second.schedules == all.schedules);
  CHECK(found.orders == all.orders);
  CHECK(rest->made() == all.schedules);
  for (const char* wrong : {"[]",
                            "{}",
                            R"({"complete":true,"made":1,"todo":[]})",
                            R"({"complete":true,"made":1,"todo":[["x"]]})",
                            R"({"complete":1,"made":1,"todo":[[]]})",
                            R"({"complete":true,"made":-1,"todo":[[]]})"}) {
    CHECK_FALSE(systematic_search::from(nlohmann::json::parse(wrong)));
  }
}
