// What blocks that never end do.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/execution/livelock.hpp"

#include "sim/core/context.hpp"
#include "sim/debug_info/source_site.hpp"
#include "sim/execution/execution_impl.hpp"
#include "sim/execution/thread_state.hpp"
#include "sim/memory/hash.hpp"
#include "sim/naming/address_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace tilesim::sim {

namespace {

constexpr std::size_t most_told = 8;     // threads, or groups of them
constexpr std::size_t most_accesses = 4; // of a thread
constexpr std::uint64_t often = 32;
constexpr std::uint64_t first_looks = 4; // of a poll, before states are looked at there
constexpr std::uint64_t most_looks = 96;
constexpr std::uint64_t few = 16; // numbers up to that may be anything

/// What memory holds now, if it is no more than a number.
std::uint64_t value_at(std::uintptr_t address, unsigned bytes) {
  std::uint64_t value = 0;
  std::memcpy(&value, reinterpret_cast<const void*>(address), std::min<std::size_t>(bytes, 8));
  return value;
}

std::string value_text(std::uintptr_t address, unsigned bytes) {
  return bytes > sizeof(std::uint64_t) ? std::string{}
                                       : fmt::format(", which is {} now", value_at(address, bytes));
}

/// The same of all that an operation accessed, of the first elements.
std::uint64_t value_of(const memory_event& e, unsigned first) {
  constexpr unsigned most_elements = 64;
  std::uint64_t value = value_at(e.addresses[first], e.bytes);
  for (unsigned i = first + 1; i < std::min(e.count, first + most_elements); ++i) {
    if (e.mask == nullptr || e.mask[i] != 0) {
      value = mix(value, value_at(e.addresses[i], e.bytes));
    }
  }
  return value;
}

} // namespace

void value_series::add(std::uint64_t value) {
  const auto note = [](std::vector<std::uint64_t>& known, std::uint64_t what, std::size_t most) {
    if (std::ranges::find(known, what) != known.end()) {
      return false;
    }
    if (known.size() == most) {
      return true;
    }
    known.push_back(what);
    return false;
  };
  if (!values_.empty() && value != last_) {
    uneven_ = uneven_ || note(steps_, value - last_, most_steps);
  }
  many_ = many_ || note(values_, value, most_values);
  last_ = value;
}

void busy_record::memory(const memory_event& e) {
  thread_record& t = threads_[e.thread->number];
  if (t.name.empty()) {
    t.name = e.thread->name();
    t.kernel = e.thread->launch->kernel.name;
    t.operations = e.thread->operations;
  }
  ++t.accesses_seen;
  for (unsigned i = 0; i < e.count; ++i) {
    if (e.mask == nullptr || e.mask[i] != 0) {
      access_count& a = t.accesses[{e.site, e.addresses[i], e.bytes, e.reads, e.writes}];
      const std::uint64_t now = value_of(e, i);
      a.values.add(now);
      value_series& all = everybody_s_[e.addresses[i]];
      if (e.reads && e.writes && e.count == 1 && all.last() > few) {
        t.given[t.updates++ % t.given.size()] = all.last();
      }
      all.add(now);
      a.polls = e.reads && e.how.order != machine::memory_order::weak;
      ++a.times;
      // Not where it comes by now and then, as where it gives a lock back.
      if (a.polls && (t.state_site != nullptr || a.times >= first_looks)) {
        note_state(t, e);
      }
      break; // one element tells which memory it is
    }
  }
}

void busy_record::note_state(thread_record& t, const memory_event& e) {
  constexpr std::size_t most_states = 32;
  if (t.state_site == nullptr) {
    t.state_site = e.site;
  }
  if (t.state_site != e.site || t.states_seen == most_looks || !t.state_is_seen) {
    return;
  }
  const auto state = state_at_poll(*e.thread, e.site, t.given).hash();
  t.state_is_seen = state.has_value() && t.states.size() < most_states;
  ++t.states_seen;
  if (state && t.states.insert(*state).second) {
    t.last_new_state = t.states_seen;
  }
}

// One that counts is never in the same state twice; some states are rare.
bool busy_record::recurs(const thread_record& t) {
  return t.state_is_seen && t.states_seen >= often &&
         (t.last_new_state <= t.states_seen / 2 || t.states.size() <= t.states_seen / 4);
}

bool busy_record::has_shown(const thread_record& t) {
  constexpr std::uint64_t most_accesses_seen =
      1024; // it comes by the place of its states too seldom
  const bool states_shown = t.state_site == nullptr || !t.state_is_seen || recurs(t) ||
                            t.states_seen >= most_looks || t.accesses_seen >= most_accesses_seen;
  return states_shown &&
         std::ranges::any_of(t.accesses, [](const auto& a) { return a.second.times >= 2 * often; });
}

going_round busy_record::judge(const thread_record& t, const worker& w) const {
  constexpr std::size_t most_places = 64;
  constexpr std::uint64_t work_per_poll = 64;
  const std::uint64_t made = w.thread.operations - t.operations + 1;
  bool all_few = true;
  bool polls_few = false;
  bool polls_constant = false;
  for (const auto& [access, count] : t.accesses) {
    const std::uintptr_t address = std::get<1>(access);
    if (!count.values.is_no_data() && !everybody_s_.at(address).is_no_data()) {
      return going_round::no;
    }
    const bool polls = count.polls && count.times >= often && count.times * work_per_poll >= made;
    all_few = all_few && count.values.is_few();
    polls_few = polls_few || (polls && count.values.is_few());
    polls_constant = polls_constant || (polls && count.values.is_constant());
  }
  if (t.accesses.size() > most_places || !polls_few) {
    return going_round::no;
  }
  if (w.thread.spin.has_asked_the_time()) {
    return going_round::maybe;
  }
  return recurs(t) && (polls_constant || all_few) ? going_round::surely
         : polls_constant                         ? going_round::likely
                                                  : going_round::maybe;
}

/// Sure, and nobody is seen to change what it waits for: it may only have come too late each time.
bool busy_record::waits_for_ever(const spin_detector& spin) const {
  return spin.waited_for_ever() &&
         std::ranges::all_of(spin.watched(), [this](const watched_cell& c) {
           const auto known = everybody_s_.find(c.address);
           return known == everybody_s_.end() || known->second.is_constant();
         });
}

std::optional<going_round> busy_record::judge(const execution::impl& run) const {
  // Of those who get few turns nothing more is to be waited for.
  constexpr std::uint64_t accesses_each = 1024;
  const std::uint64_t watched = run.made - begun_;
  const bool long_enough =
      watched >= std::max(std::uint64_t{1} << 20, accesses_each * run.workers.size());
  if (run.can_start()) {
    return long_enough ? std::optional(going_round::no) : std::nullopt;
  }
  going_round sure = going_round::surely;
  bool all_shown = true;
  bool all_certain = true; // who sleeps, and not for ever, has more to show
  for (const auto& w : run.workers) {
    const spin_detector& spin = w->thread.spin;
    const auto known = threads_.find(w->thread.number);
    const bool asleep = w->state == worker::status::sleeping;
    const bool shown = known != threads_.end() && has_shown(known->second);
    if (asleep && !spin.restless() && !shown) {
      all_certain = all_certain && waits_for_ever(spin);
      sure = std::min(sure,
                      waits_for_ever(spin)               ? going_round::surely
                      : spin.waited_for_ever()           ? going_round::likely
                      : spin.may_compute()               ? going_round::no
                      : spin.exhausted(run.polls_each()) ? going_round::likely
                                                         : going_round::maybe);
    } else if (asleep || w->state == worker::status::running) {
      all_shown = all_shown && shown;
      sure = shown ? std::min(sure, judge(known->second, *w)) : sure;
    }
    if (sure == going_round::no) {
      return sure;
    }
  }
  if (all_shown && (all_certain || long_enough)) {
    return sure;
  }
  return long_enough ? std::optional(going_round::no) : std::nullopt;
}

bool is_of_host(const context& c, std::uintptr_t address) {
  const allocations& m = c.mem;
  if (c.shared.holds(address)) {
    return false;
  }
  const allocation* a = m.find(reinterpret_cast<const void*>(address));
  // What is lent stands for a device's arrays, which the host would not reach while kernels run.
  return a == nullptr || (a->kind != memory_kind::device && a->kind != memory_kind::lent);
}

bool busy_record::polls_memory_of_host() const {
  return std::ranges::any_of(threads_, [this](const auto& t) {
    return std::ranges::any_of(t.second.accesses, [this](const auto& a) {
      return a.second.polls && is_of_host(context_, std::get<1>(a.first));
    });
  });
}

std::vector<std::string> busy_record::lines_of(const thread_record& t) const {
  using access = decltype(t.accesses)::const_pointer;
  std::vector<access> often_made;
  for (const auto& a : t.accesses) {
    often_made.push_back(&a);
  }
  std::ranges::stable_sort(
      often_made, std::greater{}, [](const access a) { return a->second.times; });
  often_made.resize(std::min(often_made.size(), most_accesses));
  std::ranges::sort(often_made, {}, [](const access a) { return a->first; });
  std::vector<std::string> text;
  for (const access a : often_made) {
    const auto& [site, address, bytes, reads, writes] = a->first;
    text.push_back(fmt::format("    it {} {} at {}{}",
                               reads && writes ? "updates"
                               : reads         ? "reads"
                                               : "writes",
                               describe_address(context_, address),
                               place(site),
                               value_text(address, bytes)));
  }
  return text;
}

std::vector<std::string> busy_record::lines() const {
  struct group {
    const thread_record* first;
    std::size_t count;
    std::vector<std::string> does;
  };
  std::vector<group> groups;
  std::map<std::vector<std::string>, std::size_t> known;
  for (const auto& [number, t] : threads_) {
    std::vector<std::string> key = lines_of(t);
    key.push_back(t.kernel);
    const auto [it, is_new] = known.try_emplace(std::move(key), groups.size());
    if (is_new) {
      groups.push_back({&t, 0, {it->first.begin(), it->first.end() - 1}});
    }
    ++groups[it->second].count;
  }
  std::vector<std::string> text;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    if (i == most_told) {
      text.push_back(fmt::format("and more: {} blocks or threads in all", threads_.size()));
      break;
    }
    const group& g = groups[i];
    text.push_back(g.count == 1
                       ? fmt::format("{} of {} goes on and on:", g.first->name, g.first->kernel)
                       : fmt::format("{} of {} and {} more go on and on, each:",
                                     g.first->name,
                                     g.first->kernel,
                                     g.count - 1));
    text.insert(text.end(), g.does.begin(), g.does.end());
  }
  return text;
}

} // namespace tilesim::sim
