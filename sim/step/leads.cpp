// Keeping the operations that a difference between two runs may have come from.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/step/leads.hpp"

#include "sim/core/context.hpp"
#include "sim/core/execution.hpp"
#include "sim/debug_info/source_site.hpp"
#include "sim/execution/run_desk.hpp"

#include <algorithm>
#include <utility>

namespace tilesim::sim::step {

void leads::left_unspecified() {
  if (const sim_thread* const t = execution::current()) {
    open_.try_emplace(t->site, run_.begun);
  }
}

void leads::took_older(const stale_event& e) {
  stale_[e.thread->site] = e.thread->run_operation;
}

void leads::operation(const operation_event& e) {
  if (e.op == machine::opcode::print_tko) {
    shown_[nullptr] = e.thread->run_operation;
  }
}

void leads::host_access(const host_event& e) {
  if (e.reads) {
    shown(e.site, e.address, e.bytes);
  }
}

void leads::copied(const copy_event& e) {
  if (!e.to_host) {
    return;
  }
  e.each_row([&](const unsigned char* /*to*/, const unsigned char* from) {
    shown(e.site, reinterpret_cast<std::uintptr_t>(from), e.width);
  });
}

void leads::shown(const void* site, std::uintptr_t address, std::size_t bytes) {
  if (const std::uint64_t by = run_.writers.last(address, bytes); by != 0) {
    std::uint64_t& known = shown_[site];
    known = std::max(known, by);
  }
}

void leads::add(protocol::lead_list& to, protocol::lead what) const {
  if (const auto e = run_.operations.find(what.operation)) {
    what.where = resolve(e->site);
  }
  to.leads.push_back(std::move(what));
}

protocol::lead_list leads::all() const {
  protocol::lead_list list;
  for (const drawing_site& d : run_.in.exec->desk().unspecified.sites()) {
    if (const auto known = open_.find(d.site); known != open_.end()) {
      add(list,
          {.how = protocol::led_by::left_open,
           .operation = known->second,
           .what = explain(d),
           .remedy = remedy(d.why)});
    }
  }
  for (const auto& [site, operation] : stale_) {
    add(list, {.how = protocol::led_by::older_write, .operation = operation});
  }
  for (const auto& [site, operation] : shown_) {
    add(list,
        {.how = protocol::led_by::shown,
         .operation = operation,
         .shown = site == nullptr ? protocol::frames{} : resolve(site)});
  }
  return list;
}

std::uint64_t leads::operation_behind(const void* site, const finding_text& f) const {
  std::uint64_t last = 0; // of the thread that it speaks of, at whatever place
  for (std::uint64_t n = f.parties.empty() ? 0 : run_.operations.count(); n != 0; --n) {
    const auto e = run_.operations.find(n);
    if (!e) {
      break;
    }
    const known_thread& by = run_.threads[e->thread];
    const bool is_party = std::ranges::any_of(
        f.parties, [&](const turn& t) { return t.launch == by.launch && t.thread == by.linear; });
    if (is_party && (e->site == f.other || e->site == site)) {
      return n;
    }
    last = is_party ? std::max(last, n) : last;
  }
  return last != 0 || f.memory.bytes == 0 ? last
                                          : run_.writers.last(f.memory.address, f.memory.bytes);
}

} // namespace tilesim::sim::step
