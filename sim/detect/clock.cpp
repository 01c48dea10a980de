// Vector clocks over many agents of which few synchronise.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/detect/clock.hpp"

#include <algorithm>
#include <utility>

namespace tilesim::sim::detect {

operation_id clock::at(agent_id agent) const noexcept {
  if (root_ == nullptr || std::uint64_t{agent} >> (bits * (levels_ + 1)) != 0) {
    return 0;
  }
  const node* n = root_.get();
  for (unsigned level = levels_; level > 0; --level) {
    n = inner_at(n).below[(agent >> (bits * level)) % fan_out].get();
    if (n == nullptr) {
      return 0;
    }
  }
  return leaf_at(n).last[agent % fan_out];
}

void clock::link::drop(const node* n) noexcept {
  if (n->is_leaf) {
    delete static_cast<const leaf*>(n);
  } else {
    delete static_cast<const inner*>(n);
  }
}

clock::link clock::insert(const link& at, unsigned level, agent_id agent, operation_id last) {
  const std::size_t i = (agent >> (bits * level)) % fan_out;
  if (level == 0) {
    auto* const copy = new leaf{{0, true}, {}};
    link made(copy);
    if (at != nullptr) {
      copy->last = leaf_at(at.get()).last;
    }
    copy->last[i] = std::max(copy->last[i], last);
    return made;
  }
  auto* const copy = new inner;
  link made(copy);
  if (at != nullptr) {
    copy->below = inner_at(at.get()).below;
  }
  copy->below[i] = insert(copy->below[i], level - 1, agent, last);
  return made;
}

clock::link clock::raise(link root, unsigned from, unsigned to) {
  for (; root != nullptr && from < to; ++from) {
    auto* const above = new inner;
    above->below[0] = std::exchange(root, link(above));
  }
  return root;
}

clock clock::with(agent_id agent, operation_id last) const {
  if (at(agent) >= last) {
    return *this;
  }
  clock out;
  out.levels_ = levels_;
  while (std::uint64_t{agent} >> (bits * (out.levels_ + 1)) != 0) {
    ++out.levels_;
  }
  out.root_ = insert(raise(root_, levels_, out.levels_), out.levels_, agent, last);
  return out;
}

clock::joint clock::join_leaves(const leaf& a, const leaf& b, link& made) {
  unsigned first_lacks = 0;
  unsigned second_lacks = 0;
  for (std::size_t i = 0; i < fan_out; ++i) {
    first_lacks |= static_cast<unsigned>(a.last[i] < b.last[i]);
    second_lacks |= static_cast<unsigned>(b.last[i] < a.last[i]);
  }
  if (first_lacks == 0) {
    return second_lacks == 0 ? joint::either : joint::first;
  }
  if (second_lacks == 0) {
    return joint::second;
  }
  auto* const merged = new leaf{{0, true}, {}};
  made = link(merged);
  std::ranges::transform(
      a.last, b.last, merged->last.begin(), [](auto x, auto y) { return std::max(x, y); });
  return joint::neither;
}

bool clock::within(const node* a, const node* b, unsigned level, agent_id first, agent_id but) {
  if (a == b || a == nullptr) {
    return true;
  }
  const agent_id each = agent_id{1} << (bits * level);
  for (std::size_t i = 0; i < fan_out; ++i, first += each) {
    if (level == 0) {
      const operation_id known = b == nullptr ? 0 : leaf_at(b).last[i];
      if (leaf_at(a).last[i] > known && first != but) {
        return false;
      }
    } else if (!within(inner_at(a).below[i].get(),
                       b == nullptr ? nullptr : inner_at(b).below[i].get(),
                       level - 1,
                       first,
                       but)) {
      return false;
    }
  }
  return true;
}

bool clock::within(const clock& other, agent_id but) const noexcept {
  const node* own = root_.get();
  const node* others = other.root_.get();
  unsigned level = levels_;
  for (; own != nullptr && level > other.levels_; --level) {
    for (std::size_t i = 1; i < fan_out; ++i) {
      const agent_id first = static_cast<agent_id>(i) << (bits * level);
      if (!within(inner_at(own).below[i].get(), nullptr, level - 1, first, but)) {
        return false;
      }
    }
    own = inner_at(own).below[0].get();
  }
  for (unsigned of = other.levels_; others != nullptr && of > level; --of) {
    others = inner_at(others).below[0].get();
  }
  return within(own, others, level, 0, but);
}

// A node is made only where the result is neither of the two: a chain of joins shares its history.
// Blocks that poll by acquire and release join two large clocks at each poll, of which one knows
// all that the other does: that makes no node and touches no count of references.
clock::joint clock::join(const link& a, const link& b, unsigned level, link& made) {
  if (a == b) {
    return joint::either;
  }
  if (a == nullptr || b == nullptr) {
    return b == nullptr ? joint::first : joint::second;
  }
  if (level == 0) {
    return join_leaves(leaf_at(a.get()), leaf_at(b.get()), made);
  }
  const std::array<link, fan_out>& of_a = inner_at(a.get()).below;
  const std::array<link, fan_out>& of_b = inner_at(b.get()).below;
  std::uint32_t lacking = 0; // of which children the first lacks something,
  std::uint32_t lacked = 0;  // and of which the second
  std::array<link, fan_out> fresh;
  for (std::size_t i = 0; i < fan_out; ++i) {
    if (of_a[i] == of_b[i]) {
      continue;
    }
    const joint which = join(of_a[i], of_b[i], level - 1, fresh[i]);
    const std::uint32_t bit = 1U << i;
    lacking |= which == joint::second || which == joint::neither ? bit : 0;
    lacked |= which == joint::first || which == joint::neither ? bit : 0;
  }
  if (lacking == 0) {
    return lacked == 0 ? joint::either : joint::first;
  }
  if (lacked == 0) {
    return joint::second;
  }
  for (std::size_t i = 0; i < fan_out; ++i) {
    if (fresh[i] == nullptr) {
      fresh[i] = (lacking >> i & 1U) != 0 ? of_b[i] : of_a[i];
    }
  }
  auto* const merged = new inner;
  made = link(merged);
  merged->below = std::move(fresh);
  return joint::neither;
}

clock clock::joined(const clock& other) const {
  if (other.root_ == nullptr || root_ == other.root_) {
    return *this;
  }
  if (root_ == nullptr) {
    return other;
  }
  clock out;
  if (levels_ == other.levels_) { // as a rule: no count of references is touched but the result's
    const joint which = join(root_, other.root_, levels_, out.root_);
    if (which != joint::neither) {
      return which == joint::second ? other : *this;
    }
    out.levels_ = levels_;
    return out;
  }
  out.levels_ = std::max(levels_, other.levels_);
  link own = raise(root_, levels_, out.levels_);
  link others = raise(other.root_, other.levels_, out.levels_);
  link made;
  const joint which = join(own, others, out.levels_, made);
  out.root_ = std::move(which == joint::neither ? made : which == joint::second ? others : own);
  return out;
}

} // namespace tilesim::sim::detect
