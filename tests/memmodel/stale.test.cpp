// Explorations within a bound of stale reads: the executions of the whole that have so few, each
// once and in the same order.
//
// How many there are is counted here over all orders of an execution's events, one event after the
// other, which shares nothing with the search.
//
// SPDX-License-Identifier: Apache-2.0
#include "memmodel/explore/stale.hpp"

#include "memmodel/brute_force.hpp"
#include "memmodel/explore/litmus.hpp"
#include "memmodel/litmus/reader.hpp"
#include "memmodel/random_program.hpp"
#include "support/catch.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <tuple>
#include <vector>

using namespace tilesim;
using namespace tilesim::memmodel;

namespace {

/// The fewest stale reads among all orders that begin with the events `done`.
class counting {
public:
  explicit counting(const graph& g)
      : g_(g) {}

  std::size_t behind(std::uint64_t done) {
    if (done == (std::uint64_t{1} << g_.size()) - 1) {
      return 0;
    }
    const auto [known, is_new] = fewest_.try_emplace(done, ~std::size_t{0});
    if (!is_new) {
      return known->second;
    }
    std::size_t best = ~std::size_t{0};
    for (event_id e = 0; e < g_.size(); ++e) {
      if ((done >> e & 1U) == 0 && (g_.past(e)[0] & ~done) == 0) {
        best = std::min(best, behind(done | std::uint64_t{1} << e) + (stale(e, done) ? 1U : 0U));
      }
    }
    return fewest_[done] = best;
  }

private:
  /// e comes next: whether it passes over a newer write that is there.
  [[nodiscard]] bool stale(event_id e, std::uint64_t done) const {
    const graph_event& r = g_[e];
    if (!r.what.is_read()) {
      return false;
    }
    for (event_id w = 0; w < g_.size(); ++w) {
      const event_id from = r.source[0];
      if ((done >> w & 1U) != 0 && g_[w].what.is_write() && g_[w].what.bytes == r.what.bytes &&
          g_.morally_strong(w, e) && w != from &&
          (from == initial_write || graph::has(g_.coherence_past(w), from))) {
        return true;
      }
    }
    return false;
  }

  const graph& g_;
  std::map<std::uint64_t, std::size_t> fewest_;
};

/// An execution by what its reads take and from whom, and by the order of its writes.
using seen = std::vector<std::tuple<thread_id, std::uint64_t, std::uint64_t, std::uint64_t>>;

seen seen_of(const explore::found_execution& x) {
  seen out;
  const auto name = [&](event_id e) {
    return e < initial_write ? x.what[e].tag * 8 + x.what[e].what.thread : ~0ULL;
  };
  for (event_id e = 0; e < x.what.size(); ++e) {
    const graph_event& it = x.what[e];
    out.emplace_back(it.what.thread, it.tag, it.what.value, name(it.source[0]));
    for (event_id w = 0; it.what.is_write() && w < x.what.size(); ++w) {
      if (x.what[w].what.is_write() && graph::has(x.what.coherence_past(e), w)) {
        out.emplace_back(it.what.thread, it.tag, ~0ULL, name(w));
      }
    }
  }
  return out;
}

struct found {
  std::vector<seen> executions;
  std::vector<std::size_t> stale; ///< of each: the fewest
  std::set<std::vector<std::uint64_t>> values;
  explore::counts counted;
};

/// Those that come to their end, and those in which a thread goes no further.
found explored(const litmus::test& t, const explore::settings& s, bool counts = false) {
  explore::litmus_threads program(t, 1);
  explore::explorer all(program, s);
  found out;
  const auto keep = [&](const explore::found_execution& x) {
    out.executions.push_back(seen_of(x));
    std::vector<std::uint64_t> values;
    for (const auto& of : x.values) {
      values.insert(values.end(), of.begin(), of.end());
    }
    out.values.insert(std::move(values));
    if (counts) {
      REQUIRE(x.what.size() < 60);
      out.stale.push_back(counting(x.what).behind(0));
    }
    return true;
  };
  all.run(keep, keep);
  out.counted = all.counted();
  return out;
}

/// Counts in `some` the executions that have stale reads, in `many` those that have several.
void compare(const std::string& text, std::size_t& some, std::size_t& many) {
  CAPTURE(text);
  const litmus::test t = litmus::read_test(text);
  const found whole = explored(t, {&ptx(), false}, true);
  for (const std::size_t n : whole.stale) {
    some += n > 0 ? 1U : 0U;
    many += n > 1 ? 1U : 0U;
  }
  for (std::size_t most = 0; most < 4; ++most) {
    CAPTURE(most);
    std::vector<seen> wanted;
    for (std::size_t i = 0; i < whole.executions.size(); ++i) {
      if (whole.stale[i] <= most) {
        wanted.push_back(whole.executions[i]);
      }
    }
    const found few = explored(t, {&ptx(), true, most});
    REQUIRE(few.executions == wanted);
    // Whoever leaves nothing has all.
    if (few.counted.beyond == 0) {
      REQUIRE(few.executions.size() == whole.executions.size());
    }
  }
  // What runs one after the other has no stale reads.
  const found serial = explored(t, {&sc(), false});
  const found none = explored(t, {&ptx(), false, 0});
  REQUIRE(std::ranges::includes(none.values, serial.values));
}

} // namespace

TEST_CASE("stale reads: of random programs the executions that have so few") {
  const unsigned threads = GENERATE(2U, 3U);
  std::mt19937 random(300 + threads);
  std::size_t some = 0;
  std::size_t many = 0;
  for (int i = 0; i < 1'500;) {
    const random_programs::program p =
        random_programs::random_program(random, {threads, 2, 4, false, true});
    if (brute_force::cost(p) > 3'000) {
      continue;
    }
    ++i;
    compare(random_programs::text_of(p), some, many);
  }
  CAPTURE(threads, some, many);
  CHECK((some > 100 && many > 0)); // there is something to be left out
}

TEST_CASE("stale reads: numbers that are known") {
  const auto executions = [](const std::string& text, std::size_t most) {
    return explored(litmus::read_test(text), {&ptx(), false, most}).executions.size();
  };
  SECTION("store buffering: one read of four executions is stale") {
    const std::string sb = R"(PTX SB
{ x=0; y=0; }
 P0@cta 0,gpu 0          | P1@cta 1,gpu 0          ;
 st.relaxed.gpu x, 1     | st.relaxed.gpu y, 1     ;
 ld.relaxed.gpu r0, y    | ld.relaxed.gpu r0, x    ;
exists (P0:r0 == 0 /\ P1:r0 == 0)
)";
    CHECK(executions(sb, 0) == 3);
    CHECK(executions(sb, 1) == 4);
    CHECK(explored(litmus::read_test(sb), {&ptx(), false, 1}).counted.beyond == 0);
  }
  SECTION("message passing: the read of what is sent") {
    const std::string mp = R"(PTX MP
{ x=0; y=0; }
 P0@cta 0,gpu 0      | P1@cta 1,gpu 0       ;
 st.relaxed.gpu x, 1 | ld.relaxed.gpu r0, y ;
 st.relaxed.gpu y, 1 | ld.relaxed.gpu r1, x ;
exists (P1:r0 == 1 /\ P1:r1 == 0)
)";
    CHECK(executions(mp, 0) == 3);
    CHECK(executions(mp, 1) == 4);
  }
  SECTION("writes in an order that turns do not have take no stale read") {
    CHECK(executions(R"(PTX 2+2W
{ x=0; y=0; }
 P0@cta 0,gpu 0      | P1@cta 1,gpu 0      ;
 st.relaxed.gpu x, 1 | st.relaxed.gpu y, 1 ;
 st.relaxed.gpu y, 2 | st.relaxed.gpu x, 2 ;
exists (x == 1 /\ y == 1)
)",
                     0) == 4);
  }
}
