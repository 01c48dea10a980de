// Blocks that wait: who is let poll on, when that is over, and how it is told.
//
// SPDX-License-Identifier: Apache-2.0
#include "memmodel/assertion.hpp"
#include "sim/core/context.hpp"
#include "sim/debug_info/source_site.hpp"
#include "sim/execution/execution_impl.hpp"
#include "sim/execution/livelock.hpp"
#include "sim/execution/shared_variables.hpp"
#include "sim/execution/standings.hpp"
#include "sim/memory/hash.hpp"
#include "sim/memory/judging.hpp"
#include "sim/naming/address_report.hpp"
#include "sim/process/segments.hpp"

#include <tilesim/detail/thread_index.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <limits>
#include <map>
#include <set>
#if __has_include(<sys/single_threaded.h>)
#  include <sys/single_threaded.h>
#endif
#include <tuple>
#include <utility>

namespace tilesim::sim {

namespace {

using std::chrono::steady_clock;

constexpr std::uint64_t polls_at_least = 1024;
/// A loop that looks at the clock gives up within this time, if it does.
constexpr std::chrono::seconds longest_wait_by_clock{10};
/// How long nothing may happen to blocks that are seen to go round, and how often memory is looked
/// at meanwhile.
constexpr std::chrono::seconds longest_round{2};
constexpr int looks_at_memory = 8;
/// Rounds that led on by changes that are not seen.
constexpr unsigned most_rounds = 64;
constexpr unsigned enough_recurrences = 2;

/// All that kernels may write: what they do is not seen in code without hooks.
std::uint64_t hash_of_memory(const context& c) {
  detail::block_index = {};
  detail::thread_index = {};
  detail::grid_dim = {};
  detail::block_dim = {};
  hide_shared_variables();
  std::uint64_t hash = 0;
  for (const allocation* a : c.mem.live()) {
    hash = hash_bytes(hash, a->begin, a->size);
  }
  c.shared.each_alive([&hash](const block_memory& m) {
    for (const shared_object& o : m.objects) {
      hash = hash_bytes(hash, o.begin, o.size);
    }
  });
  for (const segment& s : loaded_segments()) {
    if (s.of_program && s.writable) {
      hash = hash_bytes(hash, s.begin, s.end - s.begin);
    }
  }
  const segment own = thread_locals_of_program();
  return hash_bytes(hash, own.begin, own.end - own.begin);
}

} // namespace

// --- Polling on

std::uint64_t execution::impl::polls_each() const {
  const auto unsure = std::ranges::count_if(sleeping, [this](const worker* w) {
    return unseen_changes || !w->thread.spin.waits_for_ever(changes);
  });
  const std::uint64_t most = owner.opts.polls;
  const auto share = 2 * most / static_cast<std::uint64_t>(std::max<std::ptrdiff_t>(unsure, 1));
  return std::clamp(share, std::min(polls_at_least, most), most);
}

bool execution::impl::wake_stalled() {
  if (!waiting_since || waiting_changes != changes) {
    waiting_since = steady_clock::now();
    waiting_changes = changes;
  }
  if (std::ranges::any_of(sleeping, [](const worker* w) { return w->thread.spin.just_asleep(); })) {
    strategy->all_sleep();
  }
  const std::uint64_t most = polls_each();
  const bool some_are_restless =
      std::ranges::any_of(sleeping, [](const worker* w) { return w->thread.spin.restless(); });
  const std::chrono::duration<double> waited = steady_clock::now() - *waiting_since;
  const bool by_clock = waited < longest_wait_by_clock;
  const bool may_compute = owner.opts.stall == 0 || waited.count() < owner.opts.stall;
  // How often it has polled; memory may have changed since it was sure.
  constexpr std::uint64_t never = ~std::uint64_t{0};
  const auto rank = [&](const worker* w) -> std::uint64_t {
    const spin_detector& spin = w->thread.spin;
    if (!unseen_changes && spin.waited_for_ever()) {
      const bool still =
          some_are_restless && spin.watches_its_lap() && code_is_hooked(); // nothing it reads has
      return still || spin.waits_for_ever(changes) ? never : 0;
    }
    const bool goes_on = (may_compute && spin.may_compute()) || (by_clock && spin.asks_the_time());
    return spin.exhausted(most) && !goes_on ? never : spin.patience();
  };
  // Those first who have polled least: what they do may be what the others wait for. Who changes
  // memory goes on for ever: nobody waits for that.
  std::uint64_t least = never;
  for (const worker* w : sleeping) {
    least = std::min(least, rank(w));
  }
  return wake_if([&](const worker* w) {
    return w->thread.spin.restless() || (least != never && rank(w) == least) ||
           (some_are_restless && rank(w) != never);
  });
}

bool execution::impl::wake_if(const std::function<bool(const worker*)>& wanted) {
  // A round of all that are restless is to be short.
  constexpr std::uint64_t rounds_of_all = std::uint64_t{1} << 15;
  constexpr std::uint64_t most_rounds_each = 8192;
  const std::uint64_t rounds_each =
      std::min(most_rounds_each, rounds_of_all / std::max<std::uint64_t>(sleeping.size(), 1));
  const std::uint64_t most = polls_each();
  const auto asleep = std::stable_partition(
      sleeping.begin(), sleeping.end(), [&](const worker* w) { return !wanted(w); });
  const bool any = asleep != sleeping.end();
  for (auto it = asleep; it != sleeping.end(); ++it) {
    constexpr std::uint64_t for_ever = ~std::uint64_t{0} / 16;
    spin_detector& spin = (*it)->thread.spin;
    spin.wake(true, spin.restless() ? rounds_each : spin.may_compute() ? for_ever : most);
    (*it)->state = worker::status::running;
    make_runnable(**it);
  }
  sleeping.erase(asleep, sleeping.end());
  return any;
}

// Others may go on for as long as they like, and wait for what these do.
void execution::impl::wake_restless() {
  if (made < restless_until) {
    return;
  }
  restless_until = std::numeric_limits<std::uint64_t>::max();
  wake_if([](const worker* w) { return w->thread.spin.restless(); });
}

bool execution::impl::host_has_other_threads() {
#if __has_include(<sys/single_threaded.h>)
  // The C library knows of no other thread. The kernel may: an emulator's own.
  if (__libc_single_threaded) {
    return false;
  }
#endif
  std::error_code error;
  std::size_t os_threads = 0;
  for ([[maybe_unused]] const auto& task :
       std::filesystem::directory_iterator("/proc/self/task", error)) {
    ++os_threads;
  }
  return os_threads > 1;
}

bool execution::impl::waits_for_memory_of_host() const {
  return std::any_of(sleeping.begin(), sleeping.end(), [&](const worker* w) {
    const auto& cells = w->thread.spin.watched();
    return std::any_of(cells.begin(), cells.end(), [&](const watched_cell& c) {
      return is_of_host(owner, c.address);
    });
  });
}

// --- Judging

void execution::impl::judge_the_waiting() {
  const auto is_certain = [this] {
    return !unseen_changes && std::ranges::all_of(sleeping, [this](const worker* w) {
      return w->thread.spin.waits_for_ever(changes);
    });
  };
  if (!is_certain()) {
    report_vain_polling();
  }
  if (!code_is_hooked()) {
    // Raw accesses are not seen: memory itself says whether there were any.
    const scoped_access device_memory(owner.mem);
    const std::uint64_t before = hash_of_memory(owner);
    const std::uint64_t round = ++changes;
    if (wake_stalled()) {
      run_until_stalled(false);
    }
    if (makes_room) {
      return;
    }
    if (launches.empty() || changes != round || !is_certain()) {
      unseen_changes = ++rounds >= most_rounds;
      return;
    }
    if (hash_of_memory(owner) != before) {
      unseen_changes = true;
      return;
    }
  }
  report_deadlock();
}

void execution::impl::look_for_progress(bool none) {
  if (!none || owner.opts.stall == 0) {
    idle_since.reset();
    return;
  }
  const auto now = steady_clock::now();
  if (!idle_since) {
    idle_since = now;
    round_since.reset();
  }
  const std::chrono::duration<double> idle = now - *idle_since;
  const double round =
      std::min(owner.opts.stall, std::chrono::duration<double>(longest_round).count());
  const bool is_round = nothing_changes() &&
                        steady_clock::now() - *round_since >= std::chrono::duration<double>(round);
  if (is_round || idle.count() >= owner.opts.stall) {
    report_no_progress(fmt::format("no progress for {} s: no {} has ended or made an operation",
                                   is_round ? round : owner.opts.stall,
                                   noun_of_alive()));
  }
}

// Raw accesses are not seen: blocks that hand something on to one another by them, or count in
// memory, may each be found in the same state again and again.
bool execution::impl::nothing_changes() {
  if (!std::ranges::all_of(runnable,
                           [](const worker* w) { return w->recurrences >= enough_recurrences; })) {
    round_since.reset();
    return false;
  }
  const auto now = steady_clock::now();
  if (round_since && now - memory_seen < longest_round / looks_at_memory) {
    return true;
  }
  if (std::ranges::any_of(owner.mem.live(),
                          [](const allocation* a) {
                            return a->kind != memory_kind::device && a->kind != memory_kind::lent;
                          }) &&
      host_has_other_threads()) {
    round_since.reset();
    return false;
  }
  const std::uint64_t hash = hash_of_memory(owner);
  memory_seen = steady_clock::now();
  if (!round_since || hash != memory_then) {
    round_since = memory_seen;
  }
  memory_then = hash;
  return true;
}

// --- Telling

std::vector<sim::turn> execution::impl::sleeping_parties() {
  // The same order in every run, whoever fell asleep first.
  std::ranges::sort(sleeping, {}, &in_order_of_launch);
  // Of very many a schedule in turns would be longer than any other name of it.
  constexpr std::size_t most = 32;
  std::vector<sim::turn> parties;
  for (const worker* w : sleeping) {
    if (sleeping.size() <= most) {
      parties.push_back({w->thread.launch->id, w->thread.linear_thread(), {}});
    }
  }
  return parties;
}

void execution::impl::report_stuck_meeting() {
  const std::vector<const worker*> meeting = those_that_meet();
  TILESIM_ASSERT(!meeting.empty(), launches.size(), meeting_count);
  owner.found.stop(meeting.front()->thread.site,
                   {.kind = finding_kind::deadlock,
                    .message = fmt::format("deadlock: {} {} for others that never come",
                                           count_text(meeting),
                                           meeting.size() == 1 ? "waits" : "wait"),
                    .details = standings(),
                    .remedy = "let all threads that are waited for come to the same place",
                    .parties = sleeping_parties(),
                    .asleep = true});
}

void execution::impl::report_deadlock() {
  std::vector<sim::turn> parties = sleeping_parties();
  const std::vector<const worker*> asleep(sleeping.begin(), sleeping.end());
  const std::vector<const worker*> meeting = those_that_meet();
  owner.found.stop(
      sleeping.front()->thread.site,
      {.kind = finding_kind::deadlock,
       .message = fmt::format("deadlock: {} {} for memory that nobody is left to change{}",
                              count_text(asleep),
                              asleep.size() == 1 ? "waits" : "wait",
                              meeting.empty() ? ""
                                              : fmt::format(", and {} for others that never come",
                                                            count_text(meeting))),
       .details = standings(),
       .remedy =
           fmt::format("make sure that the value is written by a {} that does not itself wait",
                       noun_of(asleep)),
       .parties = std::move(parties),
       .asleep = true});
}

// They may count their polls, and end.
void execution::impl::report_vain_polling() {
  std::vector<sim::turn> parties = sleeping_parties();
  const std::vector<const worker*> asleep(sleeping.begin(), sleeping.end());
  const std::string who = count_text(asleep);
  const bool one = asleep.size() == 1;
  if (std::ranges::any_of(sleeping, [this](const worker* w) {
        return w->thread.spin.may_compute() && !w->thread.spin.waits_for_ever(changes);
      })) {
    report_no_progress(fmt::format("no progress for {} s: {} {} the same again and again",
                                   owner.opts.stall,
                                   who,
                                   one ? "reads" : "read"));
  }
  const std::string what = fmt::format("{} {} in vain, up to {} times each, and nothing has "
                                       "changed",
                                       who,
                                       one ? "polls" : "poll",
                                       polls_each());
  if (!code_is_hooked()) {
    report_no_progress("no progress: " + what);
  }
  owner.found.stop(
      sleeping.front()->thread.site,
      {.kind = finding_kind::livelock,
       .message = "livelock: " + what,
       .details = standings(),
       .remedy = fmt::format("make sure that the value is written by a {} that does not itself "
                             "wait; a loop that gives up by itself, later, is given more by "
                             "--polls",
                             noun_of(asleep)),
       .parties = std::move(parties),
       .asleep = true});
}

void execution::impl::report_no_progress(const std::string& what) {
  const worker* one = !runnable.empty()   ? runnable.back()
                      : !sleeping.empty() ? sleeping.front()
                                          : nullptr;
  owner.found.stop(
      one == nullptr ? nullptr : one->thread.site,
      {.kind = finding_kind::limit,
       .message = what,
       .details = standings(),
       .remedy = code_is_hooked()
                     ? "make sure that the kernel comes to its end; one that only needs longer is "
                       "given more by --stall"
                     : fmt::format("see what the blocks wait for: {}; a kernel that only needs "
                                   "longer is given more by --stall and --polls",
                                   see_all_accesses(one == nullptr ? nullptr : one->thread.site))});
}

} // namespace tilesim::sim
