// What strong reads of kernels are given.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/engines/strong_reads.hpp"

#include "sim/core/context.hpp"
#include "sim/core/execution.hpp"
#include "sim/core/thread.hpp"
#include "sim/core/watcher.hpp"
#include "sim/debug_info/source_site.hpp"
#include "sim/engines/agents.hpp"
#include "sim/execution/run_desk.hpp"
#include "sim/naming/address_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

namespace tilesim::sim {

namespace {

/// Of such a read something may be chosen, if there is anything.
bool can_be_chosen(const coming_read& r) {
  return !r.updates && r.bytes <= sizeof(std::uint64_t) && std::has_single_bit(r.bytes);
}

std::string value_text(std::uint64_t value, std::uint32_t bytes) {
  const unsigned unused = 64 - (8 * bytes);
  return std::to_string(static_cast<std::int64_t>(value << unused) >> unused);
}

} // namespace

strong_reads::strong_reads(context& c,
                           detect::detector& d,
                           const race_report& words,
                           std::unique_ptr<read_choices> choices)
    : context_(c)
    , detector_(d)
    , words_(words)
    , choices_(std::move(choices)) {
  detector_.keep_writes(choices_ != nullptr);
}

bool strong_reads::keeps_writes() const {
  return choices_ != nullptr && detector_.keeps_writes();
}

bool strong_reads::chooses() {
  if (!keeps_writes()) {
    return false;
  }
  if (choices_->over()) {
    detector_.keep_writes(false);
    return false;
  }
  return context_.exec->desk().ruling == nullptr;
}

std::optional<detect::older_value> strong_reads::choose(sim_thread& t,
                                                        const machine::ordered_after* after,
                                                        std::size_t element,
                                                        std::uintptr_t address,
                                                        std::uint32_t bytes) {
  begin(offer_, t, element, address, bytes);
  offer_.number = t.strong_reads++;
  if (choices_->by_hand()) {
    look_at(t, after, offer_, nullptr);
    decide(*choices_, offer_);
    remember(t, offer_);
  } else {
    const read_about_to_be r{offer_.launch, offer_.thread, offer_.number, address};
    if (!choices_->considers(r)) {
      return std::nullopt;
    }
    detector_.readable(about(t, after), address, bytes, offer_.older);
    offer_.takes = choices_->choose(r, offer_.older);
  }
  return offer_.takes == 0 ? std::nullopt : std::optional(give(t, offer_));
}

void strong_reads::begin(known_offer& o,
                         const sim_thread& t,
                         std::size_t element,
                         std::uintptr_t address,
                         std::uint32_t bytes) {
  o.element = element;
  o.address = address;
  o.bytes = bytes;
  o.launch = t.launch->id;
  o.thread = t.linear_thread();
  o.older.clear(); // its memory stays: this is done for every strong read
  o.bound = {};
  o.takes = 0;
}

/// The read, as far as what it may be given depends on it.
detect::operation strong_reads::about(const sim_thread& t, const machine::ordered_after* after) {
  detect::operation o{.agent = agents::of(t), .by_tokens = after != nullptr};
  if (after != nullptr) {
    detect::tokens_of(*after, tokens_);
    o.after = tokens_;
  }
  return o;
}

/// What it may be given. `fence`: the scope of a sequentially consistent one that comes first.
void strong_reads::look_at(sim_thread& t,
                           const machine::ordered_after* after,
                           known_offer& o,
                           const memmodel::scope* fence) {
  const detect::operation read = about(t, after);
  if (fence != nullptr) {
    detector_.readable_behind_fence(read, *fence, o.address, o.bytes, o.older, &o.bound);
  } else {
    detector_.readable(read, o.address, o.bytes, o.older, &o.bound);
  }
  o.newest = detector_.newest(o.address, o.bytes);
  if (accessible(context_, &t, o.address, o.bytes)) {
    std::memcpy(&o.value, reinterpret_cast<const void*>(o.address), o.bytes);
  }
}

void strong_reads::decide(read_choices& choices, known_offer& o) {
  const read_about_to_be r{o.launch, o.thread, o.number, o.address};
  o.takes = choices.considers(r) ? choices.choose(r, o.older) : 0;
}

/// For who asks what the last read could have been.
void strong_reads::remember(const sim_thread& t, const known_offer& o) {
  made_reads& made = made_[t.number];
  if (std::exchange(made.operation, t.run_operation) != t.run_operation) {
    made.reads.clear();
  }
  made.reads.push_back(o);
}

/// The read takes an older write.
detect::older_value strong_reads::give(const sim_thread& t, const known_offer& o) {
  const detect::older_value& given = o.older[o.takes - 1];
  stale_access s{
      .which = {.launch = o.launch, .thread = o.thread, .read = o.number, .back = o.takes},
      .read = detector_.next(),
      .given = given.name,
      .passed = detector_.newest(o.address, o.bytes),
      .address = o.address,
      .place = stale_.size() < most_named ? describe_element(context_, o.address) : "",
      .bytes = o.bytes,
      .value = given.value};
  std::memcpy(&s.newest, reinterpret_cast<const void*>(o.address), o.bytes);
  const stale_event told{.thread = &t,
                         .element = o.element,
                         .address = o.address,
                         .bytes = o.bytes,
                         .value = s.value,
                         .newest = s.newest,
                         .given = s.given.operation,
                         .passed = s.passed.operation};
  context_.exec->watchers().tell([&told](watcher& w) { w.took_older(told); });
  stale_.push_back(std::move(s));
  return given;
}

// --- What there is to say

std::string strong_reads::made() const {
  std::vector<stale_choice> all;
  all.reserve(stale_.size());
  for (const stale_access& s : stale_) {
    all.push_back(s.which);
  }
  return to_string(all);
}

std::vector<stale_read> strong_reads::explained(std::size_t most) const {
  std::vector<stale_read> told;
  for (std::size_t i = stale_.size() - std::min(most, stale_.size()); i < stale_.size(); ++i) {
    told.push_back(explain(stale_[i]));
  }
  return told;
}

/// Who read what, what was passed over, and what would forbid that.
stale_read strong_reads::explain(const stale_access& s) const {
  const void* const passed = detector_.record(s.passed.operation).site;
  const std::size_t between = s.which.back - 1;
  stale_read told;
  told.where = resolve(detector_.record(s.read).site);
  told.passed = resolve(passed);
  told.message = fmt::format(
      "{} by {} of {} reads {}, although {} was written there before, by {} ({}){}",
      words_.what(s.read),
      words_.who(s.read),
      s.place.empty() ? describe_element(context_, s.address) : s.place,
      value_text(s.value, s.bytes),
      value_text(s.newest, s.bytes),
      words_.who(s.passed.operation),
      place(passed),
      between == 0   ? ""
      : between == 1 ? ", behind another write that it passes over"
                     : fmt::format(", behind {} other writes that it passes over", between));
  told.remedy = words_.what_forbids(s.read, s.passed.operation);
  return told;
}

std::optional<std::string> strong_reads::unfollowed(bool over) const {
  return choices_ == nullptr ? std::nullopt : choices_->unfollowed(over);
}

// --- By hand

bool strong_reads::lets_choose() const noexcept {
  return choices_ != nullptr && choices_->by_hand();
}

void strong_reads::choose(const std::vector<chosen_read>& all) {
  if (choices_ != nullptr) {
    choices_->choose_by_hand(all);
  }
}

std::vector<offered_read> strong_reads::offers(sim_thread& t, const coming_read& r) {
  std::vector<offered_read> told;
  if (!can_be_chosen(r) || !chooses()) {
    return told;
  }
  const auto trial = choices_->copy();
  std::uint64_t number = t.strong_reads;
  r.elements(addresses_, active_);
  for (std::size_t i = 0; i < addresses_.size(); ++i) {
    if ((active_.empty() || active_[i] != 0) && addresses_[i] % r.bytes == 0) {
      known_offer o;
      begin(o, t, i, addresses_[i], static_cast<std::uint32_t>(r.bytes));
      o.number = number++;
      look_at(t, r.after, o, r.order == memmodel::memory_order::sc ? &r.scope : nullptr);
      decide(*trial, o);
      told.push_back(explain(o));
    }
  }
  return told;
}

std::vector<offered_read> strong_reads::were_offered(const sim_thread& t,
                                                     std::uint64_t operation) const {
  std::vector<offered_read> told;
  const auto made = made_.find(t.number);
  if (made != made_.end() && made->second.operation == operation) {
    for (const known_offer& o : made->second.reads) {
      told.push_back(explain(o));
    }
  }
  return told;
}

offered_read strong_reads::explain(const known_offer& o) const {
  offered_read told{.element = o.element,
                    .address = o.address,
                    .bytes = o.bytes,
                    .launch = o.launch,
                    .thread = o.thread,
                    .number = o.number,
                    .writes = {},
                    .takes = o.takes,
                    .bound = bound_text(o.bound)};
  const auto add = [&](const detect::write_name& w, std::uint64_t value) {
    offered_write one{.value = value, .by = {}, .site = nullptr, .operation = w.operation};
    if (w.operation != 0) { // else what no strong write has made: it was there before all of them
      one.by = fmt::format("{} by {}", words_.what(w.operation), words_.who(w.operation));
      one.site = detector_.record(w.operation).site;
    }
    told.writes.push_back(std::move(one));
  };
  add(o.newest, o.value);
  for (const detect::older_value& w : o.older) {
    add(w.name, w.value);
  }
  return told;
}

std::string strong_reads::write_and_place(const detect::write_name& w) const {
  return w.operation == 0 ? "what was there before"
                          : fmt::format("the {} by {} ({})",
                                        words_.what(w.operation),
                                        words_.who(w.operation),
                                        place(detector_.record(w.operation).site));
}

std::string strong_reads::bound_text(const detect::older_bound& b) const {
  using cause = detect::older_bound::cause;
  switch (b.why) {
  case cause::write:
    return fmt::format("{} comes before this read", write_and_place(b.by));
  case cause::read:
    return fmt::format(
        "{} comes before this one and has read {}", write_and_place(b.by), write_and_place(b.seen));
  case cause::sizes:
    return "its bytes are strongly accessed in several sizes: they hold the newest write for all";
  case cause::forgotten:
    return fmt::format("of a place the last {} overwritten writes are kept",
                       detect::write_histories::most_older);
  case cause::nothing:
    break;
  }
  return {};
}

} // namespace tilesim::sim
