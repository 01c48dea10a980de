// A goal, and what may come in between.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/step/stop_control.hpp"

#include "sim/core/execution.hpp"
#include "sim/execution/signals.hpp"
#include "sim/watch/capture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace tilesim::sim::step {

using protocol::stop_reason;
using protocol::way;

namespace {

constexpr std::uint64_t operations_between_looks = 256;

} // namespace

protocol::finding message_of(const finding& f) {
  return {.code = code(f.kind),
          .level = f.severity == finding::level::defect ? "error" : "note",
          .message = f.message,
          .details = f.details,
          .remedy = f.remedy,
          .where = f.where,
          .other = f.other,
          .count = f.count};
}

std::string full_name(const sim_thread& t) {
  return fmt::format("{} of {}", t.name(), t.launch->kernel.name);
}

// --- What it is told

void stop_control::go(const protocol::go& how) {
  const sim_thread* const t = names_.thread();
  goal_ = {how, t != nullptr ? t->number : never};
  goal_thread_ended_ = false;
  last_hit_.reset();
  every_ = true;
}

void stop_control::go_to(std::uint64_t position) {
  goal_ = {};
  goal_.how = way::position;
  goal_.position = position;
  every_ = true;
}

void stop_control::set(const protocol::set& all) {
  stops_.set(all.breakpoints, all.watches);
  ++values_known_to_;
  look_at_watches(names_.thread()); // what is new counts from now on
  stop_at_findings_ = all.stop_at_findings;
}

void stop_control::forget_values() {
  stops_.forget_values();
  changes_.clear();
}

// --- What happens

void stop_control::comes(sim_thread& t, bool begins) {
  if (stops_.has_watches() && goal_.how != way::position) {
    look_at_watches(&t, begins); // before anybody else runs
    every_ = every_ || !changes_.empty();
  }
}

bool stop_control::begins(const sim_thread& t) {
  if (t.number == goal_.thread && goal_.count != 0) {
    --goal_.count;
  }
  return (goal_.how == way::step && t.number == goal_.thread && goal_.count == 0) ||
         run_.begun == goal_.position;
}

void stop_control::finding_added(std::uint64_t about) {
  new_findings_ = every_ = true;
  found_at_.resize(run_.in.found.all().findings.size(),
                   found_at{execution::current() != nullptr ? run_.begun : 0, about});
}

std::optional<protocol::stop> stop_control::last_finding_of(const sim_thread& t) {
  if (t.number == goal_.thread && goal_.how != way::run) {
    goal_thread_ended_ = true;
    every_ = true;
    ended_thread_ = full_name(t);
  }
  // What its last operation did may be the last of all: nobody may come by before the end.
  if (goes_to_a_position() || !found_a_defect()) {
    return std::nullopt;
  }
  protocol::stop why = why_of(stop_reason::finding);
  why.ended = full_name(t);
  return why;
}

std::optional<protocol::stop> stop_control::last_values_of(const sim_thread& t) {
  if (stops_.empty() || goal_.how == way::position) {
    return std::nullopt;
  }
  // Likewise for watched values: told at the next operation, or at the end, when their memory
  // may have been freed.
  look_at_watches(nullptr);
  const std::uint64_t launch = t.launch->id;
  const std::uint64_t thread = t.linear_thread();
  stops_.thread_ended(launch, thread);
  every_ = every_ || !changes_.empty();
  if (scans()) {
    return std::nullopt;
  }
  // Where a block ends, watches of its variables end.
  protocol::stop why = why_of(stop_reason::watch);
  for (const unsigned id : stops_.watches_of(launch, thread)) {
    why.watches.push_back({.id = id, .gone = true});
  }
  why.ended = full_name(t);
  return why.watches.empty() ? std::nullopt : std::optional(std::move(why));
}

// --- What it decides

void stop_control::plan(std::uint64_t next) {
  every_ = new_findings_ ||
           (goal_.how != way::run && goal_.how != way::position && goal_.how != way::scan) ||
           (!stops_.empty() && goal_.how != way::position);
  next_event_ = run_.begun + operations_between_looks;
  if (goal_.how == way::position || goal_.how == way::scan) {
    next_event_ = std::min(next_event_, goal_.position);
  }
  next_event_ = std::min(next_event_, next);
}

/// It has come to the position that it was to go to.
protocol::stop stop_control::why_arrived() {
  protocol::stop why = why_of(stop_reason::position);
  why.hit = last_hit_;
  stops_.forget_values(); // from here on, changes count
  changes_.clear();
  return why;
}

std::optional<protocol::stop> stop_control::why_stop(sim_thread& t) {
  if (interrupt_requested()) {
    interrupt_forgotten();
    return why_of(stop_reason::interrupt);
  }
  if (goes_to_a_position()) {
    const bool arrives = run_.begun >= goal_.position;
    if (scans() && (!arrives || goal_.through)) {
      if (const auto hit = breaks_as_it_stands(t)) {
        last_hit_ = protocol::hit{*hit, run_.begun};
      }
    }
    return arrives ? std::optional(why_arrived()) : std::nullopt;
  }
  if (found_a_defect()) {
    return why_of(stop_reason::finding);
  }
  const auto hit = stops_.empty() ? std::nullopt : breaks_as_it_stands(t);
  if (const auto done = goal_reached(t)) {
    return hit ? protocol::stop{*hit} : why_of(*done);
  }
  if (!hit && !goal_thread_ended_) {
    return std::nullopt;
  }
  protocol::stop why = hit ? protocol::stop{*hit} : why_of(stop_reason::block_ended);
  if (goal_thread_ended_) {
    why.ended = ended_thread_;
  }
  return why;
}

std::optional<protocol::reached> stop_control::breaks_as_it_stands(sim_thread& t) {
  names_.stand(&t);
  auto hit = breaks(t);
  names_.stand(nullptr);
  return hit;
}

/// The thread that was to get somewhere is about to go on from there.
std::optional<stop_reason> stop_control::goal_reached(const sim_thread& t) {
  const bool mine = t.number == goal_.thread;
  const bool any = goal_.thread == never;
  switch (goal_.how) {
  case way::step:
    return any || (mine && goal_.count == 0) ? std::optional(stop_reason::step) : std::nullopt;
  case way::next:
    return any || (mine && stops_.comes_to(t, t.next_site, "", 0))
               ? std::optional(stop_reason::step)
               : std::nullopt;
  case way::until:
    return (mine || any) &&
                   (goal_.operation.empty() || answers_to(t.next_operation, goal_.operation)) &&
                   (goal_.line == 0 || stops_.comes_to(t, t.next_site, goal_.file, goal_.line))
               ? std::optional(stop_reason::until)
               : std::nullopt;
  default:
    return std::nullopt;
  }
}

bool stop_control::found_a_defect() {
  const auto& all = run_.in.found.all().findings;
  return std::exchange(new_findings_, false) && stop_at_findings_ &&
         std::any_of(all.begin() + static_cast<std::ptrdiff_t>(told_findings_),
                     all.end(),
                     [this](const finding& f) {
                       return goal_.notes || f.severity == finding::level::defect;
                     });
}

std::optional<protocol::reached> stop_control::breaks(sim_thread& t) {
  names_.forget_frames();
  static_cast<void>(names_.enter(nullptr));
  protocol::reached why{.reason = stop_reason::breakpoint};
  if (run_.threads[t.number].values_known != values_known_to_ && stops_.has_watches()) {
    look_at_watches(&t); // its variables, before its next operation changes them
  }
  if (has_change_for(t)) {
    why.reason = stop_reason::watch;
    why.watches = told_changes(&t);
  }
  for (const reached_breakpoint& r : stops_.at(t, t.next_site, t.next_operation, names_)) {
    if (!r.trouble.empty() && goal_.how == way::scan) {
      continue; // going back, it does not hold
    }
    why.breakpoints.push_back(r.id);
    if (!r.trouble.empty()) {
      why.troubles.push_back({r.id, r.trouble});
    }
  }
  return why.watches.empty() && why.breakpoints.empty() ? std::nullopt : std::optional(why);
}

void stop_control::add_hit(protocol::stop& why) const {
  if (scans()) {
    why.hit = last_hit_;
  }
}

void stop_control::add_findings(protocol::stop& why) {
  const auto& all = run_.in.found.all().findings;
  for (; told_findings_ < all.size(); ++told_findings_) {
    why.findings.push_back(message_of(all[told_findings_]));
    if (told_findings_ < found_at_.size()) {
      why.findings.back().operation = found_at_[told_findings_].under_way;
      why.findings.back().about = found_at_[told_findings_].about;
    }
  }
  new_findings_ = false;
}

// --- Watched values

void stop_control::look_at_watches(sim_thread* t, bool begins) {
  sim_thread* const stood = names_.stand(t);
  names_.forget_frames();
  // What it has done since its variables were seen, or since it began.
  const bool is_followed =
      t != nullptr && (begins || run_.threads[t->number].values_known == values_known_to_);
  for (seen_change& c : stops_.changes(names_, is_followed)) {
    std::uint64_t by = c.frame && t != nullptr ? t->run_operation : run_.begun;
    if (!c.frame && c.after.address) {
      by = std::min<std::uint64_t>(by, run_.last_writer(c.after).value_or(by));
    }
    changes_.push_back({std::move(c), by});
  }
  if (t != nullptr) {
    run_.threads[t->number].values_known = values_known_to_;
  }
  names_.stand(stood);
  names_.forget_frames();
  if (goal_.how == way::scan && !changes_.empty() && run_.begun != 0 &&
      !is_before_operations(changes_.back())) {
    // Before the operation that made it.
    const std::uint64_t by = changes_.back().operation;
    last_hit_ = {{.reason = stop_reason::watch,
                  .breakpoints = {},
                  .troubles = {},
                  .watches = told_changes(nullptr)},
                 by != 0 ? by - 1 : run_.begun - 1};
  }
}

bool stop_control::has_change_for(const sim_thread& t) const {
  return std::any_of(changes_.begin(), changes_.end(), [&t, this](const untold_change& c) {
    return is_told_at(c, t);
  });
}

/// Variables are told of where their thread stands.
bool stop_control::is_told_at(const untold_change& c, const sim_thread& t) const {
  const known_thread& who = run_.threads[t.number];
  return !c.what.frame ||
         (c.what.frame->launch == who.launch && c.what.frame->thread == who.linear);
}

std::vector<protocol::change> stop_control::told_changes(const sim_thread* t) {
  std::vector<protocol::change> list;
  std::vector<untold_change> kept;
  for (untold_change& c : std::exchange(changes_, {})) {
    if (t != nullptr && !is_told_at(c, *t)) {
      kept.push_back(std::move(c));
      continue;
    }
    protocol::change told{.id = c.what.id, .after = message_of(c.what.after, run_.known)};
    if (c.what.before) {
      told.before = message_of(*c.what.before, run_.known);
    }
    if (!is_before_operations(c)) {
      told.operation = c.operation;
    }
    list.push_back(std::move(told));
  }
  changes_ = std::move(kept);
  return list;
}

void stop_control::add_changes(protocol::stop& why) {
  if (!stops_.has_watches() || goes_to_a_position()) {
    return;
  }
  look_at_watches(names_.thread());
  if (!changes_.empty()) {
    why.watches = told_changes(nullptr);
  }
}

std::optional<protocol::stop> stop_control::untold_changes() {
  if (changes_.empty() || goes_to_a_position()) {
    return std::nullopt;
  }
  protocol::stop why = why_of(stop_reason::watch);
  why.watches = told_changes(nullptr);
  return why;
}

} // namespace tilesim::sim::step
