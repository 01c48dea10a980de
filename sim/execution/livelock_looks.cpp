// When it is looked for livelocks, and how they are told.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/core/context.hpp"
#include "sim/execution/closed_rounds.hpp"
#include "sim/execution/execution_impl.hpp"
#include "sim/execution/livelock.hpp"
#include "sim/execution/standings.hpp"
#include "sim/memory/judging.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

namespace tilesim::sim {

std::uint64_t execution::impl::operations_without_end() const {
  // In code without hooks, less is seen of what the blocks do.
  const std::uint64_t usual = code_is_hooked() ? 20'000'000 : 400'000'000;
  return owner.opts.idle_ops.value_or(usual);
}

// At an eightieth of the operations that may be made without a block's end, at a twentieth, at a
// fifth, and at all.
void execution::impl::look_again_later() {
  const std::uint64_t most = operations_without_end();
  const std::uint64_t past = made - made_at_end;
  if (looks.front() != most) {
    // Where less is seen, no verdict is surer than another.
    looks = {most, most / 5, most / 20, code_is_hooked() ? most / 80 : most / 20};
  }
  suspect_at = std::numeric_limits<std::uint64_t>::max();
  for (const std::uint64_t look : looks) {
    if (look > past) {
      suspect_at = made_at_end + look;
    }
  }
  if (most != 0 && past >= most) {
    suspect_at = made + most;
  }
  if (suspected != nullptr) {
    detach(*suspected);
    detach(*fair_turns);
    suspected = nullptr;
    fair_turns = ruling = nullptr;
  }
  expect_looks();
}

// Who only polls falls asleep after some 30 operations, of two or three places after twice as many,
// and what follows is told as the deadlock that it is. Of very many threads all of that comes later
// than the first look. So does the end of a block of many threads.
std::uint64_t execution::impl::when_all_who_poll_sleep() const {
  constexpr std::uint64_t operations_each = 64;
  constexpr std::uint64_t work_each = 512;
  std::uint64_t of_a_block = 0;
  for (const auto& l : launches) {
    of_a_block =
        std::max(of_a_block, l->threads_per_block > 1 ? l->threads_per_block * work_each : 0);
  }
  return made_at_end + std::min(std::max(operations_each * workers.size(), of_a_block),
                                operations_without_end() / 4);
}

// Who waits does nothing, and who works comes to its end. What looks like neither is watched until
// every block has shown what it does. The more it takes to be sure of that, the later it is said.
void execution::impl::look_for_livelock(const void* site) {
  constexpr std::uint64_t look_every = std::uint64_t{1} << 14;
  const std::uint64_t most = operations_without_end();
  if (followed == nullptr && suspected == nullptr && made < when_all_who_poll_sleep()) {
    follow_at = std::max(follow_at, when_all_who_poll_sleep());
    suspect_at = std::max(suspect_at, when_all_who_poll_sleep());
    expect_looks();
    return;
  }
  if (handed_over && made > suspect_at) {
    stop_following(); // the host looks on and does nothing for them: as if it waited
  } else if (suspected == nullptr && made > follow_at) {
    look_for_closed_rounds(site);
  }
  if (followed != nullptr || made <= suspect_at) {
    return;
  }
  if (suspected == nullptr) {
    auto record = std::make_unique<busy_record>(owner, made);
    suspected = record.get();
    attach(std::move(record));
    auto turns = std::make_unique<closed_rounds>(owner, made);
    turns->gather(made, workers.size());
    fair_turns = ruling = turns.get();
    attach(std::move(turns));
    restless_until = made;
    suspect_at = made + look_every;
    expect_looks();
    return;
  }
  const auto shown = suspected->judge(*this);
  if (!shown) {
    suspect_at = made + look_every;
    expect_looks();
    return;
  }
  const std::uint64_t past = made - made_at_end;
  const bool all_seem_to = !code_is_hooked()               ? *shown != going_round::no
                           : *shown == going_round::surely ? true
                           : *shown == going_round::likely
                               ? past >= most / 5
                               : *shown == going_round::maybe && past >= most;
  const bool all_wait =
      all_seem_to && !(suspected->polls_memory_of_host() && host_has_other_threads());
  const bool too_long = owner.opts.idle_ops && past > most;
  if (!all_wait && !too_long) {
    look_again_later();
    return;
  }
  report_livelock(site, *suspected, all_wait, too_long && !all_wait ? most : past);
}

void execution::impl::expect_looks() {
  expected_at = std::numeric_limits<std::uint64_t>::max();
  end_expected = suspected != nullptr  ? suspect_at
                 : followed != nullptr ? follow_at
                                       : std::min(suspect_at, follow_at);
}

void execution::impl::stop_following() {
  if (followed != nullptr) {
    detach(*followed);
    followed = ruling = nullptr;
  }
}

void execution::impl::look_for_closed_rounds(const void* site) {
  if (followed == nullptr && code_is_hooked()) {
    auto record = std::make_unique<closed_rounds>(owner, made);
    followed = record.get();
    attach(std::move(record));
    follow_at = followed->next_look(made);
  } else if (followed == nullptr || (followed->given_up() && !followed->rules()) ||
             followed->is_over(made)) {
    // Who rules stays for as long: turns are fair then, and who was only unlucky gets on.
    stop_following();
    follow_at = made_at_end + (4 * (made - made_at_end));
  } else {
    follow(site);
  }
  expect_looks();
}

void execution::impl::follow(const void* site) {
  constexpr std::size_t most_alive = 8192;
  if (!followed->rules()) {
    followed->gather(made, workers.size());
    ruling = followed;
  } else if (followed->gathers() && can_start() && workers.size() < most_alive) {
    // They have not all come.
  } else if (followed->gathers()) {
    followed->take_over(made, workers.size());
    restless_until = made;
  } else if (followed->is_closed(*this) &&
             !(followed->shown().polls_memory_of_host() && host_has_other_threads())) {
    if (!host_goes_on) {
      report_livelock(site, followed->shown(), true, made - made_at_end);
    }
    followed->hand_over();
    handed_over = true;
  }
  follow_at = followed->next_look(made);
}

// A strategy lets few be alive at once. Where none of those ends, they may wait for one that has
// not started: the others are started, and those get a turn in four meanwhile if all that they are
// seen to do is to go round.
bool execution::impl::start_is_overdue(unsigned turns) const noexcept {
  constexpr std::uint64_t without_end = std::uint64_t{1} << 18;
  constexpr std::uint64_t without_start = 64;
  constexpr std::size_t most_followed = 8192;
  constexpr unsigned turns_each = 4;
  if (is_full()) {
    return false;
  }
  if (workers.size() < most_followed &&
      (ruling != nullptr ||
       (made - made_at_end > without_end && made - made_at_start > without_start))) {
    return true;
  }
  return look_often && turns % turns_each != 0 && !runnable.empty() &&
         std::ranges::all_of(runnable, [](const worker* w) { return w->goes_round; });
}

// A stack each. Who could still start does not, unless somebody ends.
bool execution::impl::is_full() const noexcept {
  constexpr std::size_t most_alive = 24'576;
  return workers.size() >= most_alive;
}

void execution::impl::bring_forward(const worker* w) {
  if (w != nullptr) {
    runnable.bring_forward(w);
  }
}

void execution::impl::report_livelock(const void* site,
                                      const busy_record& shown,
                                      bool all_wait,
                                      std::uint64_t count) {
  std::vector<std::string> details = shown.lines();
  for (std::string& line : standings()) {
    details.push_back(std::move(line));
  }
  const bool certain = all_wait && code_is_hooked();
  const std::string noun = noun_of_alive();
  owner.found.stop(
      site,
      {.kind = certain ? finding_kind::livelock : finding_kind::limit,
       .message = fmt::format("{}: {} operations, and no {} has ended in them",
                              certain    ? "livelock"
                              : all_wait ? "no progress"
                                         : "no end in sight",
                              count,
                              noun),
       .details = std::move(details),
       .remedy = certain || code_is_hooked()
                     ? fmt::format("make sure that what the {}s wait for comes about; a program "
                                   "that only needs longer is given more by --idle-ops",
                                   noun)
                     : fmt::format("make sure that what the {}s wait for comes about: {}; a "
                                   "program that only needs longer is given more by --idle-ops",
                                   noun,
                                   see_all_accesses(site))});
}

bool run_desk::ends_turn(step_kind kind) const {
  if (kind == step_kind::compute || !ruling->turn_is_over(*execution::impl::running, made)) {
    return false;
  }
  strategy->made_way(kind);
  return true;
}

void run_desk::suspect_livelock(const void* site) {
  auto& run = static_cast<execution::impl&>(*this);
  run.skips = 0; // from now on others may have to have turns
  run.look_for_livelock(site);
}

} // namespace tilesim::sim
