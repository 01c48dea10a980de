// What moves would come to.
//
// SPDX-License-Identifier: Apache-2.0
#include "memmodel/explore/foresight.hpp"

#include "memmodel/explore/low_bytes.hpp"

#include <algorithm>
#include <set>

namespace tilesim::memmodel::explore {

namespace {

/// So many reads behind which nothing is updated are a move.
constexpr std::size_t most_reads = 64;

/// So many places in step are looked at.
constexpr std::uint64_t most_places = 4096;

} // namespace

const std::vector<effect>& foresight::of(thread_id t) {
  const auto [it, is_new] = known_.try_emplace(t);
  foreseen& f = it->second;
  if (is_new || !is_so(f, t)) {
    foreseen now = of_.at(t).left == 1 ? try_last(t) : try_elements(t);
    now.performed = of_.at(t).performed;
    now.values = of_.at(t).values;
    now.needs = stands_there(f, t) ? needed(f, now) : std::nullopt;
    f = std::move(now);
  }
  return f.by_element;
}

/// Two moves that were contrary have read two values: what it has to read to be none, where it
/// stores what it has read, or stores the same in places that go in step with it. So not each value
/// has to be tried.
std::optional<std::pair<byte_range, std::uint64_t>> foresight::needed(const foreseen& before,
                                                                      const foreseen& now) const {
  if (!before.because || !now.because) {
    return {};
  }
  const auto& [read, stored] = *now.because;
  const auto& [read_before, stored_before] = *before.because;
  const std::uint64_t more = read.read - read_before.read;
  if (read.bytes != read_before.bytes || more == 0 || stored.bytes.size > read.bytes.size) {
    return {};
  }
  const std::uint32_t size = stored.bytes.size;
  const auto is_copy = [&](const auto& r, const auto& s) {
    return low_bytes(r.read, size) == s.wrote;
  };
  if (stored.bytes == stored_before.bytes && stored.wrote != stored_before.wrote &&
      is_copy(read, stored) && is_copy(read_before, stored_before)) {
    return {{{read.bytes.address, size}, *wishes_.at(stored.bytes)}};
  }
  const std::uint64_t farther = stored.bytes.address - stored_before.bytes.address;
  const std::uint64_t step = farther / more;
  if (stored.wrote != stored_before.wrote || farther == 0 || farther != step * more) {
    return {};
  }
  for (std::uint64_t n = 1; n <= most_places; ++n) {
    const auto wish = wishes_.at({stored.bytes.address + n * step, size});
    if (!wish || *wish == stored.wrote) {
      return wish ? std::optional(std::pair(read.bytes, low_bytes(read.read + n, read.bytes.size)))
                  : std::nullopt;
    }
  }
  return {};
}

/// Moves may have been taken back, and others made.
bool foresight::stands_there(const foreseen& f, thread_id t) const {
  return f.performed == of_.at(t).performed && f.values == of_.at(t).values;
}

bool foresight::is_so(const foreseen& f, thread_id t) const {
  if (!stands_there(f, t)) {
    return false;
  }
  if (f.needs) {
    return of_.value(f.needs->first) != f.needs->second;
  }
  return std::ranges::all_of(f.read, [&](const auto& r) { return of_.value(r.first) == r.second; });
}

bool foresight::make(thread_id t, std::size_t element) {
  for (std::size_t n = 0; n < most_reads; ++n) {
    const auto from = static_cast<std::ptrdiff_t>(of_.accesses().size());
    const std::size_t performed = of_.at(t).performed;
    if (!of_.perform(t, element)) {
      return false;
    }
    const auto& all = of_.accesses();
    const bool updated = std::any_of(all.begin() + from, all.end(), [](const auto& a) {
      return a.kind == step_kind::update && a.writes;
    });
    if (updated || of_.at(t).performed == performed || !of_.chooses(t) || of_.at(t).left != 1) {
      break;
    }
    element = 0;
  }
  return true;
}

/// Of the accesses from there on.
effect foresight::judge(std::size_t from, foreseen& f) const {
  const auto& all = of_.accesses();
  effect out =
      effect::neutral; // an update that writes what is to be there may still come too early
  std::set<place_key> own;
  for (std::size_t i = from; i < all.size(); ++i) {
    const auto& a = all[i];
    if (a.reads && !own.contains(key_of(a.bytes))) {
      f.read.emplace_back(a.bytes, a.read);
    }
    if (a.writes) {
      own.insert(key_of(a.bytes));
    }
    if (!a.writes) {
      continue;
    }
    if (wishes_.is_hopeless(a.bytes, a.wrote)) {
      f.hopeless = true;
      return effect::contrary;
    }
    const auto wish = wishes_.at(a.bytes);
    if (wish && *wish != a.wrote) {
      if (all[from].reads && a.by == all[from].by) {
        f.because = {all[from], a};
      }
      return effect::contrary;
    }
    if (wish && a.kind == step_kind::store) {
      out = effect::agreeing;
    } else if (out == effect::neutral && wishes_.is_last(a.bytes, a.wrote)) {
      out = effect::last;
    }
  }
  return out;
}

/// Of the one element that is left.
foresight::foreseen foresight::try_last(thread_id t) {
  const auto& s = of_.at(t);
  const auto e = static_cast<std::size_t>(std::ranges::find(s.done, false) - s.done.begin());
  foreseen f;
  f.by_element.resize(s.done.size(), effect::neutral);
  const std::size_t mark = of_.mark();
  const std::size_t from = of_.accesses().size();
  const bool goes_on = make(t, e);
  effect it = judge(from, f);
  it = goes_on ? it : effect::waits;
  // What is to no purpose by itself may lead to what is, or to what never can be.
  if (it == effect::neutral && of_.chooses(t) && of_.at(t).left == 1) {
    const std::size_t behind = of_.accesses().size();
    foreseen next;
    if (make(t, 0)) {
      const effect then = judge(behind, next);
      it = then == effect::agreeing ? then : next.hopeless ? effect::contrary : it;
    }
    f.read.insert(f.read.end(), next.read.begin(), next.read.end());
  }
  of_.take_back(mark);
  f.by_element[e] = it;
  return f;
}

// --- Instructions of several elements.

foresight::stores foresight::stores_behind(thread_id t, std::span<const std::uint64_t> taken) {
  const auto& s = of_.at(t);
  std::vector<std::uint64_t> values = s.values;
  values.insert(values.end(), taken.begin(), taken.end());
  stores out;
  for (std::size_t n = s.performed + 1;; ++n) {
    const auto next = program_.next(t, values, n);
    if (next->kind != step_kind::store) {
      return out;
    }
    out.push_back(next->elements);
  }
}

/// Found out by asking, for each element, what comes if another update of the same came before.
const foresight::influences& foresight::influence(thread_id t,
                                                  std::span<const std::uint64_t> taken) {
  const auto& s = of_.at(t);
  const auto [it, is_new] = influences_.try_emplace({t, s.performed});
  if (!is_new) {
    return it->second;
  }
  it->second.resize(taken.size());
  const stores before = stores_behind(t, taken);
  std::vector<std::uint64_t> other(taken.begin(), taken.end());
  for (std::size_t e = 0; e < taken.size(); ++e) {
    const auto next = s.what->kind == step_kind::update
                          ? program_.modified(t, s.values, s.performed, *s.what, e, taken[e])
                          : std::nullopt;
    other[e] = next ? next->value : low_bytes(taken[e] + 1, s.what->elements[e].bytes.size);
    const stores now = stores_behind(t, other);
    other[e] = taken[e];
    for (std::size_t i = 0; i < before.size(); ++i) {
      for (std::size_t j = 0; j < before[i].size(); ++j) {
        const bool same = i < now.size() && now[i].size() == before[i].size() &&
                          now[i][j].bytes == before[i][j].bytes &&
                          now[i][j].store.value == before[i][j].store.value;
        if (!same) {
          it->second[e].emplace_back(i, j);
        }
      }
    }
  }
  return it->second;
}

/// What it writes itself.
effect foresight::of_update(thread_id t, std::size_t element, std::uint64_t read) const {
  const auto& s = of_.at(t);
  const byte_range& bytes = s.what->elements[element].bytes;
  const auto made = program_.modified(t, s.values, s.performed, *s.what, element, read);
  if (!made || made->value == read) {
    return effect::neutral;
  }
  const auto wish = wishes_.at(bytes);
  return wish && *wish != made->value          ? effect::contrary
         : wishes_.is_last(bytes, made->value) ? effect::last
                                               : effect::neutral;
}

/// What each would come to if all that are left read now: that says of each what it does alone.
foresight::foreseen foresight::try_elements(thread_id t) {
  const auto& s = of_.at(t);
  foreseen f;
  f.by_element.resize(s.done.size(), effect::neutral);
  std::vector<std::uint64_t> taken = s.taken;
  for (std::size_t e = 0; e < taken.size(); ++e) {
    if (!s.done[e]) {
      taken[e] = of_.value(s.what->elements[e].bytes);
      f.read.emplace_back(s.what->elements[e].bytes, taken[e]);
    }
  }
  const influences& behind = influence(t, taken);
  const stores all = stores_behind(t, taken);
  for (std::size_t e = 0; e < taken.size(); ++e) {
    if (!s.done[e] && s.what->kind == step_kind::update) {
      f.by_element[e] = of_update(t, e, taken[e]);
    }
    for (const auto& [i, j] : behind[e]) {
      if (s.done[e] || i >= all.size() || j >= all[i].size()) {
        continue;
      }
      const auto wish = wishes_.at(all[i][j].bytes);
      if (wish && f.by_element[e] != effect::contrary) {
        f.by_element[e] = *wish == all[i][j].store.value ? effect::agreeing : effect::contrary;
      }
    }
  }
  return f;
}

} // namespace tilesim::memmodel::explore
