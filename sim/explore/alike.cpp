// Threads that are alike: blocks that nothing tells apart.
//
// They have the same code and the same arguments, and none has read its index. Whether one does is
// found out by running, so that some that are taken for alike may turn out not to be: then all
// begins anew.
//
// Of blocks of several threads one of each is compared, of the same number: they are named anew
// together, and so is what they have for themselves, their shared memory.
//
// SPDX-License-Identifier: Apache-2.0
#include "memmodel/assertion.hpp"
#include "sim/core/context.hpp"
#include "sim/core/thread.hpp"
#include "sim/core/thread_block.hpp"
#include "sim/explore/kernel_threads.hpp"
#include "sim/memory/block_memory.hpp"

#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace tilesim::sim::exploring {

/// Blocks that are alike, by their first threads.
std::vector<std::vector<std::size_t>> kernel_threads::alike_blocks() const {
  std::map<const launch_state*, std::vector<std::size_t>> by_launch;
  for (std::size_t first = 0; first < runs_.count();) {
    const launch_state& l = runs_.launch(first);
    const std::size_t end = first + l.threads_per_block;
    bool apart = false;
    for (std::size_t t = first; t < end; ++t) {
      apart = apart || shared_.told_apart(t);
    }
    if (!apart) {
      by_launch[&l].push_back(first);
    }
    first = end;
  }
  std::vector<std::vector<std::size_t>> out;
  for (auto& [launch, blocks] : by_launch) {
    if (blocks.size() > 1) {
      out.push_back(std::move(blocks));
    }
  }
  return out;
}

/// Which of a block's threads is compared with the other block's: the first that begins with an
/// access of what blocks share.
std::size_t kernel_threads::compared_thread(std::size_t first) const {
  const std::size_t threads = runs_.launch(first).threads_per_block;
  for (std::size_t n = 0; n < threads; ++n) {
    const step* const s = first_[first + n].get();
    TILESIM_ASSERT(s != nullptr, first, n);
    if (s->what->elements.empty()) {
      continue;
    }
    const std::uint64_t at = s->what->elements[0].bytes.address;
    if (!is_exchange(at) && !context_.shared.holds(at)) {
      return n;
    }
  }
  return 0;
}

std::vector<std::uint32_t> kernel_threads::alike() const {
  std::vector<std::uint32_t> out(runs_.count());
  for (std::size_t t = 0; t < out.size(); ++t) {
    out[t] = static_cast<std::uint32_t>(t);
  }
  for (const std::vector<std::size_t>& blocks : alike_blocks()) {
    const std::size_t n = compared_thread(blocks.front());
    for (const std::size_t first : blocks) {
      out[first + n] = static_cast<std::uint32_t>(blocks.front() + n);
    }
  }
  return out;
}

bool kernel_threads::some_alike() const {
  return !alike_blocks().empty();
}

/// Another block's address of what is this address in a block's shared memory; any other number
/// stays what it is. Nothing: the other has come by no such variable.
std::optional<std::uint64_t>
kernel_threads::in_block(std::uint64_t value, std::size_t of, std::size_t other) const {
  if (!context_.shared.holds(value)) {
    return value;
  }
  const thread_block* const from = runs_.team(of);
  const thread_block* const to = runs_.team(other);
  if (from == nullptr || to == nullptr || from->memory == nullptr || to->memory == nullptr) {
    return value;
  }
  for (const shared_object& o : from->memory->objects) {
    if (o.contains(value, 0)) {
      for (const shared_object& its : to->memory->objects) {
        if (its.declared == o.declared) {
          return its.begin + (value - o.begin);
        }
      }
      return {};
    }
  }
  return value;
}

/// What thread `of` may do `other` may do as well, if it is where that one is in its block.
void kernel_threads::share_runs(std::size_t of, std::size_t other) {
  std::set<std::pair<std::size_t, std::vector<std::uint64_t>>> runs;
  TILESIM_ASSERT(first_[of] != nullptr, of);
  for_each_run(*first_[of], {}, [&](const step& last, const std::vector<std::uint64_t>& taken) {
    runs.emplace(last.number, taken);
  });
  for (const auto& [last, taken] : runs) {
    std::vector<std::uint64_t> own = taken;
    for (std::uint64_t& value : own) {
      value = in_block(value, of, other).value_or(value);
    }
    run_again(other, last, own);
  }
}

/// By now they have come by the same variables.
void kernel_threads::share_promises(std::size_t of, std::size_t other) {
  seen_writes its;
  for (const auto& [write, n] : promises_[of].of_value) {
    const auto [address, size, value] = write;
    const auto at = in_block(address, of, other);
    const auto made = in_block(value, of, other);
    if (at && made) {
      its.of_value[{*at, size, *made}] = n;
    }
  }
  for (const auto& [place, n] : promises_[of].of_any) {
    if (const auto at = in_block(place.first, of, other)) {
      its.of_any[{*at, place.second}] = n;
    }
  }
  promises_[other].add(its);
}

void kernel_threads::share_among_alike() {
  for (const std::vector<std::size_t>& blocks : alike_blocks()) {
    const std::size_t threads = runs_.launch(blocks.front()).threads_per_block;
    const auto for_each_two = [&](const auto& f) {
      for (std::size_t n = 0; n < threads; ++n) {
        for (const std::size_t of : blocks) {
          for (const std::size_t other : blocks) {
            if (of != other) {
              f(of + n, other + n);
            }
          }
        }
      }
    };
    for_each_two([&](std::size_t of, std::size_t other) { share_runs(of, other); });
    for_each_two([&](std::size_t of, std::size_t other) { share_promises(of, other); });
  }
}

/// A thread writes its block's own address where other blocks may find it: that tells whose it is.
void kernel_threads::note_address(std::size_t thread,
                                  const memmodel::byte_range& to,
                                  std::uint64_t value) {
  if (to.size == sizeof value && context_.shared.holds(value) && !is_exchange(to.address) &&
      !context_.shared.holds(to.address)) {
    shared_.tell_apart(thread);
  }
}

} // namespace tilesim::sim::exploring
