// Executions built by hand, event by event: what the axioms, patterns and races are tested on.
//
// Threads, events in program order, then the choices; judge() derives the relations.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "memmodel/model.hpp"
#include "memmodel/race.hpp"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tilesim::memmodel {

/// Where a thread runs, in short: cta 0 of gpu 0, and so on. Blocks without a cluster of their own
/// number are clusters of their own, as in a launch without clusters.
[[nodiscard]] constexpr place cta(std::int32_t n, std::int32_t gpu = 0) {
  return {gpu, -1 - n, n};
}
[[nodiscard]] constexpr place in_cluster(std::int32_t cluster, std::int32_t n) {
  return {0, cluster, n};
}
inline constexpr place on_host{place::host, 0, 0};

/// Two locations of eight bytes, and the halves of the first.
inline constexpr byte_range x{0x1000, 8};
inline constexpr byte_range y{0x1100, 8};
inline constexpr byte_range x_low{0x1000, 4};
inline constexpr byte_range x_high{0x1004, 4};

/// The order and the scope of an operation.
struct strength {
  memory_order order = memory_order::weak;
  memmodel::scope scope = memmodel::scope::sys;
};
inline constexpr strength weak{};
inline constexpr strength rlx{memory_order::relaxed, scope::gpu};
inline constexpr strength acq{memory_order::acquire, scope::gpu};
inline constexpr strength rel{memory_order::release, scope::gpu};
inline constexpr strength acq_rel{memory_order::acq_rel, scope::gpu};
inline constexpr strength sc_gpu{memory_order::sc, scope::gpu};
[[nodiscard]] constexpr strength at(strength s, scope wider) {
  s.scope = wider;
  return s;
}

class hand_built {
public:
  explicit hand_built(std::vector<place> threads)
      : threads_(std::move(threads)) {}

  event_id init(byte_range where, std::uint64_t value = 0) {
    event e;
    e.kind = event_kind::write;
    e.bytes = where;
    e.value = value;
    return add(e);
  }
  event_id read(thread_id p, strength s, byte_range where) {
    return memory(p, event_kind::read, s, where, 0);
  }
  event_id write(thread_id p, strength s, byte_range where, std::uint64_t value = 0) {
    return memory(p, event_kind::write, s, where, value);
  }
  event_id fence(thread_id p, strength s) { return memory(p, event_kind::fence, s, {}, 0); }
  /// The halves of an atomic: one instruction.
  std::pair<event_id, event_id>
  atomic(thread_id p, strength r, strength w, byte_range where, bool reduction = false) {
    const event_id first = read(p, r, where);
    const event_id second = write(p, w, where);
    events_[first].reduction = reduction;
    events_[second].instruction = events_[first].instruction;
    rmw_.emplace_back(first, second);
    return {first, second};
  }
  event_id barrier(thread_id p, std::uint32_t instance, bool waits, bool late = false) {
    event e;
    e.thread = p;
    e.instruction = next_instruction_++;
    e.kind = event_kind::barrier;
    e.instance = instance;
    e.waits = waits;
    e.late = late;
    return add(e);
  }
  /// One more element of the same instruction as `e`: unordered with it.
  event_id another_element(event_id e, byte_range where) {
    event copy = events_[e];
    ++copy.element;
    copy.bytes = where;
    return add(copy);
  }

  void rf(event_id w, event_id r) { rf_.emplace_back(w, r); }
  /// One byte of r, counted from its first.
  void rf_byte(event_id w, event_id r, std::uint32_t byte) { bytes_.push_back({w, r, byte}); }
  void co(event_id a, event_id b) { co_.emplace_back(a, b); }
  void sc(event_id a, event_id b) { sc_.emplace_back(a, b); }
  void data(event_id a, event_id b) { data_.emplace_back(a, b); }
  void addr(event_id a, event_id b) { addr_.emplace_back(a, b); }
  void ctrl(event_id a, event_id b) { ctrl_.emplace_back(a, b); }
  void api(event_id a, event_id b) { api_.emplace_back(a, b); }

  /// The relations of what was built so far; valid until the next call.
  const relations& judge() {
    x_.emplace(events_.size());
    x_->threads = threads_;
    x_->events = events_;
    for (event_id a = 0; a < events_.size(); ++a) {
      for (event_id b = 0; b < events_.size(); ++b) {
        if (!events_[a].initial() && events_[a].thread == events_[b].thread &&
            events_[a].instruction < events_[b].instruction) {
          x_->po.add(a, b);
        }
      }
    }
    fill(x_->rmw, rmw_);
    x_->po |= x_->rmw;
    fill(x_->data, data_);
    fill(x_->addr, addr_);
    fill(x_->ctrl, ctrl_);
    fill(x_->api, api_);
    fill(x_->co, co_);
    fill(x_->sc, sc_);
    for (const auto& [w, r] : rf_) {
      x_->read_from(r, w);
    }
    for (const auto& [w, r, byte] : bytes_) {
      x_->read_byte_from(r, byte, w);
    }
    r_.emplace(*x_);
    r_->add_reads();
    r_->add_fences();
    r_->add_coherence();
    return *r_;
  }

  [[nodiscard]] const execution& what() const { return *x_; }

  /// The names of the axioms that break, in the model's order.
  std::vector<std::string> broken(const model& m = ptx()) {
    const relations& r = judge();
    std::vector<std::string> names;
    for (const axiom& a : m.axioms) {
      if (a.broken(r)) {
        names.emplace_back(a.name);
      }
    }
    return names;
  }

private:
  using edges = std::vector<std::pair<event_id, event_id>>;

  static void fill(relation& r, const edges& from) {
    for (const auto& [a, b] : from) {
      r.add(a, b);
    }
  }
  event_id add(const event& e) {
    events_.push_back(e);
    return static_cast<event_id>(events_.size() - 1);
  }
  event_id memory(thread_id p, event_kind kind, strength s, byte_range where, std::uint64_t value) {
    event e;
    e.thread = p;
    e.instruction = next_instruction_++;
    e.kind = kind;
    e.order = s.order;
    e.scope = s.scope;
    e.bytes = where;
    e.value = value;
    return add(e);
  }

  struct byte_choice {
    event_id write, read;
    std::uint32_t byte;
  };

  std::vector<place> threads_;
  std::vector<event> events_;
  std::uint32_t next_instruction_ = 1;
  edges rmw_, rf_, co_, sc_, data_, addr_, ctrl_, api_;
  std::vector<byte_choice> bytes_;
  std::optional<execution> x_;
  std::optional<relations> r_;
};

/// The pairs of a relation, in order.
[[nodiscard]] inline std::vector<std::pair<event_id, event_id>> pairs_of(const relation& r) {
  std::vector<std::pair<event_id, event_id>> out;
  r.for_each([&](event_id a, event_id b) { out.emplace_back(a, b); });
  return out;
}

} // namespace tilesim::memmodel
