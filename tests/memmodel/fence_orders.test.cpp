// Orders of sequentially consistent fences, against all permutations of them, each judged by the
// page.
//
// SPDX-License-Identifier: Apache-2.0
#include "memmodel/graph/fence_orders.hpp"

#include "memmodel/explore/litmus.hpp"
#include "memmodel/litmus/reader.hpp"
#include "memmodel/race.hpp"
#include "memmodel/random_program.hpp"
#include "support/catch.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <functional>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

using namespace tilesim;
using namespace tilesim::memmodel;

namespace {

using pairs = std::set<std::pair<event_id, event_id>>;

pairs pairs_of(const relation& r) {
  pairs out;
  r.for_each([&](event_id a, event_id b) { out.emplace(a, b); });
  return out;
}

/// Each pair both ways, whatever follows.
void each_by_trial(execution& x, relations& r, const std::function<void()>& f) {
  for (event_id a = 0; a < x.events.size(); ++a) {
    for (event_id b = a + 1; b < x.events.size(); ++b) {
      if (x.events[a].is_sc_fence() && x.events[b].is_sc_fence() && r.ms(a, b) && !x.sc(a, b) &&
          !x.sc(b, a)) {
        for (const auto& [p, q] : {std::pair{a, b}, std::pair{b, a}}) {
          x.sc.add(p, q);
          each_by_trial(x, r, f);
          x.sc.remove(p, q);
        }
        return;
      }
    }
  }
  r.add_fences();
  r.add_coherence();
  if (!first_broken(ptx(), r)) {
    f();
  }
}

/// What the orders of an execution's fences come to.
struct told {
  std::set<pairs> orders;
  pairs races;
  std::set<std::set<event_id>> last; ///< writes that no other follows
  void add(const execution& x, const relations& r) {
    orders.insert(pairs_of(x.sc));
    races.merge(pairs_of(memmodel::races(r)));
    std::set<event_id> writes;
    for (event_id w = 0; w < x.events.size(); ++w) {
      bool followed = false;
      r.co.for_each_successor(w, [&](event_id) { followed = true; });
      if (x.events[w].is_write() && !followed) {
        writes.insert(w);
      }
    }
    last.insert(std::move(writes));
  }
  friend bool operator==(const told&, const told&) = default;
};

random_programs::program with_fences(std::mt19937& random, const random_programs::shape& s) {
  random_programs::program p = random_programs::random_program(random, s);
  for (random_programs::thread& t : p.threads) {
    std::vector<random_programs::instruction> code;
    for (const random_programs::instruction& i : t.code) {
      code.push_back(i);
      if (random_programs::below(random, 2) == 0) {
        random_programs::instruction fence;
        fence.kind = random_programs::kind::fence;
        fence.order = random_programs::order::sc;
        fence.scope = random_programs::below(random, 4) == 0 ? random_programs::scope::cta
                                                             : random_programs::scope::gpu;
        code.push_back(fence);
      }
    }
    t.code = std::move(code);
  }
  return p;
}

} // namespace

TEST_CASE("fence orders: all that permutations have, and no others") {
  const unsigned threads = GENERATE(2U, 3U);
  std::mt19937 random(7 + threads);
  std::size_t several = 0;
  std::size_t fewer = 0;
  std::size_t racy = 0;
  for (int i = 0; i < 300; ++i) {
    const std::string text =
        random_programs::text_of(with_fences(random, {threads, 2, 3, false, false}));
    const litmus::test t = litmus::read_test(text);
    explore::litmus_threads program(t, 1);
    explore::explorer all(program, {&ptx(), true});
    std::size_t left = 30; // of one program
    all.run([&](const explore::found_execution& found) {
      if (found.what.sc_fences() > 4) { // permutations are too many
        return false;
      }
      told tried;
      told searched;
      told telling;
      found.what.judge([&](const graph::judged& j) {
        execution x = j.what;
        x.sc = relation(x.events.size());
        relations r(x);
        r.add_reads();
        each_by_trial(x, r, [&] { tried.add(x, r); });
        return false;
      });
      found.what.judge([&](const graph::judged& j) {
        searched.add(j.what, j.derived);
        return true;
      });
      found.what.judge(
          [&](const graph::judged& j) {
            telling.add(j.what, j.derived);
            return true;
          },
          fence_orders::telling);
      CAPTURE(text);
      REQUIRE(searched == tried);
      REQUIRE(telling.races == tried.races);
      REQUIRE(telling.last == tried.last);
      several += tried.orders.size() > 1 ? 1U : 0U;
      fewer += telling.orders.size() < tried.orders.size() ? 1U : 0U;
      racy += tried.races.empty() ? 0U : 1U;
      return --left != 0;
    });
  }
  CHECK(several > 100);
  CHECK(fewer > 100);
  CHECK(racy > 100);
}

TEST_CASE("fence orders: many fences are no more work than they leave open") {
  constexpr unsigned threads = 4;
  std::string text = "PTX fences\n{ x=0; y=0; }\n";
  for (unsigned t = 0; t < threads; ++t) {
    text += fmt::format("{} P{}@cta {},gpu 0", t == 0 ? "" : " |", t, t);
  }
  text += " ;\n";
  for (unsigned n = 0; n < 6; ++n) {
    for (unsigned t = 0; t < threads; ++t) {
      text += t == 0 ? " fence.sc.gpu" : " | fence.sc.gpu";
    }
    text += " ;\n";
  }
  text +=
      " st.relaxed.gpu x, 1 | ld.relaxed.gpu r0, x | st.relaxed.gpu y, 1 | ld.relaxed.gpu r0, y ;\n"
      "exists (x == 0)\n";
  const explore::litmus_result r = explore::explore(litmus::read_test(text), {&ptx(), true});
  CHECK(r.counted.executions == 4);
  CHECK(r.racy == 0);
}
