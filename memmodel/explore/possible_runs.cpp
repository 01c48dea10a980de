// What each thread may do.
//
// SPDX-License-Identifier: Apache-2.0
#include "memmodel/explore/possible_runs.hpp"

#include "memmodel/explore/low_bytes.hpp"

#include <algorithm>
#include <iterator>
#include <ranges>

namespace tilesim::memmodel::explore {

namespace {

// Of more than that nothing is said.
constexpr std::uint64_t most_accesses = 2'000'000; ///< that are tried, in all
constexpr std::size_t most_in_a_run = 2'000;
constexpr std::size_t most_values = 4'096; ///< of a place
constexpr std::size_t most_runs = 50'000;  ///< of a thread
constexpr int most_rounds = 100;

/// Of the sums of one of each, sorted; empty: too many.
std::vector<std::uint64_t> sums_of_both(const std::vector<std::uint64_t>& all,
                                        const std::set<std::uint64_t>& added,
                                        std::uint64_t mask) {
  std::vector<std::uint64_t> out = all; // it has added nothing yet
  for (const std::uint64_t a : added) {
    for (const std::uint64_t v : all) {
      out.push_back((v + a) & mask);
    }
    std::ranges::sort(out);
    out.erase(std::unique(out.begin(), out.end()), out.end());
    if (out.size() > most_values) {
      return {};
    }
  }
  return out;
}

} // namespace

possible_runs::possible_runs(threads& program)
    : program_(program) {
  const std::vector<place> all = program.places();
  runs_.resize(all.size());
  one_gpu_ = std::ranges::all_of(all, [&](const place& p) { return p.gpu == all.front().gpu; });
}

bool possible_runs::gather(const std::function<bool()>& stops) {
  stops_ = &stops;
  for (;;) {
    for (std::vector<run>& r : runs_) {
      r.clear();
    }
    places_.clear();
    outlooks_.clear();
    place_numbers_.clear();
    read_.assign(runs_.size(), {});
    walked_.assign(runs_.size(), 0);
    try {
      for (int round = 0; round < most_rounds; ++round) {
        if (!grow()) {
          return true;
        }
      }
      return false;
    } catch (const begin_anew&) { // so it does
    } catch (const given_up&) {
      return false;
    }
  }
}

/// Each thread that may read what it has not read yet is run for all that it may read. False: none
/// may.
bool possible_runs::grow() {
  bool some = false;
  for (thread_id t = 0; t < runs_.size(); ++t) {
    const bool news = walked_[t] == 0 || std::ranges::any_of(read_[t], [&](std::uint32_t p) {
                        return has_news(t, outlooks_[p]);
                      });
    if (!news) {
      continue;
    }
    some = true;
    walked_[t] = now_++;
    runs_[t].clear();
    current_ = {};
    walk(t, 0);
  }
  return some;
}

void possible_runs::note_news(thread_id t, outlook& o) {
  if (o.changed_by != t) {
    o.changed_by_others = o.changed;
  }
  o.changed_by = t;
  o.changed = now_++;
}

/// What a thread writes itself it knows, unless a weak read may take it before.
bool possible_runs::has_news(thread_id t, const outlook& o) const {
  return (o.changed_by == t && !o.read_weakly ? o.changed_by_others : o.changed) > walked_[t];
}

std::uint32_t possible_runs::place_of(const byte_range& bytes) {
  const auto [at, is_new] =
      place_numbers_.try_emplace(bytes.address, static_cast<std::uint32_t>(places_.size()));
  if (is_new) {
    const auto next = std::next(at);
    const bool overlaps =
        (next != place_numbers_.end() && overlap(places_[next->second].bytes, bytes)) ||
        (at != place_numbers_.begin() && overlap(places_[std::prev(at)->second].bytes, bytes));
    places_.push_back({.bytes = bytes,
                       .initial = program_.initial(bytes),
                       .adds = !no_additions_.contains(bytes.address)});
    outlooks_.emplace_back();
    if (overlaps) {
      throw given_up{};
    }
  }
  if (places_[at->second].bytes.size != bytes.size) { // what is torn is not followed
    throw given_up{};
  }
  return at->second;
}

bool possible_runs::is_strong(const instruction& i, memory_order o) const noexcept {
  return o != memory_order::weak && (i.scope == scope::sys || (one_gpu_ && i.scope == scope::gpu));
}

void possible_runs::no_addition(std::uint32_t place) {
  if (!places_[place].adds) {
    return;
  }
  no_additions_.insert(places_[place].bytes.address);
  places_[place].adds = false;
  if (!outlooks_[place].added.empty()) {
    throw begin_anew{};
  }
}

void possible_runs::check_addition(thread_id t,
                                   std::size_t performed,
                                   const instruction& i,
                                   std::size_t e,
                                   std::span<const std::uint64_t> values) {
  const std::uint32_t p = place_of(i.elements[e].bytes);
  const std::uint64_t mask = low_bytes(~std::uint64_t{0}, places_[p].bytes.size);
  const std::span<const std::uint64_t> before(current_.values.data(), current_.values.size() - e);
  std::optional<std::uint64_t> added;
  for (const std::uint64_t v : values) {
    const auto made = program_.modified(t, before, performed, i, e, v);
    const std::uint64_t now = made ? (made->value - v) & mask : 0;
    if (now != added.value_or(now)) {
      no_addition(p);
      return;
    }
    added = now;
  }
}

// Where program order is partial, or an operation writes a place twice, what comes last there is
// not known.
void possible_runs::check_instruction(const instruction& i) {
  made_ += i.elements.size() + 1;
  constexpr unsigned between_looks = 16; // a clock is asked
  if (i.beside != nullptr || made_ > most_accesses ||
      (++checked_ % between_looks == 0 && (*stops_)())) {
    throw given_up{};
  }
  if (i.kind != step_kind::load && i.elements.size() > 1) {
    std::set<std::uint64_t> places;
    for (const element& e : i.elements) {
      if (!places.insert(e.bytes.address).second) {
        throw given_up{};
      }
    }
  }
}

void possible_runs::walk(thread_id t, std::size_t performed) {
  for (;; ++performed) {
    const std::shared_ptr<const instruction> i = program_.next(t, current_.values, performed);
    check_instruction(*i);
    switch (i->kind) {
    case step_kind::end:
      runs_[t].push_back(current_);
      if (runs_[t].size() > most_runs) {
        throw given_up{};
      }
      return;
    case step_kind::stuck:
      if (i->halted) { // it ends the program wherever the others are
        throw given_up{};
      }
      return;
    case step_kind::fence:
    case step_kind::barrier:
      break;
    case step_kind::store:
      store_elements(t, *i);
      break;
    case step_kind::load:
    case step_kind::update:
      read_elements(t, performed, *i, 0);
      return;
    }
  }
}

void possible_runs::store_elements(thread_id t, const instruction& i) {
  for (const element& e : i.elements) {
    access a{.place = place_of(e.bytes), .writes = true};
    a.wrote = low_bytes(e.store.value, e.bytes.size);
    a.strong = is_strong(i, i.order);
    note_write(t, a, false);
    current_.accesses.push_back(a);
  }
}

/// All that the elements from `e` on may read, in all ways; what the thread does behind them. What
/// has been walked is taken back.
void possible_runs::read_elements(thread_id t,
                                  std::size_t performed,
                                  const instruction& i,
                                  std::size_t e) {
  if (e == i.elements.size()) {
    const std::size_t accesses = current_.accesses.size();
    const std::size_t values = current_.values.size();
    if (accesses > most_in_a_run) {
      throw given_up{};
    }
    walk(t, performed + 1);
    current_.accesses.resize(accesses);
    current_.values.resize(values);
    return;
  }
  const std::uint32_t p = place_of(i.elements[e].bytes);
  read_[t].insert(p);
  places_[p].awaited = places_[p].awaited || i.awaits;
  const bool strong = is_strong(i, i.order);
  outlooks_[p].read_weakly = outlooks_[p].read_weakly || !strong;
  const std::vector<std::uint64_t> values = candidates(t, p, strong);
  if (i.kind == step_kind::update && places_[p].adds) {
    check_addition(t, performed, i, e, values);
  }
  for (const std::uint64_t value : values) {
    read_element(t, performed, i, e, value);
  }
}

void possible_runs::read_element(
    thread_id t, std::size_t performed, const instruction& i, std::size_t e, std::uint64_t value) {
  access a{.place = place_of(i.elements[e].bytes), .read = value, .reads = true};
  const own_past own = past(a.place);
  a.strong = is_strong(i, i.order);
  a.foreign = own.last ? value != *own.last : value != places_[a.place].initial;
  if (i.kind == step_kind::update) {
    const std::span<const std::uint64_t> before(current_.values.data(), current_.values.size() - e);
    const auto made = program_.modified(t, before, performed, i, e, value);
    a.writes = made.has_value();
    a.wrote = made ? low_bytes(made->value, i.elements[e].bytes.size) : value;
    a.strong = a.strong && is_strong(i, i.write_order);
  }
  if (a.writes) {
    note_write(t, a, true);
  }
  current_.accesses.push_back(a);
  current_.values.push_back(value);
  read_elements(t, performed, i, e + 1);
  current_.accesses.pop_back();
  current_.values.pop_back();
}

/// Before it is added to the run.
void possible_runs::note_write(thread_id t, const access& a, bool updates) {
  place_facts& at = places_[a.place];
  outlook& o = outlooks_[a.place];
  const std::uint64_t mask = low_bytes(~std::uint64_t{0}, at.bytes.size);
  if (!updates || !a.strong) {
    at.chained = false;
    no_addition(a.place);
  }
  if (at.adds) {
    const std::uint64_t before = past(a.place).added & mask;
    const std::uint64_t sum = (before + a.wrote - a.read) & mask;
    if (o.added[t].insert(sum).second || (sum < before && !o.falls)) {
      note_news(t, o);
    }
    o.falls = o.falls || sum < before;
    return;
  }
  const auto [known, is_new] = o.written.try_emplace(a.wrote, writers{.first = t});
  const bool other = !is_new && known->second.first != t && !known->second.several;
  known->second.several = known->second.several || other;
  if (is_new || other) {
    note_news(t, o);
  }
  if (o.written.size() > most_values) {
    throw given_up{};
  }
}

possible_runs::own_past possible_runs::past(std::uint32_t place) const {
  own_past out;
  for (const access& a : current_.accesses) {
    if (a.place != place) {
      continue;
    }
    if (a.reads && a.strong) {
      out.others = a.read - places_[place].initial - out.added;
    }
    if (a.writes) {
      out.last = a.wrote;
      out.added += a.wrote - a.read;
    }
  }
  return out;
}

/// What the thread's next access may read there.
///
/// It takes none that is older than what the thread has written itself, nor what it writes later;
/// that is so of weak reads, too.
std::vector<std::uint64_t>
possible_runs::candidates(thread_id t, std::uint32_t place, bool strong) {
  const place_facts& at = places_[place];
  const own_past own = past(place);
  std::vector<std::uint64_t> out;
  if (at.adds && !at.awaited) {
    out = sums(t, place, own, strong);
  } else {
    for (const auto& [value, by] : outlooks_[place].written) {
      if (by.several || by.first != t) {
        out.push_back(value);
      }
    }
    if (own.last) {
      out.push_back(*own.last);
    } else if (!at.awaited) {
      out.push_back(at.initial);
    }
    std::ranges::sort(out);
    out.erase(std::unique(out.begin(), out.end()), out.end());
  }
  return out;
}

/// What the other threads may have added, or all of them.
const possible_runs::sums_of_others& possible_runs::others_than(thread_id t, std::uint32_t place) {
  outlook& o = outlooks_[place];
  sums_of_others& out = o.sums[t];
  if (!out.all.empty() && out.as_of == o.changed) {
    return out;
  }
  const std::uint64_t mask = low_bytes(~std::uint64_t{0}, places_[place].bytes.size);
  out = {.as_of = o.changed, .all = {0}};
  std::uint64_t most = 0;
  for (const auto& [u, added] : o.added) {
    if (u != t) {
      out.all = sums_of_both(out.all, added, mask);
    }
    if (out.all.empty()) {
      throw given_up{};
    }
    out.round = out.round || *added.rbegin() > mask - most;
    most += out.round ? 0 : *added.rbegin();
  }
  return out;
}

/// What was there, and what each thread has added up to some point of a run. A weak read may take
/// what comes behind what the thread adds itself later; a strong one takes none that is older than
/// what the strong one before it has taken.
std::vector<std::uint64_t>
possible_runs::sums(thread_id t, std::uint32_t place, const own_past& own, bool strong) {
  const place_facts& at = places_[place];
  const std::uint64_t mask = low_bytes(~std::uint64_t{0}, at.bytes.size);
  const sums_of_others& others = others_than(strong ? t : no_thread, place);
  const bool rises = strong && own.others && !others.round && !outlooks_[place].falls;
  std::vector<std::uint64_t> out;
  for (const std::uint64_t o : others.all) {
    if (!rises || o >= (*own.others & mask)) {
      out.push_back((at.initial + o + (strong ? own.added : 0)) & mask);
    }
  }
  return out;
}

} // namespace tilesim::memmodel::explore
