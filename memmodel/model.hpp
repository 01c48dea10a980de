// A model is a list of axioms; an axiom is one function that says what breaks it.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "memmodel/relations.hpp"

#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace tilesim::memmodel {

/// The pair of events at which an axiom breaks. What it means is the axiom's; chain_of() spells it
/// out.
struct violation {
  event_id from = no_event;
  event_id to = no_event;
};

/// One edge of a witness: a named relation between two events.
struct step {
  event_id from = no_event;
  std::string_view edge; ///< "po", "rf", "co", "fr", "sync", "sc", "bar", "data" …
  event_id to = no_event;
  std::vector<step> through; ///< of a derived edge: the chain that makes it
};

struct axiom {
  std::string_view name;
  std::string_view says; ///< the axiom as a formula over the relations
  /// Nothing if it holds. Anti-monotone: what breaks a part of the choices breaks all that extend
  /// it.
  std::optional<violation> (*broken)(const relations&);
  /// The cycle that makes the violation: each step starts where the one before ends, the last ends
  /// at the start.
  std::vector<step> (*chain)(const relations&, const violation&);
};

struct model {
  std::string_view name;
  std::string_view summary;
  std::span<const axiom> axioms;
  bool fence_order = false; ///< morally strong sequentially consistent fences are ordered
  bool total_coherence =
      false; ///< all overlapping writes are ordered, not only morally strong ones
  bool dependencies_by_value = false; ///< as the values say, not as the code is written
  /// One race of accesses that overlap in part, and no axiom constrains the program.
  /// [PTX: mixed-size data races]
  bool mixed_sizes_undo = false;
};

/// The PTX memory consistency model: the judge by default.
[[nodiscard]] const model& ptx();
/// The same, but for dependencies: a write depends on a read if its value, its place or its being
/// done does. What PTX's No-Thin-Air forbids of a compiler and a GPU.
[[nodiscard]] const model& ptx_values();
/// Sequential consistency: to teach and to compare.
[[nodiscard]] const model& sc();
/// "ptx", "ptx-values" or "sc"; null if there is none of that name.
[[nodiscard]] const model* find_model(std::string_view name);

struct broken_axiom {
  const axiom* which = nullptr;
  violation at;
};

/// The first axiom that does not hold, in the model's order.
[[nodiscard]] std::optional<broken_axiom> first_broken(const model& m, const relations& r);

/// An event on a cycle of these, if there is one.
[[nodiscard]] std::optional<violation> on_cycle(const relation& edges);

/// The chain of a read-modify-write between whose halves, `at`, a write stands: from-read leads to
/// it and coherence order from it.
[[nodiscard]] std::vector<step>
write_between(const relation& fr, const relation& co, const violation& at);

/// A relation under the name that a witness shows it by.
struct named_relation {
  std::string_view name;
  const relation* pairs;
};

/// A shortest way from `from` to `to` over the named relations, of at least one step; empty if
/// there is none. Where two relations hold a step, the first in the list names it.
[[nodiscard]] std::vector<step>
shortest_path(std::span<const named_relation> edges, event_id from, event_id to);

/// The chain that makes base causality between two events: program order and synchronisation, each
/// synchronisation with its release pattern, its observations and its acquire pattern.
[[nodiscard]] std::vector<step> base_chain(const relations& r, event_id from, event_id to);

/// The chain that makes causality between two events: an observation, if it takes one, then base
/// causality.
[[nodiscard]] std::vector<step> cause_chain(const relations& r, event_id from, event_id to);

} // namespace tilesim::memmodel
