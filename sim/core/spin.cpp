// Recognising spin loops.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/core/spin.hpp"

#include "sim/memory/hash.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace tilesim::sim {

namespace {

/// What stands there; another thread of the host may write it meanwhile.
template <class Word>
std::uint64_t word_at(std::uintptr_t address) noexcept {
  return __atomic_load_n(reinterpret_cast<const Word*>(address), __ATOMIC_SEQ_CST);
}

} // namespace

std::uint64_t watched_cell::now() const noexcept {
  switch (size != 0 && address % size == 0 ? size : 0) {
  case 1:
    return word_at<std::uint8_t>(address);
  case 2:
    return word_at<std::uint16_t>(address);
  case 4:
    return word_at<std::uint32_t>(address);
  case 8:
    return word_at<std::uint64_t>(address);
  default: {
    std::uint64_t bytes = 0;
    std::memcpy(&bytes, reinterpret_cast<const void*>(address), size);
    return bytes;
  }
  }
}

bool spin_detector::value_changed() const noexcept {
  return std::any_of(
      watched_.begin(), watched_.end(), [](const watched_cell& c) { return c.changed(); });
}

void spin_detector::begin_anew() {
  std::vector<observation> trail = std::move(trail_);
  trail.clear();
  *this = {};
  trail_ = std::move(trail); // for as many: threads of a kernel are like one another
}

bool spin_detector::may_go_on(std::uint64_t changes) const noexcept {
  return (watches_all_ && since_ != changes) || value_changed();
}

void spin_detector::end_wait() noexcept {
  forget();
  history_.clear();
  remembered_ = 0;
  began_before_ = slept_before_ = 0;
  has_waited_ = false;
}

void spin_detector::forget() noexcept {
  trail_.clear();
  oldest_ = 0;
  repeats_ = 0;
  patience_ = first_patience;
  asks_the_time_ = false;
  polls_strongly_ = false;
  suspected_ = false;
  compared_ = false;
  began_ = 0;
  forget_lap();
}

void spin_detector::forget_lap() noexcept {
  reference_ = {};
  lap_.clear();
  lap_is_whole_ = true;
  walked_ = 0;
  next_move_ = 1;
  certain_ = false;
}

void spin_detector::watch_lap(const poll& p) {
  lap_is_whole_ = lap_is_whole_ && p.elements == 0 && lap_.size() + p.count <= most_watched;
  if (lap_is_whole_) {
    lap_.insert(lap_.end(), p.cells, p.cells + p.count);
  }
}

// Kernels that compute read the same places again and again, too: they are not to pay for it. A
// large tile that is read twice in a row is data.
bool spin_detector::worth_a_state(const poll& p) const noexcept {
  constexpr std::size_t few = 64;
  const bool in_a_row = reference_.at + 1 == walked_;
  return suspected_ || walked_ >= long_walk || (in_a_row && p.elements <= few && !compared_);
}

unsigned spin_detector::most_comparisons() const noexcept {
  constexpr unsigned most = 64;
  return suspected_             ? most
         : walked_ >= long_walk ? static_cast<unsigned>(std::min<std::uint64_t>(walked_ / 64, most))
                                : 1;
}

bool spin_detector::recurs(const poll& p,
                           std::uint64_t hash,
                           std::uint64_t changes,
                           const own_state& own) {
  ++walked_;
  const bool looks_alike = p.site == reference_.site && hash == reference_.hash;
  const auto begin_lap = [&](std::optional<std::uint64_t> state) {
    reference_ = {p.site, hash, state, changes, walked_, p.operation, 0};
    lap_.clear();
    lap_is_whole_ = true;
    next_move_ = std::max(next_move_, walked_ * 2);
  };
  if (looks_alike && !reference_.state && worth_a_state(p)) {
    compared_ = true;
    begin_lap(own.hash());
    return false;
  }
  if (reference_.state) {
    watch_lap(p);
  }
  if (looks_alike && reference_.state && reference_.comparisons < most_comparisons()) {
    ++reference_.comparisons;
    if (own.hash() == reference_.state) {
      return true;
    }
  }
  if (walked_ >= next_move_) {
    begin_lap({});
  }
  return false;
}

std::uint64_t spin_detector::repeats(const poll& p, std::uint64_t hash) {
  std::uint32_t alike = 0;
  for (std::size_t i = 0; i < longest_cycle; ++i) {
    alike |= static_cast<std::uint32_t>(hashes_[i] == hash) << i;
  }
  const auto seen =
      alike == 0 ? trail_.end() : std::ranges::find_if(trail_, [&](const observation& o) {
        return o.site == p.site && o.hash == hash;
      });
  if (seen == trail_.end()) {
    observation now{
        p.site, hash, polls_, p.operation, p.cells[0], {p.cells + 1, p.cells + p.count}};
    if (trail_.size() < longest_cycle) {
      hashes_[trail_.size()] = hash;
      trail_.push_back(std::move(now));
    } else {
      hashes_[oldest_ % longest_cycle] = hash;
      trail_[oldest_++ % longest_cycle] = std::move(now);
    }
    repeats_ = 0;
    return 0;
  }
  const std::uint64_t before = std::exchange(seen->last_seen, polls_);
  if (++repeats_ < patience_) {
    return 0;
  }
  // Once around: the loop's polls are those made since this one was made the last time.
  watched_.clear();
  for (const observation& o : trail_) {
    if (o.last_seen > before) {
      watched_.push_back(o.first);
      watched_.insert(watched_.end(), o.others.begin(), o.others.end());
    }
  }
  return polls_ - before;
}

void spin_detector::remember(const poll& p, std::uint64_t place) {
  if (p.operation == 0) {
    return; // nobody will ask
  }
  const std::size_t slot = remembered_++ % longest_history;
  if (slot == history_.size()) {
    history_.push_back({place, p.operation});
  } else {
    history_[slot] = {place, p.operation};
  }
}

/// Back from the last poll, as long as they go round.
std::uint64_t spin_detector::first_of_cycle(std::uint64_t lap) const noexcept {
  const auto at = [this](std::uint64_t n) -> const numbered_poll& {
    return history_[n % longest_history];
  };
  const std::uint64_t oldest = remembered_ - history_.size();
  std::uint64_t first = remembered_ - 1;
  while (first > oldest &&
         (first + lap > remembered_ || at(first - 1).place == at(first - 1 + lap).place)) {
    --first;
  }
  return at(first).operation;
}

void spin_detector::note_begin(const poll& p, std::uint64_t lap) {
  has_waited_ = true;
  if (began_ != 0 || p.operation == 0) {
    return; // it has only been let poll on
  }
  began_ = first_of_cycle(lap);
  for (const observation& o : trail_) {
    if (o.last_seen + lap > polls_) {
      began_ = std::min(began_, o.operation);
    }
  }
  if (began_before_ != 0 && began_ <= slept_before_) {
    began_ = std::min(began_, began_before_); // the same wait, woken by a change that ended it not
  }
  began_before_ = began_;
}

bool spin_detector::polls_in_vain(const poll& p, std::uint64_t place, std::uint64_t hash) {
  auto seen = std::ranges::find(vain_, place, &vain_poll::place);
  if (seen == vain_.end()) {
    vain_poll now{place, hash, 0, progress_, polls_, {p.cells, p.cells + p.count}};
    if (vain_.size() < most_vain) {
      vain_.push_back(std::move(now));
    } else {
      vain_[oldest_vain_++ % most_vain] = std::move(now);
    }
    return false;
  }
  const std::uint64_t before = std::exchange(seen->last_seen, polls_);
  if (seen->hash != hash) {
    seen->hash = hash;
    seen->rounds = 0;
    seen->cells.assign(p.cells, p.cells + p.count);
  }
  if (std::exchange(seen->progress, progress_) == progress_ || ++seen->rounds < most_rounds_) {
    return false;
  }
  watched_.clear();
  for (const vain_poll& v : vain_) {
    if (v.last_seen > before) {
      watched_.insert(watched_.end(), v.cells.begin(), v.cells.end());
    }
  }
  certain_ = watches_all_ = false;
  restless_ = !value_changed();
  return restless_;
}

bool spin_detector::polled(const poll& p, std::uint64_t changes, const own_state& own) {
  touched_ = true;
  ++polls_;
  polls_strongly_ = polls_strongly_ || p.strong;
  std::uint64_t hash = mix(mix(reinterpret_cast<std::uintptr_t>(p.site), p.at), p.elements);
  std::uint64_t place = 0; // asked for where it may be waiting, or somebody asks when it began to
  if (p.strong || p.operation != 0) {
    place = hash;
    for (std::size_t i = 0; i < p.count; ++i) {
      place = mix(place, p.cells[i].address);
    }
    remember(p, place);
  }
  for (std::size_t i = 0; i < p.count; ++i) {
    hash = mix(mix(hash, p.cells[i].address), p.cells[i].value);
  }
  const bool certain = recurs(p, hash, changes, own);
  // What is more than a few cells is no poll, unless it proves to be one.
  const std::uint64_t again = p.count != 0 ? repeats(p, hash) : 0;
  if (!certain && again == 0) {
    return p.strong && p.count != 0 && polls_in_vain(p, place, hash);
  }
  since_ = changes;
  watches_all_ = false;
  if (certain) {
    since_ = reference_.changes;
    watches_all_ = !lap_is_whole_;
    watched_ = lap_;
  }
  certain_ = certain;
  note_begin(p, certain ? walked_ - reference_.at : again);
  slept_before_ = p.operation;
  return !value_changed();
}

void spin_detector::wake(bool stalled, std::uint64_t most) noexcept {
  touched_ = true;
  if (std::exchange(restless_, false)) {
    for (vain_poll& v : vain_) {
      v.rounds = 0;
    }
    if (stalled) {
      most_rounds_ = std::min(most_rounds_ * 8, std::max(most, first_rounds));
      return;
    }
  }
  if (!stalled) {
    most_rounds_ = first_rounds;
    asked_the_time_ = false;
  }
  const std::uint64_t began = began_;
  if (!stalled || certain_) {
    forget();
  }
  if (stalled) {
    began_ = began;
    patience_ = std::min(patience_ * 8, std::max(most, patience_));
    suspected_ = has_waited_ = true;
  }
  repeats_ = 0;
  forget_lap();
}

} // namespace tilesim::sim
