// Following blocks until all that they can do has been seen.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/execution/closed_rounds.hpp"

#include "sim/core/context.hpp"
#include "sim/execution/execution_impl.hpp"
#include "sim/execution/thread_state.hpp"
#include "sim/memory/hash.hpp"

#include <algorithm>
#include <utility>

namespace tilesim::sim {

namespace {

constexpr unsigned most_elements = 64; // of an access of who waits
constexpr std::size_t most_values = 64;
constexpr std::size_t most_nodes = 256;   // of a thread
constexpr std::size_t most_new_ones = 64; // in a row: who goes round comes back before
constexpr std::size_t most_cells_each = 64;

std::uint64_t value_in(std::uintptr_t address, unsigned bytes) {
  if (bytes > sizeof(watched_cell::value)) {
    return hash_bytes(0, address, bytes);
  }
  return watched_cell{address, 0, static_cast<std::uint8_t>(bytes)}.now();
}

} // namespace

// --- What is seen

closed_rounds::closed_rounds(context& c, std::uint64_t made)
    : context_(c)
    , begun_(made)
    , shown_(c, made)
    , given_up_(c.opts.random_order) {} // what is drawn is state, too, and not seen

void closed_rounds::hold(std::uintptr_t address, cell& c, std::uint64_t value) {
  if (c.now != value) {
    c.now = value;
    left_.push_back(address);
    changed_.push_back(address);
  }
  if (std::ranges::find(c.values, value) == c.values.end()) {
    c.values.push_back(value);
    more_values_ = more_values_ || c.values.size() > 1;
    given_up_ = given_up_ || c.values.size() > most_values;
  }
}

// Raw accesses are told before they are made.
void closed_rounds::settle() {
  for (const std::uintptr_t address : pending_) {
    if (const auto it = cells_.find(address); it != cells_.end()) {
      hold(address, it->second, value_in(address, it->second.bytes));
    }
  }
  pending_.clear();
}

closed_rounds::cell* closed_rounds::cell_at(std::uintptr_t address, unsigned bytes, bool& is_new) {
  const auto behind = cells_.lower_bound(address);
  if (behind != cells_.end() && behind->first == address && behind->second.bytes == bytes) {
    is_new = false;
    return &behind->second;
  }
  const bool overlaps = (behind != cells_.end() && behind->first < address + bytes) ||
                        (behind != cells_.begin() &&
                         std::prev(behind)->first + std::prev(behind)->second.bytes > address);
  if (overlaps || cells_.size() > most_cells_each * std::max<std::size_t>(threads_.size(), 1)) {
    given_up_ = true;
    return nullptr;
  }
  is_new = true;
  return &cells_.emplace_hint(behind, address, cell{.bytes = bytes, .now = 0, .values = {}})
              ->second;
}

void closed_rounds::access(thread_record& t,
                           const memory_event& e,
                           std::uintptr_t address,
                           seen_access& seen) {
  bool is_new = false;
  cell* const c = cell_at(address, e.bytes, is_new);
  if (c == nullptr) {
    return;
  }
  seen.at.name = mix(mix(seen.at.name, address), e.bytes);
  const std::uint64_t before = c->now;
  const std::uint64_t now = value_in(address, e.bytes);
  if (e.reads) {
    // What an update has read of memory that nobody was seen to access is not there any more.
    seen.read_is_known = seen.read_is_known && !(is_new && e.writes);
    seen.read = mix(seen.read, e.writes ? before : now);
    seen.at.reads.push_back(address);
  }
  hold(address, *c, now);
  if (!e.writes) {
    return;
  }
  seen.left = mix(seen.left, now);
  if (e.raw) {
    pending_.push_back(address);
  }
  if (!is_new && before != now && std::ranges::find(t.changes, address) == t.changes.end()) {
    t.changes.push_back(address);
  }
}

void closed_rounds::memory(const memory_event& e) {
  settle();
  if (given_up_) {
    return;
  }
  thread_record& t = threads_[e.thread->number];
  if (e.count > most_elements || e.addresses == nullptr || e.thread->spin.has_asked_the_time()) {
    given_up_ = true;
    return;
  }
  // A compare-exchange may be told as a read, or as an update.
  seen_access seen{.at = {.name = reinterpret_cast<std::uintptr_t>(e.site), .reads = {}}};
  for (unsigned i = 0; i < e.count && !given_up_; ++i) {
    if (e.mask == nullptr || e.mask[i] != 0) {
      access(t, e, e.addresses[i], seen);
    }
  }
  if (gathers()) {
    return;
  }
  t.thread = e.thread;
  const auto state = state_at_poll(*e.thread, e.site).hash();
  if (!state || given_up_) {
    given_up_ = true;
    return;
  }
  note(t, seen, *state);
  if (rules()) {
    shown_.memory(e);
  }
}

void closed_rounds::note(thread_record& t, const seen_access& seen, std::uint64_t state) {
  const std::uint64_t name =
      std::max<std::uint64_t>(mix(mix(mix(seen.at.name, state), seen.read), seen.left), 1);
  if (t.last != 0) {
    node& from = t.nodes[t.last];
    if (!from.goes_on) {
      has_learnt_ = true;
      from.goes_on = true;
      from.next = seen.at;
    } else if (from.next.name != seen.at.name) {
      given_up_ = true; // it has state of its own that is not seen
      return;
    }
    if (seen.read_is_known && std::ranges::find(from.read, seen.read) == from.read.end()) {
      has_learnt_ = true;
      from.read.push_back(seen.read);
    }
    if (std::ranges::find(from.then, name) == from.then.end()) {
      has_learnt_ = true;
      from.then.push_back(name);
    }
  }
  t.last = name;
  t.new_ones = t.nodes.try_emplace(name).second ? t.new_ones + 1 : 0;
  // Every state has to be given every value: more than the operations that there are for that.
  given_up_ = given_up_ || t.nodes.size() > most_nodes || t.new_ones > most_new_ones ||
              (rules() && t.nodes.size() * values_of(seen.at) > 2 * operations_each());
}

// --- What follows

std::size_t closed_rounds::values_of(const station& s) const {
  std::size_t count = 1;
  for (const std::uintptr_t address : s.reads) {
    count = std::min(count * cells_.at(address).values.size(), std::size_t{1} << 16);
  }
  return count;
}

/// All that it may read there has been seen.
bool closed_rounds::is_whole(const node& n) const {
  return n.goes_on && (n.next.reads.empty() || n.read.size() >= values_of(n.next));
}

/// From where it is now: what led there does not matter.
bool closed_rounds::is_closed(const thread_record& t) const {
  if (t.last == 0) {
    return false;
  }
  std::vector<std::uint64_t> ways{t.last};
  for (std::size_t i = 0; i < ways.size(); ++i) {
    const node& n = t.nodes.at(ways[i]);
    if (!is_whole(n)) {
      return false;
    }
    for (const std::uint64_t next : n.then) {
      if (std::ranges::find(ways, next) == ways.end()) {
        ways.push_back(next);
      }
    }
  }
  return true;
}

bool closed_rounds::waits_for_ever(const worker& w) const {
  const spin_detector& spin = w.thread.spin;
  return w.state == worker::status::sleeping && spin.waited_for_ever() && spin.watches_its_lap() &&
         std::ranges::all_of(spin.watched(), [this](const watched_cell& c) {
           // Nobody is left to change it, if nobody has.
           for (auto it = cells_.upper_bound(c.address + c.size - 1); it != cells_.begin();) {
             --it;
             if (it->first + it->second.bytes <= c.address) {
               break;
             }
             if (it->second.values.size() != 1) {
               return false;
             }
           }
           return !c.changed();
         });
}

bool closed_rounds::is_closed(const execution::impl& run) {
  settle();
  return !given_up_ && !run.can_start() && std::ranges::all_of(run.workers, [&](const auto& w) {
    if (w->state != worker::status::running && w->state != worker::status::sleeping) {
      return true;
    }
    if (w->thread.spin.has_asked_the_time()) {
      return false;
    }
    const auto known = threads_.find(w->thread.number);
    return (known != threads_.end() && is_closed(known->second)) || waits_for_ever(*w);
  });
}

// --- How long, and whose turn

void closed_rounds::forget() {
  settle();
  cells_.clear();
  threads_.clear();
  changed_.clear();
  made_way_.clear();
}

void closed_rounds::gather(std::uint64_t made, std::size_t threads) {
  forget();
  threads_alive_ = threads;
  stage_ = stage::gathers;
  begin_turn(nullptr, made);
}

void closed_rounds::take_over(std::uint64_t made, std::size_t threads) {
  forget();
  begun_ = made;
  threads_alive_ = threads;
  given_up_ = context_.opts.random_order;
  stage_ = stage::follows;
  begin_turn(nullptr, made);
}

std::uint64_t closed_rounds::next_look(std::uint64_t made) const noexcept {
  constexpr std::uint64_t at_first = 1024;
  return made + (rules() ? std::max<std::uint64_t>(2048, 2 * threads_alive_) : at_first);
}

std::uint64_t closed_rounds::operations_each() const noexcept {
  constexpr std::uint64_t at_least = std::uint64_t{1} << 17;
  constexpr std::uint64_t each = 512;
  return std::max(at_least / std::max<std::uint64_t>(threads_alive_, 1), each);
}

// Where nothing new is seen any more, as of who gives back a lock by an update, which is never
// given what others find there, it is not worth while.
bool closed_rounds::is_over(std::uint64_t made) noexcept {
  constexpr std::uint64_t at_least = std::uint64_t{1} << 16;
  constexpr std::uint64_t in_vain_each = 64;
  if (std::exchange(has_learnt_, false)) {
    learnt_at_ = made;
  }
  const std::uint64_t begun = std::max(begun_, learnt_at_);
  return stage_ == stage::follows &&
         (made - begun_ > operations_each() * threads_alive_ ||
          made - begun > std::max(at_least, in_vain_each * threads_alive_));
}

std::uint64_t closed_rounds::draw() noexcept {
  random_ ^= random_ << 13U;
  random_ ^= random_ >> 7U;
  random_ ^= random_ << 17U;
  return random_;
}

// --- Whose turn

closed_rounds::cell* closed_rounds::next_read(const thread_record& t) {
  if (t.last == 0) {
    return nullptr;
  }
  const node& n = t.nodes.at(t.last);
  if (!n.goes_on || n.next.reads.size() != 1) {
    return nullptr;
  }
  const auto known = cells_.find(n.next.reads.front());
  return known == cells_.end() ? nullptr : &known->second;
}

bool closed_rounds::was_given(const node& n, std::uint64_t value) {
  return std::ranges::find(n.read, mix(0, value)) != n.read.end();
}

bool closed_rounds::would_learn(const thread_record& t) {
  if (t.last == 0) {
    return true;
  }
  const node& n = t.nodes.at(t.last);
  if (!n.goes_on || n.next.reads.empty()) {
    return !n.goes_on;
  }
  std::uint64_t read = 0;
  for (const std::uintptr_t address : n.next.reads) {
    read = mix(read, cells_.at(address).now);
  }
  return std::ranges::find(n.read, read) == n.read.end();
}

void closed_rounds::note_wants(thread_record& t) {
  cell* const c = next_read(t);
  const std::size_t of = c == nullptr ? 0 : c->values.size();
  if (t.noted == t.last && t.noted_of == of) {
    return;
  }
  // Where it stood before, only what has been seen since then is new to the lists.
  const std::size_t first = t.noted == t.last ? std::min(t.noted_of, of) : 0;
  t.noted = t.last;
  t.noted_of = of;
  if (c == nullptr) {
    return;
  }
  const node& n = t.nodes.at(t.last);
  for (std::size_t i = first; i < of; ++i) {
    const std::uint64_t value = c->values[i];
    if (was_given(n, value)) {
      continue;
    }
    auto list = std::ranges::find(c->wanted, value, &wanted_value::value);
    if (list == c->wanted.end()) {
      list = c->wanted.insert(list, {value, {}});
    }
    list->by.push_back(t.thread);
  }
}

/// Awake, or to be woken before the next turn.
bool closed_rounds::could_go_on(const sim_thread& t) {
  const worker::status state = t.self->state;
  return state == worker::status::running ||
         (state == worker::status::sleeping && t.spin.may_go_on(impl_of(*t.owner->exec).changes));
}

const sim_thread* closed_rounds::who_wants(cell& c, const thread_record* but) {
  const auto list = std::ranges::find(c.wanted, c.now, &wanted_value::value);
  if (list == c.wanted.end()) {
    return nullptr;
  }
  for (auto it = list->by.begin(); it != list->by.end();) {
    const thread_record& t = threads_.at((*it)->number);
    const cell* const next = next_read(t);
    if (&t == but || !could_go_on(**it)) {
      ++it;
    } else if (next == &c && !was_given(t.nodes.at(t.last), c.now)) {
      return *it;
    } else {
      it = list->by.erase(it);
    }
  }
  return nullptr;
}

bool closed_rounds::lets_others_learn(const thread_record& t) {
  return std::ranges::any_of(left_, [&](std::uintptr_t address) {
    const auto it = cells_.find(address);
    return it != cells_.end() && who_wants(it->second, &t) != nullptr;
  });
}

worker* closed_rounds::next_turn() {
  if (stage_ != stage::follows || given_up_) {
    return nullptr;
  }
  settle();
  if (std::exchange(more_values_, false)) {
    for (auto& [number, t] : threads_) {
      note_wants(t);
    }
  }
  for (; !changed_.empty(); changed_.pop_front()) {
    const auto it = cells_.find(changed_.front());
    const sim_thread* const t = it == cells_.end() ? nullptr : who_wants(it->second, nullptr);
    if (t != nullptr) {
      return t->self;
    }
  }
  while (!made_way_.empty()) {
    const sim_thread* const t = made_way_.front();
    made_way_.pop_front();
    if (t->self->state == worker::status::running) {
      return t->self;
    }
  }
  return nullptr;
}

void closed_rounds::begin_turn(const worker* w, std::uint64_t made) {
  turn_begun_ = made;
  // All who meet what is changed poll in vain: of many, a few turns show it to everyone.
  ends_amid_ = draw() % std::max<std::size_t>(4, threads_alive_ / 4) == 0;
  turn_length_ = ends_amid_ ? 1 + (draw() % 6) : 4 + (draw() % 28);
  left_.clear();
  learns_ = false;
  if (w != nullptr && stage_ == stage::follows && !given_up_) {
    const auto known = threads_.find(w->thread.number);
    learns_ = known == threads_.end() || would_learn(known->second);
  }
}

bool closed_rounds::keeps_others_waiting(const sim_thread& t) {
  settle();
  const auto known = threads_.find(t.number);
  if (known == threads_.end()) {
    return false;
  }
  return std::ranges::any_of(known->second.changes, [this](std::uintptr_t address) {
    const auto it = cells_.find(address);
    return it != cells_.end() && std::ranges::find(it->second.kept_waiting, it->second.now) !=
                                     it->second.kept_waiting.end();
  });
}

void closed_rounds::fell_asleep(const sim_thread& t) {
  if (const auto known = threads_.find(t.number); known != threads_.end() && !given_up_) {
    settle();
    note_wants(known->second);
  }
  for (const watched_cell& c : t.spin.watched()) {
    const auto it = cells_.find(c.address);
    if (it != cells_.end() && it->second.bytes == c.size &&
        std::ranges::find(it->second.kept_waiting, c.value) == it->second.kept_waiting.end()) {
      it->second.kept_waiting.push_back(c.value);
    }
  }
}

bool closed_rounds::turn_is_over(const sim_thread& t, std::uint64_t made) {
  // Not always as many: who computes for long before an access would always be stopped there.
  const std::uint64_t longest = 128 + (random_ % 512);
  if (hands_over()) {
    return true;
  }
  const std::uint64_t so_far = made - turn_begun_;
  const auto known = threads_.find(t.number);
  if (stage_ != stage::follows || given_up_ || known == threads_.end() || so_far >= longest) {
    return so_far >= longest || (given_up_ && so_far >= turn_length_) ||
           (so_far >= turn_length_ && keeps_others_waiting(t) == ends_amid_);
  }
  settle();
  thread_record& record = known->second;
  bool is_over = lets_others_learn(record);
  if (is_over) {
    made_way_.push_back(&t);
  } else {
    // Who stands where it has not been given everything waits for that: the next turn that it gets
    // for nothing leads it on.
    is_over =
        !would_learn(record) && (learns_ || !is_whole(record.nodes.at(record.last)) ||
                                 (so_far >= turn_length_ && keeps_others_waiting(t) == ends_amid_));
  }
  if (is_over) {
    note_wants(record);
  }
  return is_over;
}

} // namespace tilesim::sim
