// Blocks whose operations are ordered by tokens: which of its steps an operation does not come
// behind, and where a block meets itself.  [Tile IR: memory model, waits-for]
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/core/execution.hpp"
#include "sim/core/thread.hpp"
#include "sim/explore/exploring_engine.hpp"
#include "sim/explore/kernel_threads.hpp"

#include <algorithm>
#include <vector>

namespace tilesim::sim::exploring {

namespace {

std::vector<detect::token> tokens_of(const machine::ordered_after& all) {
  std::vector<detect::token> tokens;
  detect::tokens_of(all, tokens);
  return tokens;
}

} // namespace

detect::token kernel_threads::begin_operation(sim_thread& t, const machine::ordered_after* after) {
  if (after == nullptr) {
    return 0;
  }
  const detect::token by = live_[t.number].tokens.operation(tokens_of(*after));
  t.token = by;
  return by;
}

/// An access that the new one comes behind is met by no later one that does not meet the new one as
/// well, if that conflicts with all that the earlier one does.
void kernel_threads::meets_own(
    std::size_t thread, detect::token by, std::uintptr_t address, std::size_t bytes, bool writes) {
  if (by == 0) {
    return;
  }
  live_run& l = live_[thread];
  for (std::uintptr_t at = address & ~std::uintptr_t{3}; at < address + bytes; at += 4) {
    auto& here = l.accesses[at];
    bool meets = false;
    std::erase_if(here, [&](const live_run::token_access& a) {
      if (a.by == by) {
        return !a.writes && writes; // another element of its own
      }
      const bool behind = l.tokens.reaches(a.by, by);
      meets = meets || (!behind && (a.writes || writes));
      return behind && (writes || !a.writes);
    });
    if (here.empty() || here.back().by != by) {
      here.push_back({by, writes});
    }
    if (meets && !shared_.is_shared(at)) {
      shared_.share(at);
    }
  }
}

void kernel_threads::order_step(std::size_t thread, detect::token by, instruction& i) {
  live_run& l = live_[thread];
  l.of_step.resize(i.number + std::size_t{1}, 0);
  l.of_step[i.number] = by;
  memmodel::instruction_set beside;
  for (std::uint32_t n = 0; by != 0 && n < i.number; ++n) {
    if (l.of_step[n] != 0 && !l.tokens.reaches(l.of_step[n], by)) {
      beside.push_back(n);
    }
  }
  if (!beside.empty()) {
    i.beside = &*beside_.insert(std::move(beside)).first;
    partly_ordered_[thread] = true;
  }
}

bool kernel_threads::some_promised() {
  find_circles();
  if (circles_ && circles_->empty()) {
    return false;
  }
  if (std::ranges::count_if(promises_, [](const auto& p) { return !p.empty(); }) > 1) {
    return true;
  }
  for (std::size_t t = 0; t < promises_.size(); ++t) {
    if (partly_ordered_[t] && !promises_[t].empty()) {
      return true;
    }
  }
  return false;
}

std::uint64_t exploring_engine::join(const machine::ordered_after& all) {
  const sim_thread* const t = execution::current();
  if (threads_ == nullptr || t == nullptr) {
    return 0;
  }
  return threads_->live(t->number).tokens.join(tokens_of(all));
}

} // namespace tilesim::sim::exploring
