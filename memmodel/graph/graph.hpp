// An execution that grows by one event at a time and says at each step whether the model still
// allows it.
//
// Events come in an order in which each finds what it depends on: those before it in its thread,
// the write that a read takes, the arrivals that a barrier waits for. Then what orders an event is
// known when it comes: its base-causality past, its causes, what it observes. A write may be placed
// before others in coherence order; that and what a read did not see is judged in its place alone.
// The page ptx.cpp stays the judge of what this order cannot have: another order of sequentially
// consistent fences than that of their coming, accesses that overlap in part, and reads that take
// their value from their own future (judge()).
//
// Initial writes are no events here: a read takes `initial_write`.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "memmodel/graph/fence_orders.hpp"
#include "memmodel/graph/place_table.hpp"
#include "memmodel/model.hpp"

#include <array>
#include <functional>
#include <span>
#include <vector>

namespace tilesim::memmodel {

/// The source of a byte that nobody has written.
inline constexpr event_id initial_write = no_event - 1;

/// By byte of a read: the write, initial_write, or no_event: not chosen.
using byte_sources = std::array<event_id, 8>;

/// One source for all bytes.
[[nodiscard]] constexpr byte_sources all_from(event_id write) noexcept {
  byte_sources s{};
  s.fill(write);
  return s;
}

/// An event as the graph holds it.
struct graph_event {
  event what;
  place_number place = no_place;
  event_id half = no_event;                 ///< of a read-modify-write: its other half
  byte_sources source = all_from(no_event); ///< of a read
  std::uint64_t stamp = 0;                  ///< whatever the owner keeps of it:
  std::uint64_t tag = 0;                    ///< likewise
};

class graph {
public:
  using word = std::uint64_t;
  using bits = std::span<const word>; ///< a set of events

  /// The places' table is its owner's, and outlives the graph.
  graph(const model& m, const place_table& places, std::vector<place> threads);

  [[nodiscard]] std::size_t size() const noexcept { return events_.size(); }
  [[nodiscard]] const graph_event& operator[](event_id e) const noexcept { return events_[e]; }
  /// Sets what the owner keeps of the last event.
  void mark_last(std::uint64_t stamp, std::uint64_t tag) noexcept {
    events_.back().stamp = stamp;
    events_.back().tag = tag;
  }
  [[nodiscard]] const std::vector<place>& threads() const noexcept { return threads_; }
  /// The events of a thread, in the order in which they came.
  [[nodiscard]] std::span<const event_id> of_thread(thread_id t) const noexcept {
    return by_thread_[t];
  }
  /// The reads and writes of a place, in the order in which they came.
  [[nodiscard]] std::span<const event_id> of_place(place_number p) const noexcept {
    return p < by_place_.size() ? std::span<const event_id>(by_place_[p])
                                : std::span<const event_id>();
  }
  [[nodiscard]] const model& judged_by() const noexcept { return *model_; }

  // --- Growth. The last event that came is the first to go.

  /// A read that takes `from`; false: the model does not allow it, and the graph is as before.
  /// `depends`: the earlier reads of its thread that it depends on, where that is known.
  bool add_read(const event& what,
                place_number at,
                const byte_sources& from,
                std::span<const event_id> depends = {});
  /// A write that has no position in coherence order yet; the next call places it or removes it.
  /// `read_half`: no_event, or the read of the read-modify-write.
  event_id begin_write(const event& what,
                       place_number at,
                       event_id read_half,
                       std::span<const event_id> depends = {});
  /// Places it behind the writes `after` and before the others that it has to be ordered with
  /// (ordered()); false: the model does not allow that, and it has no position still.
  bool place_last(bits after);
  /// Takes its position back: it is the last event.
  void displace_last();
  /// Calls f(after) with each set of writes behind which it could be placed, as far as coherence
  /// order alone knows, first behind all. f returns false to end.
  void for_each_placing(const std::function<bool(bits)>& f) const;
  bool add_fence(const event& what);
  /// A thread's arrival at a barrier; never refused.
  void add_arrival(const event& what);
  /// A thread goes on behind a barrier that these have arrived at.
  bool add_departure(const event& what, std::span<const event_id> arrivals);
  void remove_last();
  void clear();
  /// The first `count` events of another, none of whose fences have another order than that of
  /// their coming.
  void begin_as(const graph& other, std::size_t count);
  /// From now on nothing is judged: what comes is a part of what was allowed. False: that is over,
  /// and `reordered` says whether it was so in the whole.
  void trust() noexcept { trusted_ = true; }
  void distrust(bool reordered);

  // --- What is known of it.

  /// What lies in the past of e by program order, reads-from and barriers.
  [[nodiscard]] bits past(event_id e) const noexcept { return set(rows::past, e); }
  [[nodiscard]] bool in_past(event_id e, event_id of) const noexcept {
    return has(set(rows::past, of), e);
  }
  /// Base causality. [PTX: base causality order]
  [[nodiscard]] bool causal(event_id a, event_id b) const noexcept {
    return has(set(rows::base, b), a);
  }
  /// Causality order, of two events of a place. [PTX: causality order]
  [[nodiscard]] bool causes(event_id a, event_id b) const noexcept {
    return has(set(rows::cause, b), a);
  }
  /// How many sequentially consistent fences there are.
  [[nodiscard]] std::size_t sc_fences() const noexcept { return sc_fences_.size(); }
  /// The writes before e in coherence order.
  [[nodiscard]] bits coherence_past(event_id e) const noexcept { return set(rows::co, e); }
  [[nodiscard]] bool morally_strong(event_id a, event_id b) const noexcept {
    return has(set(rows::ms, a), b);
  }
  /// What comes directly before e in program order, by reads-from or by a barrier.
  [[nodiscard]] bits directly_before(event_id e) const noexcept { return set(rows::last, e); }
  /// The reads and writes that e depends on, through reads-from. Where dependencies are known.
  [[nodiscard]] bits dependencies(event_id e) const noexcept { return set(rows::dep, e); }
  /// The reads that e itself was said to depend on.
  template <class F>
  void for_each_dependency(event_id e, F f) const {
    for_each(set(rows::direct, e), f);
  }
  /// Whether a pair of writes has to be ordered: morally strong; under `sc` overlapping.
  [[nodiscard]] bool ordered(event_id a, event_id b) const noexcept {
    return total_ ? events_[a].place == events_[b].place &&
                        overlap(events_[a].what.bytes, events_[b].what.bytes)
                  : morally_strong(a, b);
  }

  /// Whether fences have another order than that in which they came.
  [[nodiscard]] bool reordered() const noexcept { return reordered_; }

  /// The same as the page judges it. [ptx.cpp, sc.cpp] With it for each order of the sequentially
  /// consistent fences that the model allows, or as `which` says: f returns false to end.
  struct judged {
    const execution& what;
    const relations& derived;
    const std::vector<event_id>& shown; ///< the execution's event of each event here
    std::size_t initial;                ///< so many of its events are initial writes
  };
  void judge(const std::function<bool(const judged&)>& f,
             fence_orders which = fence_orders::all) const;
  /// A read takes from `from` what it was left to find: judge() sees that alone.
  void promise(event_id read, event_id from) noexcept { events_[read].source = all_from(from); }

  [[nodiscard]] static bool has(bits b, event_id e) noexcept {
    return (b[e / 64] >> (e % 64U) & 1U) != 0;
  }
  [[nodiscard]] std::size_t words() const noexcept { return words_; }

private:
  /// What is kept of each event: sets of events.
  enum class rows : std::uint8_t {
    past,    ///< program order, reads-from, barriers: transitive
    base,    ///< base causality: transitive
    cause,   ///< of those in its place: what precedes it in causality order
    seen,    ///< a read's: what it observes; a write's: where release patterns with it begin
    co,      ///< a write's: the writes before it in coherence order: transitive
    chosen,  ///< of them, those that were placed there
    ms,      ///< of those in its place: the morally strong ones
    earlier, ///< of those in its place: those before it in program order
    last,    ///< what comes directly before it in program order, reads-from or by a barrier
    direct,  ///< the reads that it depends on
    dep,     ///< dependencies and reads-from: transitive
    count
  };
  static constexpr std::size_t row_count = static_cast<std::size_t>(rows::count);

  [[nodiscard]] word* row(rows r, event_id e) noexcept {
    return bits_.data() + (e * row_count + static_cast<std::size_t>(r)) * words_;
  }
  [[nodiscard]] bits set(rows r, event_id e) const noexcept {
    return {bits_.data() + (e * row_count + static_cast<std::size_t>(r)) * words_, words_};
  }
  static void add(word* to, event_id e) noexcept { to[e / 64] |= word{1} << (e % 64U); }
  static void drop(word* from, event_id e) noexcept { from[e / 64] &= ~(word{1} << (e % 64U)); }
  void merge(word* to, bits from) const noexcept {
    for (std::size_t w = 0; w < words_; ++w) {
      to[w] |= from[w];
    }
  }
  /// e and what the row of e holds.
  void merge_with(word* to, rows r, event_id e) const noexcept {
    merge(to, set(r, e));
    add(to, e);
  }
  template <class F>
  void for_each(bits b, F f) const {
    for (std::size_t w = 0; w < words_; ++w) {
      for (word left = b[w]; left != 0; left &= left - 1) {
        f(static_cast<event_id>(w * 64) + static_cast<event_id>(__builtin_ctzll(left)));
      }
    }
  }

  class placings;

  event_id append(const event& what, place_number at, event_id half);
  void grow();
  void order_in_thread(event_id e);
  void order_in_place(event_id e);
  void depend(event_id e, std::span<const event_id> depends);
  void synchronize_with(event_id e, event_id read);
  void observe(event_id e);
  void begin_patterns(event_id e);
  void find_causes(event_id e);
  void close_coherence(place_number p);
  [[nodiscard]] bool all_ordered(place_number p) const;
  [[nodiscard]] bool in_order(event_id a, event_id b) const noexcept;
  [[nodiscard]] bool related_strongly(event_id a, event_id b) const noexcept;
  [[nodiscard]] bool allowed(event_id e);
  [[nodiscard]] bool place_allowed(place_number p);
  [[nodiscard]] bool interleaved();
  [[nodiscard]] bool unread_order(place_number p);
  [[nodiscard]] bool unread_order_of_few(place_number p);
  [[nodiscard]] bool acyclic(std::span<const event_id> events);
  [[nodiscard]] bool acyclic_few(std::span<const event_id> events) const;
  [[nodiscard]] bool reorder_fences();
  void adopt(const judged& j);

  const model* model_;
  bool total_; ///< sc
  const place_table* places_;
  std::vector<place> threads_;
  std::vector<std::uint8_t> narrowest_; ///< by pair of threads: the scope that holds both

  std::vector<graph_event> events_;
  std::vector<std::vector<event_id>> by_thread_;
  std::vector<std::vector<event_id>> by_place_;
  std::vector<event_id> sc_fences_;
  bool reordered_ = false;
  bool trusted_ = false;
  bool partial_ = false; ///< there are, or were, events with others beside them

  std::size_t words_ = 1;
  std::vector<word> bits_;
  std::vector<word> before_; ///< by event: what precedes it in the relation that is to be acyclic
  std::vector<word> left_;

  // Of the position that is looked for; kept, so that it costs no memory each time.
  mutable std::vector<event_id> others_;
  mutable std::vector<word> after_;
  mutable std::vector<word> ahead_;
};

} // namespace tilesim::memmodel
