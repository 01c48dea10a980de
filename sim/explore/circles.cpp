// Places that a circle of program order and reads-from may go through: only reads of these may take
// from their own future.
//
// A circle goes from a thread's read to a later write of the same thread, to another thread's read
// of that, and so on. One that stays at a place of which all accesses are morally strong to each
// other is forbidden, whatever its reads take [PTX: SC per location]: so it is with updates of one
// number by many.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/explore/kernel_threads.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

namespace tilesim::sim::exploring {

namespace {

using place_key = std::pair<std::uint64_t, std::uint32_t>; ///< address and size

/// What threads do at a place, in any run that is known.
struct circle_place {
  std::set<std::size_t> readers; ///< threads
  std::set<std::size_t> writers;
  std::set<place_key> next; ///< that some thread writes behind a read of this one
  bool strong = true;       ///< all accesses are, to all others

  /// Some thread reads what another one writes.
  [[nodiscard]] bool passes_on() const {
    return !readers.empty() && !writers.empty() && (readers.size() > 1 || writers != readers);
  }
};

using circle_places = std::map<place_key, circle_place>;

place_key key_of(const memmodel::explore::element& e) {
  return {e.bytes.address, e.bytes.size};
}

/// A thread's steps from `s` on, behind the reads of `before`.
void follow_steps(std::size_t thread,
                  const step& s,
                  std::set<place_key> before,
                  circle_places& all) {
  const instruction& i = *s.what;
  const bool reads = s.reads();
  const bool writes = i.kind == step_kind::store || i.kind == step_kind::update;
  if (reads || writes) {
    const bool strong = i.order != memmodel::memory_order::weak && i.scope >= memmodel::scope::gpu;
    for (const memmodel::explore::element& e : i.elements) {
      circle_place& here = all[key_of(e)];
      here.strong = here.strong && strong;
      if (reads) {
        here.readers.insert(thread);
      }
      if (writes) {
        here.writers.insert(thread);
        for (const place_key& read : before) {
          all[read].next.insert(key_of(e));
        }
      }
      if (reads && writes) {
        here.next.insert(key_of(e));
      }
    }
    for (const memmodel::explore::element& e : i.elements) {
      if (reads) {
        before.insert(key_of(e));
      }
    }
  }
  for (const auto& next : s.next) {
    follow_steps(thread, *next, before, all);
  }
}

/// Leaves those that lead to others that lead on, and that others lead to.
void leave_circles(circle_places& all) {
  std::erase_if(all, [](const auto& p) { return !p.second.passes_on(); });
  for (bool news = true; news;) {
    std::set<place_key> reached;
    for (auto& [key, p] : all) {
      std::erase_if(p.next, [&, &key = key, &p = p](const place_key& n) {
        return !all.contains(n) || (n == key && p.strong);
      });
      reached.insert(p.next.begin(), p.next.end());
    }
    news = std::erase_if(all, [&](const auto& p) {
             return p.second.next.empty() || !reached.contains(p.first);
           }) != 0;
  }
}

} // namespace

bool kernel_threads::only_reads() const {
  for (std::size_t t = 0; t < runs_.count(); ++t) {
    const launch_state& l = runs_.launch(t);
    if (l.threads_per_block > 1 || l.config.cooperative) {
      return false;
    }
  }
  return true;
}

/// Barriers bring threads together at no place, and where order is by tokens a thread reads what it
/// writes itself: then any read may be on a circle.
void kernel_threads::find_circles() {
  circles_.reset();
  if (!only_reads() || std::ranges::count(partly_ordered_, true) != 0) {
    return;
  }
  circle_places all;
  for (std::size_t t = 0; t < first_.size(); ++t) {
    if (first_[t] != nullptr) {
      follow_steps(t, *first_[t], {}, all);
    }
  }
  leave_circles(all);
  circles_.emplace();
  for (const auto& [key, p] : all) {
    circles_->insert(key);
  }
}

} // namespace tilesim::sim::exploring
