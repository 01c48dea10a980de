// Vector clocks over many agents of which few synchronise.
//
// A clock maps agents to the last of their operations that it knows to have happened before. It is
// an immutable tree, so that copies are free, a clock that another extends shares all of it, and
// joining two that share most of their history costs what they do not share. The empty clock, which
// most blocks keep, is a null pointer.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

namespace tilesim::sim::detect {

using agent_id =
    std::uint32_t; ///< a block, a copy, the host between two calls: numbered as they come
using operation_id = std::uint32_t; ///< an operation, numbered from 1 as they happen; 0: none

class clock {
public:
  /// The last operation of `agent` that is known to have happened before.
  [[nodiscard]] operation_id at(agent_id agent) const noexcept;
  /// This clock, and that all operations of `agent` up to `last` have happened before.
  [[nodiscard]] clock with(agent_id agent, operation_id last) const;
  /// All that one of the two knows.
  [[nodiscard]] clock joined(const clock& other) const;
  [[nodiscard]] bool empty() const noexcept { return root_ == nullptr; }
  /// A copy of the other, and neither has been added to.
  [[nodiscard]] bool same(const clock& other) const noexcept { return root_ == other.root_; }
  /// Whether another knows all that this one does, but for what it knows of one agent.
  [[nodiscard]] bool within(const clock& other, agent_id but) const noexcept;

private:
  static constexpr unsigned bits = 4; ///< of an agent's number, per level
  static constexpr std::size_t fan_out = std::size_t{1} << bits;

  /// A node, and how many links lead to it. Who has clocks of one history uses them one after the
  /// other: the count is no atomic.
  struct node {
    mutable std::uint32_t links = 0;
    bool is_leaf = false;
  };
  /// To a leaf at level 0, else to an inner node.
  class link {
  public:
    link() = default;
    explicit link(const node* to) noexcept
        : to_(to) {
      hold();
    }
    link(const link& other) noexcept
        : to_(other.to_) {
      hold();
    }
    link(link&& other) noexcept
        : to_(std::exchange(other.to_, nullptr)) {}
    link& operator=(const link& other) noexcept {
      link copy(other);
      std::swap(to_, copy.to_);
      return *this;
    }
    link& operator=(link&& other) noexcept {
      std::swap(to_, other.to_);
      return *this;
    }
    ~link() {
      if (to_ != nullptr && --to_->links == 0) {
        drop(to_);
      }
    }
    [[nodiscard]] const node* get() const noexcept { return to_; }
    friend bool operator==(const link& a, const link& b) noexcept { return a.to_ == b.to_; }
    friend bool operator==(const link& a, std::nullptr_t) noexcept { return a.to_ == nullptr; }

  private:
    void hold() const noexcept {
      if (to_ != nullptr) {
        ++to_->links;
      }
    }
    static void drop(const node* n) noexcept;

    const node* to_ = nullptr;
  };
  struct leaf : node {
    std::array<operation_id, fan_out> last{};
  };
  struct inner : node {
    std::array<link, fan_out> below;
  };
  [[nodiscard]] static const leaf& leaf_at(const node* n) noexcept {
    return *static_cast<const leaf*>(n);
  }
  [[nodiscard]] static const inner& inner_at(const node* n) noexcept {
    return *static_cast<const inner*>(n);
  }

  /// Which of two knows all that both know.
  enum class joint : std::uint8_t { either, first, second, neither };

  static link insert(const link& at, unsigned level, agent_id agent, operation_id last);
  /// Makes a link only if neither will do.
  static joint join(const link& a, const link& b, unsigned level, link& made);
  static joint join_leaves(const leaf& a, const leaf& b, link& made);
  static bool within(const node* a, const node* b, unsigned level, agent_id first, agent_id but);
  static link raise(link root, unsigned from, unsigned to);

  link root_;
  unsigned levels_ = 0; ///< of inner nodes above the leaves
};

struct fence_knowledge; // fence_order.hpp

/// What an agent knows to have happened before: in causality order, by which races are judged, in
/// whatever way sequentially consistent fences are ordered; and what only the order adds to that in
/// which the execution has them. A read may not be given what contradicts either.  [PTX: base
/// causality order, Fence-SC order]
struct knowledge {
  clock happened;
  clock fenced;                                  ///< empty, but where such fences are
  std::shared_ptr<const fence_knowledge> fences; ///< likewise: which of them it knows

  [[nodiscard]] bool empty() const noexcept {
    return happened.empty() && fenced.empty() && fences == nullptr;
  }
  /// A copy of the other, and neither has been added to.
  [[nodiscard]] bool same(const knowledge& other) const noexcept {
    return happened.same(other.happened) && fenced.same(other.fenced) && fences == other.fences;
  }
  [[nodiscard]] knowledge with(agent_id agent, operation_id last) const {
    return {happened.with(agent, last), fenced, fences};
  }
  [[nodiscard]] knowledge joined(const knowledge& other) const;
};

} // namespace tilesim::sim::detect
