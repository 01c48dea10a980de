// Threads that run alone and meet: barriers, and what they exchange there.
//
// A thread that exchanges a value writes it where nothing else is, once, and reads those of the
// others, which it waits for. That is relaxed, so that it orders no other memory: of the warp's
// functions __syncwarp alone does. [PTX: bar.warp.sync, shfl.sync, vote.sync, match.sync,
// redux.sync]
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/core/thread.hpp"
#include "sim/explore/exploring_engine.hpp"

namespace tilesim::sim::exploring {

namespace {

struct new_meeting {
  std::unique_ptr<step> whole = std::make_unique<step>();
  std::shared_ptr<instruction> what = std::make_shared<instruction>();

  new_meeting(memmodel::explore::step_kind kind, const void* site, const live_run& l) {
    what->kind = kind;
    what->scope = memmodel::scope::cta;
    what->number = static_cast<std::uint32_t>(l.at == nullptr ? 0 : l.at->number + 1);
    whole->site = site;
    whole->what = what;
  }
  memmodel::explore::element& element(std::uintptr_t address) {
    auto& e = what->elements.emplace_back();
    e.number = static_cast<std::uint32_t>(what->elements.size() - 1);
    e.bytes = {address, sizeof(std::uint64_t)};
    whole->strong.push_back(not_strong);
    return e;
  }
};

/// Where a lane leaves what it brings to the n-th exchange at a point.
std::uintptr_t place_of(std::uint64_t point, std::uint64_t nth, std::uint32_t lane) {
  std::uint64_t h = (point ^ 0x9e37'79b9'7f4a'7c15U) * 0xbf58'476d'1ce4'e5b9U;
  h = ((h ^ h >> 29U) + nth) * 0x94d0'49bb'1331'11ebU;
  constexpr std::uint64_t block = 1024 * sizeof(std::uint64_t);
  return exchanges_begin |
         ((h ^ h >> 32U) % (exchanges_begin / block) * block + lane * sizeof(std::uint64_t));
}

} // namespace

void exploring_engine::meets(sim_thread& t, const void* site, const gathering& where) {
  settle();
  new_meeting m(memmodel::explore::step_kind::barrier, site, threads_->live(t.number));
  m.what->barrier = where.point;
  m.what->expected = where.expected;
  m.what->waits = where.waits;
  threads_->perform(t, std::move(m.whole));
}

void exploring_engine::exchange_values(sim_thread& t,
                                       const void* site,
                                       std::uint64_t point,
                                       std::uint32_t own,
                                       std::span<exchanged> with) {
  settle();
  const std::uint64_t nth = threads_->live(t.number).exchanges[point]++;
  new_meeting brings(memmodel::explore::step_kind::store, site, threads_->live(t.number));
  new_meeting takes(memmodel::explore::step_kind::load, site, threads_->live(t.number));
  brings.what->order = takes.what->order = memmodel::memory_order::relaxed;
  takes.what->awaits = true;
  for (exchanged& e : with) {
    if (e.lane == own) {
      brings.element(place_of(point, nth, own)).store.value = e.value;
    } else {
      takes.element(place_of(point, nth, e.lane));
    }
  }
  threads_->perform(t, std::move(brings.whole));
  if (takes.what->elements.empty()) {
    return;
  }
  ++takes.what->number;
  const auto values = threads_->perform(t, std::move(takes.whole));
  std::size_t n = 0;
  for (exchanged& e : with) {
    if (e.lane != own) {
      e.value = values[n++];
    }
  }
}

} // namespace tilesim::sim::exploring
