// The race detector against the memory model: on random small programs' observed executions both
// find the same racy bytes, and every pair that the detector names is a race of the model.
//
// SPDX-License-Identifier: Apache-2.0
#include "random_execution.hpp"
#include "sim/detect/detector.hpp"
#include "sim/ops/rng.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <support/catch.hpp>
#include <vector>

namespace {

using namespace tilesim;
using namespace tilesim::random_executions;

/// Steps with these numbers, modulo `places`, stand at places that are known to race.
struct known_places {
  std::size_t places = 1;
  std::set<std::size_t> known = {};

  [[nodiscard]] bool contain(std::size_t step) const { return known.contains(step % places); }
};

/// Which of the steps that are one operation to the detector accesses a byte with an element.
std::size_t step_at(const program& p,
                    const std::vector<std::size_t>& steps,
                    std::uint32_t element,
                    std::uint32_t byte) {
  for (const std::size_t s : steps) {
    const auto& e = p.steps[s].elements[element];
    if (e.active && byte >= e.offset && byte < e.offset + p.steps[s].bytes) {
      return s;
    }
  }
  return steps.back();
}

// One function in spite of its length: one run, step by step, and what was reported of it.
judged by_detector(const program& p, const known_places& known = {}) {
  sim::detect::detector d;
  judged out;
  std::map<sim::detect::operation_id, std::vector<std::size_t>> steps_of;
  const std::vector<sim::detect::agent_id> agent_number = begin(d, p);
  given_tokens tokens(d, p);
  std::size_t now = 0;
  std::vector<sim::detect::race> races;
  d.on_race = [&](const sim::detect::race& r) { races.push_back(r); };
  const auto number_of = [&](sim::detect::operation_id o) {
    return steps_of.contains(o) ? steps_of.at(o).back() : now; // the current one
  };
  d.passes_over = [&](const sim::detect::race& r) {
    return known.contain(number_of(r.earlier.operation)) ||
           known.contain(number_of(r.later.operation));
  };
  for (; now < p.steps.size(); ++now) {
    const step& s = p.steps[now];
    if (!s.meet.empty()) {
      std::vector<sim::detect::agent_id> who;
      for (const std::uint32_t a : s.meet) {
        who.push_back(agent_number[a]);
      }
      d.meet(who, s.meeting);
      continue;
    }
    if (s.fence) {
      d.fence(agent_number[s.agent], s.order, s.scope);
      continue;
    }
    std::vector<std::uintptr_t> addresses;
    std::vector<std::uint8_t> mask;
    bool any = false;
    for (const auto& e : s.elements) {
      addresses.push_back(base + e.offset);
      mask.push_back(e.active ? 1 : 0);
      any = any || e.active;
    }
    if (!any) {
      tokens.performed(now, std::nullopt);
      continue;
    }
    const bool masked = std::find(mask.begin(), mask.end(), 0) != mask.end();
    // Sites that differ: places are told apart by them.
    const auto* const site = reinterpret_cast<const void*>(1 + (now % known.places));
    sim::detect::operation o{agent_number[s.agent],
                             site,
                             s.kind,
                             s.order,
                             s.scope,
                             s.bytes,
                             addresses.size(),
                             addresses.data(),
                             masked ? mask.data() : nullptr,
                             false,
                             known.contain(now)};
    tokens.tell(now, o);
    const auto id = d.perform(o);
    tokens.performed(now, id);
    steps_of[id].push_back(now);
  }
  for (const auto& r : races) {
    for (std::uint32_t b = 0; b < r.bytes; ++b) {
      const auto byte = static_cast<std::uint32_t>(r.address - base) + b;
      out.bytes.insert(byte);
      if (r.earlier.element_known) {
        const auto of = [&](const sim::detect::race_side& s) {
          return side{step_at(p, steps_of[s.operation], s.element, byte), s.element};
        };
        out.pairs.insert({byte, of(r.earlier), of(r.later)});
      }
    }
  }
  return out;
}

} // namespace

// For a longer run than the default: TILESIM_DETECT_PROGRAMS=1000000 TILESIM_DETECT_SEED=7
namespace {

void hold_against_model(std::uint64_t seed, const variety& v) {
  sim::rng r(seed);
  const auto programs = setting("TILESIM_DETECT_PROGRAMS", 30000);
  std::size_t racy = 0;
  std::size_t clean = 0;
  for (std::uint64_t i = 0; i < programs; ++i) {
    const program p = draw(r, v);
    if (!possible(p)) {
      continue;
    }
    const judged want = races_of(model_of(p));
    const judged got = by_detector(p);
    ++(want.bytes.empty() ? clean : racy);
    if (want.bytes != got.bytes) {
      INFO("program " << i << "\n" << text(p));
      CHECK(got.bytes == want.bytes);
      return;
    }
    for (const auto& pair : got.pairs) {
      if (!want.pairs.contains(pair)) {
        INFO("program " << i << "\n" << text(p));
        const auto& [byte, a, b] = pair;
        FAIL("a pair that is no race: byte " << byte << ", step " << a.step << " element "
                                             << a.element << " and step " << b.step << " element "
                                             << b.element);
      }
    }
  }
  // The draw must not make the comparison empty.
  CHECK(racy > 2000);
  CHECK(clean > 500);
}

} // namespace

TEST_CASE("the detector finds exactly the racy bytes of observed executions") {
  hold_against_model(setting("TILESIM_DETECT_SEED", 2026), {});
}

// [PTX: barrier; memory-model: A.8] bar.sync synchronizes with bar.sync of the same completion.
TEST_CASE("the detector finds exactly the racy bytes where blocks and warps meet") {
  hold_against_model(setting("TILESIM_DETECT_SEED", 2028), {.barriers = true});
}

// [PTX: Fence-SC order] Of two sequentially consistent fences one comes first, and an execution
// does not say which: what is a race in some order that the model allows is one, and nothing else.
TEST_CASE("the detector finds exactly the executions with a race in some order of fences") {
  sim::rng r(setting("TILESIM_DETECT_SEED", 2030));
  const auto programs = setting("TILESIM_DETECT_PROGRAMS", 30000);
  std::size_t ordered = 0;    // bytes that race but for the order of fences
  std::size_t as_it_went = 0; // programs without a race in the order in which they came
  std::size_t clean = 0;
  for (std::uint64_t i = 0; i < programs; ++i) {
    const program p = draw_fenced(r);
    if (std::ranges::count_if(p.steps, [](const step& s) { return s.fence; }) > 5) {
      continue; // which have many orders
    }
    const modelled m = model_of(p);
    const judged want = races_of(m);
    const judged got = by_detector(p);
    const judged any = races_in_any_fence_order(m);
    INFO("program " << i << "\n" << text(p));
    if (want.bytes != got.bytes || any.bytes.empty() != got.bytes.empty() ||
        !std::ranges::includes(got.bytes, any.bytes)) {
      CHECK(want.bytes == got.bytes);
      CHECK(any.bytes == got.bytes);
      return;
    }
    for (const auto& pair : got.pairs) {
      if (!want.pairs.contains(pair)) {
        FAIL("a pair that is no race");
      }
    }
    clean += got.bytes.empty() ? 1U : 0U;
    ordered += races_without_fences(m).bytes.size() - want.bytes.size();
    as_it_went += !got.bytes.empty() && races_as_it_went(m).bytes.empty() ? 1U : 0U;
  }
  CHECK(clean > 500);
  CHECK(ordered > 20);
  CHECK(as_it_went > 20);
}

// [Tile IR: memory model] Of one block's operations only those are ordered of which one waits for
// the other's token.
TEST_CASE(
    "the detector finds exactly the racy bytes where tokens order the operations of a block") {
  hold_against_model(setting("TILESIM_DETECT_SEED", 2029), {.tokens = true});
}

TEST_CASE("races at known places hide no others") {
  const bool tokens = GENERATE(false, true);
  sim::rng r(setting("TILESIM_DETECT_SEED", 2027));
  const auto programs = setting("TILESIM_DETECT_PROGRAMS", 30000);
  std::size_t hidden = 0; // programs where a byte has races of both sorts
  for (std::uint64_t i = 0; i < programs; ++i) {
    const program p = draw(r, {.tokens = tokens});
    known_places known{.places = 1 + r.below(p.steps.size())};
    for (std::size_t place = 0; place < known.places; ++place) {
      if (r.below(3) == 0) {
        known.known.insert(place);
      }
    }
    if (!possible(p)) {
      continue;
    }
    const judged all = races_of(model_of(p));
    racy_bytes want;
    racy_bytes passed;
    racy_bytes mixed; // accesses of several sizes race there: what else does is left open
    for (const auto& [byte, a, b] : all.pairs) {
      (known.contain(a.step) || known.contain(b.step) ? passed : want).insert(byte);
      if (p.steps[a.step].bytes != p.steps[b.step].bytes) {
        mixed.insert(byte);
      }
    }
    hidden +=
        std::ranges::any_of(passed, [&](auto b) { return want.contains(b) && !mixed.contains(b); })
            ? 1U
            : 0U;
    const judged got = by_detector(p, known);
    racy_bytes open;
    std::ranges::set_intersection(passed, mixed, std::inserter(open, open.end()));
    const auto settled = [&](racy_bytes bytes) {
      std::erase_if(bytes, [&](auto b) { return open.contains(b); });
      return bytes;
    };
    if (settled(got.bytes) != settled(want) || !std::ranges::includes(want, got.bytes)) {
      std::string places;
      for (std::size_t s = 0; s < p.steps.size(); ++s) {
        places += std::to_string(s) + (known.contain(s) ? " known, " : ", ");
      }
      INFO("program " << i << "\n" << text(p) << places);
      CHECK(got.bytes == want);
      return;
    }
    for (const auto& pair : got.pairs) {
      if (!all.pairs.contains(pair)) {
        INFO("program " << i << "\n" << text(p));
        FAIL("a pair that is no race");
      }
    }
  }
  CHECK(hidden > 1000);
}
