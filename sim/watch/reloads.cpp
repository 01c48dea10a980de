// Following loaded tiles up to their use. A copy that C++ makes of a tile is known by its bytes.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/watch/reloads.hpp"

#include "sim/core/context.hpp"
#include "sim/core/thread.hpp"
#include "sim/debug_info/source_site.hpp"
#include "sim/ops/preconditions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <deque>
#include <set>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

namespace tilesim::sim {

namespace {

/// A tile that a thread has loaded.
struct loaded_tile {
  const void* site = nullptr;
  std::vector<std::byte> bytes;
  std::vector<std::uintptr_t> addresses; ///< sorted
  unsigned element_bytes = 0;
  const void* overwritten = nullptr; ///< by the store there
};

class reloads final : public watcher {
public:
  explicit reloads(std::function<void(const sim_thread&, const reload&)> tell)
      : tell_(std::move(tell)) {}

  void memory(const memory_event& e) override {
    if (e.raw || e.how.order != machine::memory_order::weak || e.count < 2) {
      addresses_.clear();
      return;
    }
    addresses_.assign(e.addresses, e.addresses + e.count);
    element_bytes_ = e.bytes;
    if (e.mask != nullptr) {
      for (std::size_t i = e.count; i > 0; --i) {
        if (e.mask[i - 1] == 0) {
          addresses_.erase(addresses_.begin() + static_cast<std::ptrdiff_t>(i - 1));
        }
      }
    }
    std::ranges::sort(addresses_);
    if (e.writes) {
      overwrite(*e.thread, e.site);
    }
  }

  void operation(const operation_event& e) override {
    const bool loads =
        e.op == machine::opcode::load_ptr_tko || e.op == machine::opcode::load_view_tko;
    if (loads && !addresses_.empty()) {
      std::deque<loaded_tile>& mine = tiles_[e.thread];
      const auto* const from = static_cast<const std::byte*>(e.result->data);
      mine.push_back({.site = e.site,
                      .bytes = {from, from + ops::bytes_of(*e.result->type)},
                      .addresses = addresses_,
                      .element_bytes = element_bytes_});
      if (mine.size() > most_tiles) {
        mine.pop_front();
      }
    } else if (e.op == machine::opcode::broadcast && e.operand_count == 1 &&
               e.operands[0].type->count > 1 && e.result->type->count > e.operands[0].type->count) {
      use(e);
    }
    addresses_.clear();
  }

  void thread_ends(const sim_thread& t) override { tiles_.erase(&t); }

private:
  static constexpr std::size_t most_tiles = 32; ///< of one thread

  void overwrite(const sim_thread& t, const void* site) {
    const auto mine = tiles_.find(&t);
    if (mine == tiles_.end()) {
      return;
    }
    for (loaded_tile& l : mine->second) {
      const auto met = [&](std::uintptr_t at) {
        const auto it = std::ranges::lower_bound(
            addresses_, at - (at < element_bytes_ ? at : element_bytes_ - 1));
        return it != addresses_.end() && *it < at + l.element_bytes;
      };
      if (std::ranges::any_of(l.addresses, met)) {
        l.overwritten = site;
      }
    }
  }

  // The last one that was loaded counts, if several have the same bytes.
  void use(const operation_event& e) {
    const auto mine = tiles_.find(e.thread);
    if (mine == tiles_.end()) {
      return;
    }
    const std::size_t bytes = ops::bytes_of(*e.operands[0].type);
    const auto it =
        std::ranges::find_if(mine->second.rbegin(), mine->second.rend(), [&](const loaded_tile& l) {
          return l.bytes.size() == bytes &&
                 std::memcmp(l.bytes.data(), e.operands[0].data, bytes) == 0;
        });
    if (it != mine->second.rend() && it->overwritten != nullptr &&
        told_.emplace(it->site, it->overwritten, e.site).second) {
      tell_(*e.thread, {it->site, it->overwritten, e.site});
    }
  }

  std::function<void(const sim_thread&, const reload&)> tell_;
  std::unordered_map<const sim_thread*, std::deque<loaded_tile>> tiles_;
  std::vector<std::uintptr_t> addresses_; ///< of the operation under way, sorted
  unsigned element_bytes_ = 0;
  std::set<std::tuple<const void*, const void*, const void*>> told_;
};

} // namespace

std::unique_ptr<watcher>
make_reloads(std::function<void(const sim_thread& t, const reload& r)> tell) {
  return std::make_unique<reloads>(std::move(tell));
}

std::unique_ptr<watcher> make_reload_notes(context& c) {
  return make_reloads([&c](const sim_thread& t, const reload& r) {
    c.found.add(
        r.use,
        {.kind = finding_kind::reloaded_value,
         .message = "reloaded value: a loaded tile is used in another shape after its place was "
                    "overwritten",
         .details =
             {fmt::format(
                  "it was loaded at {}, and overwritten at {}", place(r.load), place(r.store)),
              fmt::format("by {} of {}", t.name(), t.launch->kernel.name),
              "nvcc 13.4.92 for sm_90 may load it again here, behind the store, and get what "
              "was stored"},
         .remedy = "load it a second time in the source, or store to other memory",
         .severity = finding::level::note});
  });
}

} // namespace tilesim::sim
