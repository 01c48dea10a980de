// Asynchronous copies of an execution: which accesses are theirs, and what comes before and behind
// them.
//
// A copy's accesses are steps of the thread that asks for it, made at once. What came before the
// call comes before them; what comes behind them is what has waited for a phase that the copy
// belongs to. An execution in which nothing else touches what a copy accesses ends as it does
// however late the copy is made; in any other there is a race. [libcu++: cuda::memcpy_async,
// cuda::barrier, cuda::pipeline]
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "memmodel/graph/graph.hpp"
#include "sim/explore/witness.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <utility>
#include <vector>

namespace tilesim::sim::exploring {

class copy_order {
public:
  copy_order(const memmodel::graph& g, std::vector<thread_way> ways);

  /// Whether two accesses are not of one agent: one of them, or both, are made by a copy, and not
  /// both by the same one.
  [[nodiscard]] bool apart(memmodel::event_id a, memmodel::event_id b) const;

  /// Base causality of events, as far as threads go.
  using order = std::function<bool(memmodel::event_id, memmodel::event_id)>;
  /// Whether a comes before b, which are apart.
  [[nodiscard]] bool before(memmodel::event_id a, memmodel::event_id b, const order& causal) const;

private:
  using phase = std::pair<std::uintptr_t, std::uint64_t>; ///< the object, and its number
  /// Behind the thread's steps of smaller numbers it has waited for all phases before that one.
  struct wait {
    memmodel::thread_id thread = 0;
    std::size_t step = 0;
    phase end;
  };
  using copy_name = std::pair<memmodel::thread_id, std::uint32_t>;

  [[nodiscard]] std::size_t step_of(memmodel::event_id e) const;
  [[nodiscard]] copy_name copy_of(memmodel::event_id e) const;
  [[nodiscard]] std::uint64_t seen(memmodel::thread_id t, const copy_note& n, std::size_t s) const;
  [[nodiscard]] std::uint64_t arrived(memmodel::thread_id t, phase known, std::size_t s) const;
  void note(memmodel::thread_id t, std::size_t s, const copy_note& n);
  [[nodiscard]] static bool awaits(const wait& w, const std::vector<phase>& of);

  const memmodel::graph& graph_;
  std::vector<thread_way> ways_;
  std::map<copy_name, std::vector<phase>> phases_;
  std::vector<wait> waits_;
};

} // namespace tilesim::sim::exploring
