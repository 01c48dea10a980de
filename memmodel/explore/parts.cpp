// Every execution that a model allows, once: in parts.
//
// A visit has choices: the visits that it makes. A part is named by choices, so that it can be gone
// to again, by another process or on another machine: what was chosen before is made again, and
// nothing else is explored. Whether there are several choices is known when all have been counted;
// on the way to a part they are counted first.
//
// SPDX-License-Identifier: Apache-2.0
#include "memmodel/assertion.hpp"
#include "memmodel/explore/explorer.hpp"
#include "memmodel/explore/merged_places.hpp"
#include "memmodel/explore/stale.hpp"

#include <algorithm>

namespace tilesim::memmodel::explore {

/// One choice of the visit around it.
bool explorer::visit(state& s) {
  ++visits_;
  const std::uint32_t choice = choices_++;
  if (counting_) {
    return true;
  }
  if (wanted_ != every && choice != wanted_) {
    return true;
  }
  if (wanted_ != every && way_.empty()) { // here the part begins
    part_weight_ = weight_;
    covered_before_ = covered_;
  }
  if (settings_.most_stale && !at_most_stale(s.g, *settings_.most_stale)) {
    ++counts_.beyond;
    return true;
  }
  const std::size_t begin = rest_.size();
  bool go_on = true;
  if (!stopping_ && some_end_ && stop_ != nullptr) {
    stopping_ = (*stop_)();
    covered_then_ = covered_;
  }
  if (stopping_ || (deepest_ != 0 && depth_ == deepest_)) {
    cut_ = true;
    rest_.emplace_back();
  } else {
    go_on = enter(s);
  }
  for (std::size_t i = begin; i < rest_.size(); ++i) {
    rest_[i].push_back(choice);
  }
  return go_on;
}

/// What a thread does next, in all ways, or in the one that leads to the part.
bool explorer::choose(state& s, thread_id t) {
  const std::uint32_t outer_choices = choices_;
  const std::uint32_t outer_wanted = wanted_;
  const std::size_t outer_depth = depth_;
  const std::size_t begin = rest_.size();
  wanted_ = every;
  if (!way_.empty() || deepest_ != 0) {
    const double covered = covered_;
    counting_ = true;
    choices_ = 0;
    step(s, t);
    counting_ = false;
    covered_ = covered;
    if (choices_ > 1 && !way_.empty()) {
      wanted_ = way_.front();
      TILESIM_ASSERT(wanted_ < choices_, wanted_, choices_);
      way_ = way_.subspan(1);
    }
    depth_ += choices_ > 1 ? 1U : 0U;
  }
  choices_ = 0;
  const bool go_on = step(s, t);
  if (choices_ == 1) { // it is none
    for (std::size_t i = begin; i < rest_.size(); ++i) {
      rest_[i].pop_back();
    }
  }
  choices_ = outer_choices;
  wanted_ = outer_wanted;
  depth_ = outer_depth;
  return go_on;
}

explorer::part_result explorer::run_part(
    pass which, const part& of, const sink& f, const sink& g, const std::function<bool()>& stop) {
  sink_ = &f;
  blocked_ = g ? &g : nullptr;
  stop_ = stop ? &stop : nullptr;
  first_pass_ = which == pass::plain;
  find_alike();
  way_ = of;
  stopping_ = some_end_ = counting_ = false;
  wanted_ = every;
  covered_ = covered_before_ = covered_then_ = 0;
  weight_ = part_weight_ = 1;
  rest_.clear();
  remembered_.clear();
  part_result out;
  const std::unique_ptr<state> s = fresh();
  out.ended = !exploring_whole_places([&] { return enter(*s); });
  out.share = stopping_ ? std::max(covered_then_ - covered_before_, 0.0) : part_weight_;
  for (part& p : rest_) {
    std::ranges::reverse(p);
    out.rest.push_back(std::move(p));
  }
  rest_.clear();
  return out;
}

std::vector<part> explorer::divided(pass which, std::size_t at_least) {
  static const sink nothing = [](const found_execution&) { return true; };
  std::vector<part> out{{}};
  for (std::size_t depth = 1; out.size() < at_least; ++depth) {
    deepest_ = depth;
    depth_ = 0;
    cut_ = false;
    part_result all = run_part(which, {}, nothing, {}, {});
    deepest_ = 0;
    const bool deeper = cut_;
    out = std::move(all.rest);
    if (!deeper) {
      break;
    }
  }
  return out;
}

} // namespace tilesim::memmodel::explore
