// Reads that wait for a write and take it: what threads tell each other where they meet.
//
// SPDX-License-Identifier: Apache-2.0
#include "memmodel/brute_force.hpp"
#include "memmodel/explore/litmus.hpp"
#include "memmodel/litmus/reader.hpp"
#include "memmodel/passing_threads.hpp"
#include "memmodel/random_program.hpp"
#include "support/catch.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

using namespace tilesim;
using namespace tilesim::memmodel;

namespace {

using places_in_code =
    std::set<std::pair<thread_id, std::size_t>>; ///< thread, and which of its instructions

/// The threads of a litmus test, some of whose loads wait for a write.
class awaiting_threads final : public passing_threads {
public:
  awaiting_threads(const litmus::test& t, places_in_code waiting)
      : passing_threads(t)
      , waiting_(std::move(waiting)) {}

  [[nodiscard]] std::shared_ptr<const explore::instruction>
  next(thread_id t, std::span<const std::uint64_t> values, std::size_t performed) override {
    const auto plain = passing_threads::next(t, values, performed);
    if (!waiting_.contains({t, performed})) {
      return plain;
    }
    CHECK(plain->kind == explore::step_kind::load);
    return awaiting(*plain);
  }

private:
  places_in_code waiting_;
};

/// By event: thread, which of its accesses, what it takes or writes, and from whom.
using seen = std::set<std::tuple<thread_id, std::uint64_t, bool, std::uint64_t, std::uint64_t>>;

struct found {
  std::set<seen> all;
  std::set<seen> written; ///< those in which the reads in question take a write
  std::uint64_t stuck = 0;
};

found explored(const litmus::test& t,
               const places_in_code& waiting,
               const places_in_code& looked_at,
               const explore::settings& s) {
  awaiting_threads program(t, waiting);
  explore::explorer all(program, s);
  found out;
  all.run(
      [&](const explore::found_execution& x) {
        seen now;
        bool written = true;
        for (event_id e = 0; e < x.what.size(); ++e) {
          const graph_event& it = x.what[e];
          const event_id from = it.source[0];
          const bool initial = it.what.is_read() && from >= initial_write;
          now.emplace(it.what.thread,
                      it.tag,
                      it.what.is_write(),
                      it.what.value,
                      it.what.is_read() && !initial
                          ? x.what[from].tag * 8 + x.what[from].what.thread
                          : ~0ULL);
          for (event_id w = 0; it.what.is_write() && w < x.what.size(); ++w) {
            if (w != e && x.what[w].what.is_write() && x.what.ordered(w, e) &&
                graph::has(x.what.coherence_past(e), w)) {
              now.emplace(
                  it.what.thread, it.tag, true, ~0ULL, x.what[w].tag * 8 + x.what[w].what.thread);
            }
          }
          written = written && !(initial && looked_at.contains({it.what.thread, it.tag >> 32U}));
        }
        CHECK(out.all.insert(now).second); // each once
        if (written) {
          out.written.insert(now);
        }
        return true;
      },
      [](const explore::found_execution&) { return true; });
  out.stuck = all.counted().stuck;
  return out;
}

/// The loads of a place that one thread stores to, and nobody else writes; none if it is not so.
places_in_code loads_of(const random_programs::program& p, unsigned location) {
  places_in_code loads;
  unsigned writers = 0;
  for (thread_id t = 0; t < p.threads.size(); ++t) {
    for (std::size_t i = 0; i < p.threads[t].code.size(); ++i) {
      const random_programs::instruction& it = p.threads[t].code[i];
      if (it.kind == random_programs::kind::fence || it.location != location) {
        continue;
      }
      if (it.kind == random_programs::kind::load) {
        loads.emplace(t, i);
      } else {
        writers += it.kind == random_programs::kind::store ? 1U : 9U;
      }
    }
  }
  return writers == 1 ? loads : places_in_code{};
}

} // namespace

// Which executions there are is the model's to say: those of the same loads that happen to find it
// written.
TEST_CASE("awaits: the executions in which each such read takes a write, and no others") {
  const unsigned threads = GENERATE(2U, 3U);
  std::mt19937 random(900 + threads);
  std::size_t all = 0;
  std::size_t waited = 0;
  std::size_t stuck = 0;
  for (int i = 0; i < 300;) {
    const auto p = random_programs::random_program(random, {threads, 2, 3, false, false});
    const places_in_code loads = loads_of(p, 1);
    if (loads.empty() || brute_force::cost(p) > 3'000) {
      continue;
    }
    ++i;
    const std::string text = random_programs::text_of(p);
    CAPTURE(text);
    const litmus::test t = litmus::read_test(text);
    for (const model* m : {&ptx(), &sc()}) {
      for (const std::optional<std::size_t> bound : {std::optional<std::size_t>(), {1}}) {
        const explore::settings s{m, false, bound, false};
        const found plain = explored(t, {}, loads, s);
        const found waiting = explored(t, loads, loads, s);
        REQUIRE(waiting.all == plain.written);
        REQUIRE(waiting.all == waiting.written);
        all += plain.all.size();
        waited += waiting.all.size();
        stuck += waiting.stuck;
      }
    }
  }
  CAPTURE(all, waited, stuck);
  CHECK(waited > 500);
  CHECK(all > waited + 500);
  CHECK(stuck > 50); // who waits for himself, or for one who waits for him
}

// Load buffering is no way to be told what nobody has told: neither of two that each tell behind
// their question.
TEST_CASE("awaits: nothing is taken from the future") {
  const std::string text = "PTX each\n{ x=0; y=0; }\n P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;\n"
                           " ld.relaxed.gpu r0, x | ld.relaxed.gpu r0, y ;\n"
                           " st.relaxed.gpu y, 1 | st.relaxed.gpu x, 1 ;\nexists (x == 0)\n";
  const litmus::test t = litmus::read_test(text);
  const explore::settings s{&ptx(), true, {}, false};
  CHECK(explored(t, {}, {}, s).all.size() == 4);
  CHECK(explored(t, {{0, 0}}, {{0, 0}}, s).all.size() == 2);
  const found both = explored(t, {{0, 0}, {1, 0}}, {}, s);
  CHECK(both.all.empty());
  CHECK(both.stuck > 0);
}
