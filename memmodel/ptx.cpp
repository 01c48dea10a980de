// The axioms of the PTX memory consistency model, in the order of its chapter.
//
// Read with the chapter beside it; the relations are in relations.hpp, in its order as well. Four
// readings where the chapter leaves room, each held by a litmus test of that name in
// tests/litmus/ptx:
//   - a fence.sc is also a release and an acquire fence (MP+fence.sc+acq): the mapping of seq_cst
//   needs it;
//   - the read half of a red starts no acquire pattern (MP+rel+red-fence);
//   - Fence-SC is about base causality, since causality relates memory operations only and no two
//   fences;
//   - causality is irreflexive, as in the published formal model.
// And one where there are two models: dependencies as they are written (`ptx`, as litmus tests have
// them), or by value (`ptx-values`, LB+false-ctrl+data).
//
// SPDX-License-Identifier: Apache-2.0
#include "memmodel/model.hpp"

#include <algorithm>
#include <array>

namespace tilesim::memmodel {
namespace {

/// The steps of a shortest cycle through `at`.
std::vector<step> cycle(std::span<const named_relation> edges, const violation& at) {
  return shortest_path(edges, at.from, at.from);
}

std::optional<violation> some(const relation& r) {
  if (const auto pair = r.some()) {
    return violation{pair->first, pair->second};
  }
  return std::nullopt;
}

// --- Coherence: if a write W precedes an overlapping write W' in causality order, W precedes W' in
// coherence order, which is a strict partial order.

std::optional<violation> coherence(const relations& r) {
  if (const auto w = r.co.reflexive_point()) {
    return violation{*w, *w};
  }
  return std::nullopt;
}

std::vector<step> coherence_chain(const relations& r, const violation& at) {
  const relation caused = r.cause & r.writes;
  relation chosen = r.x->co;
  r.writes.for_each([&](event_id w, event_id v) {
    if (r.x->events[w].initial() && !r.x->events[v].initial()) {
      chosen.add(w, v);
    }
  });
  const std::array edges{named_relation{"co", &chosen}, named_relation{"cause", &caused}};
  std::vector<step> chain = cycle(edges, at);
  for (step& s : chain) {
    if (s.edge == "cause") {
      s.through = cause_chain(r, s.from, s.to);
    }
  }
  return chain;
}

// --- Fence-SC: Fence-SC order contradicts no causality.

std::optional<violation> fence_sc(const relations& r) {
  return some(r.x->sc & r.base.inverse());
}

std::vector<step> fence_sc_chain(const relations& r, const violation& at) {
  std::vector<step> chain{{at.from, "sc", at.to, {}}};
  for (step& s : base_chain(r, at.to, at.from)) {
    chain.push_back(std::move(s));
  }
  return chain;
}

// --- Atomicity, single copy: of morally strong operations, a read does not take some bytes from a
// write and others from a write that precedes it in coherence order.

std::optional<violation> single_copy(const relations& r) {
  return some(r.fr & r.x->rf.inverse() & r.ms);
}

std::vector<step> single_copy_chain(const relations&, const violation& at) {
  return {{at.from, "fr", at.to, {}}, {at.to, "rf", at.from, {}}};
}

// --- Atomicity of read-modify-writes: no morally strong write comes between the halves of one in
// coherence order.

std::optional<violation> read_modify_write(const relations& r) {
  return some((r.fr & r.ms).then(r.co & r.ms) & r.x->rmw);
}

std::vector<step> read_modify_write_chain(const relations& r, const violation& at) {
  return write_between(r.fr & r.ms, r.co & r.ms, at);
}

// --- No-Thin-Air: no value depends on itself.

std::optional<violation> no_thin_air(const relations& r) {
  return on_cycle(r.x->rf | r.dependency);
}

std::vector<step> no_thin_air_chain(const relations& r, const violation& at) {
  const std::array edges{named_relation{"rf", &r.x->rf},
                         named_relation{"data", &r.x->data},
                         named_relation{"addr", &r.x->addr},
                         named_relation{"ctrl", &r.x->ctrl}};
  return cycle(edges, at);
}

// --- No-Thin-Air by value: an execution may not speculate on a value so that the speculation comes
// true by itself. A read is justified by the writes that it takes its bytes from; a write by the
// reads that settle it, whatever the others return. What is not justified so rests on itself.

std::vector<std::vector<event_id>> grounds_of(const relations& r, event_id write) {
  if (write < r.x->grounds.size() && !r.x->grounds[write].empty()) {
    return r.x->grounds[write];
  }
  std::vector<event_id> reads;
  for (event_id e = 0; e < r.x->events.size(); ++e) {
    if (r.dependency(e, write)) {
      reads.push_back(e);
    }
  }
  return {reads};
}

/// By event; a byte whose source has not been chosen yet stands in no read's way.
std::vector<bool> justified(const relations& r) {
  const std::size_t n = r.x->events.size();
  std::vector<bool> done(n, false);
  const auto by_sources = [&](event_id read) {
    for (event_id w = 0; w < n; ++w) {
      if (r.x->rf(w, read) && !done[w]) {
        return false;
      }
    }
    return true;
  };
  for (bool news = true; news;) {
    news = false;
    for (event_id e = 0; e < n; ++e) {
      const event& what = r.x->events[e];
      if (done[e] || !what.is_memory()) {
        continue;
      }
      const auto settled = [&](const std::vector<event_id>& reads) {
        return std::ranges::all_of(reads, [&](event_id read) { return done[read]; });
      };
      done[e] = what.is_read()   ? by_sources(e)
                : what.initial() ? true
                                 : std::ranges::any_of(grounds_of(r, e), settled);
      news |= done[e];
    }
  }
  return done;
}

/// From each read without justification to the writes that rest on it.
relation unsettled(const relations& r) {
  const std::vector<bool> done = justified(r);
  relation rests(r.x->events.size());
  for (event_id w = 0; w < r.x->events.size(); ++w) {
    if (!r.x->events[w].is_write() || done[w]) {
      continue;
    }
    for (const auto& reads : grounds_of(r, w)) {
      for (const event_id read : reads) {
        if (!done[read]) {
          rests.add(read, w);
        }
      }
    }
  }
  return rests;
}

std::optional<violation> no_thin_air_by_value(const relations& r) {
  if (!no_thin_air(r)) {
    return std::nullopt; // what depends as written is settled by that, too
  }
  return on_cycle(r.x->rf | unsettled(r));
}

std::vector<step> no_thin_air_by_value_chain(const relations& r, const violation& at) {
  const relation rests = unsettled(r);
  const relation data = rests & r.x->data;
  const relation addr = rests & r.x->addr;
  const relation ctrl = rests & r.x->ctrl;
  const std::array edges{named_relation{"rf", &r.x->rf},
                         named_relation{"data", &data},
                         named_relation{"addr", &addr},
                         named_relation{"ctrl", &ctrl}};
  return cycle(edges, at);
}

// --- Sequential consistency per location: among overlapping, pairwise morally strong operations,
// communication does not contradict program order.

std::optional<violation> sc_per_location(const relations& r) {
  return on_cycle((r.com & r.ms) | (r.x->po & r.overlapping));
}

std::vector<step> sc_per_location_chain(const relations& r, const violation& at) {
  const relation po = r.x->po & r.overlapping;
  const relation rf = r.x->rf & r.ms;
  const relation co = r.co & r.ms;
  const relation fr = r.fr & r.ms;
  const std::array edges{named_relation{"po", &po},
                         named_relation{"rf", &rf},
                         named_relation{"co", &co},
                         named_relation{"fr", &fr}};
  return cycle(edges, at);
}

// --- Causality: a read that precedes a write in causality order does not read from it; a read that
// follows a write in causality order does not read from what precedes the write in coherence order.

std::optional<violation> causality(const relations& r) {
  if (const auto e = r.cause.reflexive_point()) {
    return violation{*e, *e};
  }
  return some((r.x->rf | r.fr) & r.cause.inverse());
}

std::vector<step> causality_chain(const relations& r, const violation& at) {
  std::vector<step> chain;
  if (at.from != at.to) {
    chain.push_back({at.from, r.x->rf(at.from, at.to) ? "rf" : "fr", at.to, {}});
  }
  for (step& s : cause_chain(r, at.to, at.from)) {
    chain.push_back(std::move(s));
  }
  return chain;
}

constexpr axiom thin_air{
    "No-Thin-Air", "acyclic(rf | addr | data | ctrl)", no_thin_air, no_thin_air_chain};

constexpr axiom thin_air_by_value{"No-Thin-Air",
                                  "acyclic(rf | what settles each write, by value)",
                                  no_thin_air_by_value,
                                  no_thin_air_by_value_chain};

/// All axioms, in the order of the chapter.
constexpr std::array<axiom, 7> axioms_with(const axiom& no_thin_air_axiom) {
  return {
      axiom{"Coherence", "irreflexive((co | cause & W*W & overlap)+)", coherence, coherence_chain},
      axiom{"Fence-SC", "irreflexive(sc ; base)", fence_sc, fence_sc_chain},
      axiom{"Atomicity (single copy)", "empty(fr & rf^-1 & ms)", single_copy, single_copy_chain},
      axiom{"Atomicity (read-modify-write)",
            "empty((fr & ms) ; (co & ms) & rmw)",
            read_modify_write,
            read_modify_write_chain},
      no_thin_air_axiom,
      axiom{"SC-per-Location",
            "acyclic(((rf | co | fr) & ms) | (po & overlap))",
            sc_per_location,
            sc_per_location_chain},
      axiom{"Causality", "irreflexive((rf | fr)? ; cause)", causality, causality_chain},
  };
}

constexpr std::array axioms = axioms_with(thin_air);
constexpr std::array axioms_by_value = axioms_with(thin_air_by_value);

} // namespace

const model& ptx() {
  static constexpr model m{"ptx",
                           "the PTX memory consistency model",
                           axioms,
                           /*fence_order=*/true,
                           /*total_coherence=*/false,
                           /*dependencies_by_value=*/false,
                           /*mixed_sizes_undo=*/true};
  return m;
}

const model& ptx_values() {
  static constexpr model m{"ptx-values",
                           "the PTX memory consistency model, dependencies by value",
                           axioms_by_value,
                           /*fence_order=*/true,
                           /*total_coherence=*/false,
                           /*dependencies_by_value=*/true,
                           /*mixed_sizes_undo=*/true};
  return m;
}

} // namespace tilesim::memmodel
