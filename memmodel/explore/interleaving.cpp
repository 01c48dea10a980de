// Sequentially consistent executions, made move by move.
//
// SPDX-License-Identifier: Apache-2.0
#include "memmodel/explore/interleaving.hpp"

#include "memmodel/assertion.hpp"

#include <algorithm>
#include <utility>

namespace tilesim::memmodel::explore {

interleaving::interleaving(threads& program)
    : interleaving(program, {}) {}

interleaving::interleaving(threads& program, std::unordered_set<std::uint64_t> choices)
    : program_(program)
    , choices_(std::move(choices))
    , threads_(program.places().size()) {}

void interleaving::begin() {
  for (thread_id t = 0; t < threads_.size(); ++t) {
    standing& s = threads_[t];
    s.what = program_.next(t, s.values, 0);
    s.taken.assign(s.what->elements.size(), 0);
    s.done.assign(s.what->elements.size(), false);
    s.left = s.what->elements.size();
  }
  for (thread_id t = 0; t < threads_.size(); ++t) {
    run_on({t});
  }
}

// --- Memory.

std::uint64_t interleaving::value(const byte_range& bytes) const {
  std::uint64_t out = program_.initial(bytes);
  for (std::uint32_t i = 0; i < bytes.size; ++i) {
    const std::uint64_t at = bytes.address + i;
    const auto found = memory_.find(at / word_bytes * word_bytes);
    const auto b = static_cast<unsigned>(at % word_bytes);
    if (found != memory_.end() && (found->second.written >> b & 1U) != 0) {
      out &= ~(std::uint64_t{0xff} << (8 * i));
      out |= (found->second.value >> (8 * b) & 0xffU) << (8 * i);
    }
  }
  return out;
}

void interleaving::write(const byte_range& bytes, std::uint64_t value) {
  const std::uint64_t first = bytes.address / word_bytes * word_bytes;
  for (std::uint64_t at = first; at < bytes.end(); at += word_bytes) {
    word& w = memory_[at];
    changes_.push_back({.address = at, .before = w, .left = {}});
    for (unsigned b = 0; b < word_bytes; ++b) {
      const std::uint64_t byte = at + b;
      if (byte >= bytes.address && byte < bytes.end()) {
        w.value &= ~(std::uint64_t{0xff} << (8 * b));
        w.value |= (value >> (8 * (byte - bytes.address)) & 0xffU) << (8 * b);
        w.written = static_cast<std::uint8_t>(w.written | 1U << b);
      }
    }
  }
}

// --- Moves.

bool interleaving::chooses(thread_id t) const noexcept {
  const instruction& i = *threads_[t].what;
  if (i.kind == step_kind::load && !i.awaits && i.order != memory_order::weak) {
    return true;
  }
  const bool accesses = i.kind == step_kind::load || i.kind == step_kind::store;
  return i.kind == step_kind::update ||
         (accesses && !i.awaits && std::ranges::any_of(i.elements, [&](const element& e) {
            return choices_.contains(e.bytes.address);
          }));
}

bool interleaving::all_ended() const noexcept {
  return std::ranges::all_of(threads_,
                             [](const standing& s) { return s.what->kind == step_kind::end; });
}

void interleaving::access_element(thread_id t, std::size_t e) {
  standing& s = threads_[t];
  const element& it = s.what->elements[e];
  access a{.by = t,
           .element = static_cast<std::uint32_t>(e),
           .performed = s.performed,
           .kind = s.what->kind,
           .bytes = it.bytes};
  a.chosen = chooses(t);
  a.reads = a.kind != step_kind::store;
  if (a.reads) {
    a.read = s.taken[e] = value(it.bytes);
  }
  a.writes = a.kind == step_kind::store;
  a.wrote = it.store.value;
  if (a.kind == step_kind::update) {
    const auto made = program_.modified(t, s.values, s.performed, *s.what, e, a.read);
    a.wrote = made ? made->value : a.read;
    a.writes = a.wrote != a.read;
  }
  if (a.writes) {
    write(it.bytes, a.wrote);
  }
  s.done[e] = true;
  --s.left;
  accesses_.push_back(a);
  changes_.push_back(
      {.what = change::kind::element, .traced = true, .thread = t, .element = e, .left = {}});
}

void interleaving::go_to_next(thread_id t) {
  standing& s = threads_[t];
  change c{.what = change::kind::instruction, .thread = t, .left = {}, .values = s.values.size()};
  const bool reads = s.what->kind == step_kind::load || s.what->kind == step_kind::update;
  if (reads) {
    s.values.insert(s.values.end(), s.taken.begin(), s.taken.end());
  }
  std::shared_ptr<const instruction> next = program_.next(t, s.values, s.performed + 1);
  const std::size_t n = next->elements.size();
  some_await_ = some_await_ || next->awaits;
  c.left.what = std::exchange(s.what, std::move(next));
  c.left.taken = std::exchange(s.taken, std::vector<std::uint64_t>(n));
  c.left.done = std::exchange(s.done, std::vector<bool>(n, false));
  c.left.left = std::exchange(s.left, n);
  ++s.performed;
  changes_.push_back(std::move(c));
}

/// All that meet are there: they go on.
bool interleaving::meet(thread_id t, std::vector<thread_id>& released) {
  const instruction& i = *threads_[t].what;
  std::vector<thread_id> there;
  for (thread_id u = 0; u < threads_.size(); ++u) {
    const instruction& other = *threads_[u].what;
    if (other.kind == step_kind::barrier && other.barrier == i.barrier) {
      there.push_back(u);
    }
  }
  if (there.size() != i.expected) {
    return false;
  }
  for (const thread_id u : there) {
    go_to_next(u);
    if (u != t) {
      released.push_back(u);
    }
  }
  return true;
}

/// What is no choice; false: there is nothing of that, or it has to wait.
bool interleaving::do_at_once(thread_id t, std::vector<thread_id>& released) {
  const standing& s = threads_[t];
  const step_kind k = s.what->kind;
  if (k == step_kind::end || k == step_kind::stuck || chooses(t)) {
    return false;
  }
  if (k == step_kind::barrier) {
    return meet(t, released);
  }
  const auto is_there = [&](const element& e) {
    const auto found = memory_.find(e.bytes.address / word_bytes * word_bytes);
    return found != memory_.end() && found->second.written != 0;
  };
  if (s.what->awaits && !std::ranges::all_of(s.what->elements, is_there)) {
    return false;
  }
  for (std::size_t e = 0; k != step_kind::fence && e < s.what->elements.size(); ++e) {
    access_element(t, e);
  }
  if (k == step_kind::store) {
    release_waiting(t, released);
  }
  go_to_next(t);
  return true;
}

/// Those that may have waited for what a thread has stored.
void interleaving::release_waiting(thread_id by, std::vector<thread_id>& released) const {
  for (thread_id u = 0; some_await_ && u < threads_.size(); ++u) {
    if (u != by && threads_[u].what->awaits) {
      released.push_back(u);
    }
  }
}

void interleaving::run_on(std::vector<thread_id> going) {
  while (!going.empty()) {
    const thread_id t = going.back();
    going.pop_back();
    while (do_at_once(t, going)) {
    }
  }
}

bool interleaving::perform(thread_id t, std::size_t element) {
  TILESIM_ASSERT(chooses(t) && !threads_[t].done[element], t, element);
  access_element(t, element);
  if (threads_[t].left != 0) {
    return true;
  }
  std::vector<thread_id> going;
  if (threads_[t].what->kind == step_kind::store) {
    release_waiting(t, going);
  }
  go_to_next(t);
  const instruction& next = *threads_[t].what;
  if (next.kind == step_kind::stuck && !next.halted) {
    return false;
  }
  going.push_back(t);
  run_on(std::move(going));
  return true;
}

bool interleaving::repeat(const interleaving& made) {
  begin();
  return std::ranges::all_of(made.accesses_, [&](const access& a) {
    return !a.chosen || (chooses(a.by) && threads_[a.by].performed == a.performed &&
                         !threads_[a.by].done[a.element] && perform(a.by, a.element));
  });
}

void interleaving::take_back(std::size_t mark) {
  while (changes_.size() > mark) {
    change& c = changes_.back();
    standing& s = threads_[c.thread];
    switch (c.what) {
    case change::kind::memory:
      memory_[c.address] = c.before;
      break;
    case change::kind::element:
      s.done[c.element] = false;
      ++s.left;
      break;
    case change::kind::instruction:
      s.values.resize(c.values);
      s.what = std::move(c.left.what);
      s.taken = std::move(c.left.taken);
      s.done = std::move(c.left.done);
      s.left = c.left.left;
      --s.performed;
      break;
    }
    if (c.traced) {
      accesses_.pop_back();
    }
    changes_.pop_back();
  }
}

} // namespace tilesim::memmodel::explore
