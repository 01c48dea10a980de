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
  const void* n = root_.get();
  for (unsigned level = levels_; level > 0; --level) {
    n = (*static_cast<const inner*>(n))[(agent >> (bits * level)) % fan_out].get();
    if (n == nullptr) {
      return 0;
    }
  }
  return (*static_cast<const leaf*>(n))[agent % fan_out];
}

clock::link clock::insert(const link& at, unsigned level, agent_id agent, operation_id last) {
  const std::size_t i = (agent >> (bits * level)) % fan_out;
  if (level == 0) {
    const auto copy = std::make_shared<leaf>();
    if (at != nullptr) {
      *copy = *static_cast<const leaf*>(at.get());
    }
    (*copy)[i] = std::max((*copy)[i], last);
    return copy;
  }
  const auto copy = at == nullptr ? std::make_shared<inner>()
                                  : std::make_shared<inner>(*static_cast<const inner*>(at.get()));
  (*copy)[i] = insert((*copy)[i], level - 1, agent, last);
  return copy;
}

clock::link clock::raise(link root, unsigned from, unsigned to) {
  for (; root != nullptr && from < to; ++from) {
    const auto above = std::make_shared<inner>();
    (*above)[0] = std::move(root);
    root = above;
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
    first_lacks |= static_cast<unsigned>(a[i] < b[i]);
    second_lacks |= static_cast<unsigned>(b[i] < a[i]);
  }
  if (first_lacks == 0) {
    return second_lacks == 0 ? joint::either : joint::first;
  }
  if (second_lacks == 0) {
    return joint::second;
  }
  const auto merged = std::make_shared<leaf>();
  std::ranges::transform(a, b, merged->begin(), [](auto x, auto y) { return std::max(x, y); });
  made = merged;
  return joint::neither;
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
    return join_leaves(
        *static_cast<const leaf*>(a.get()), *static_cast<const leaf*>(b.get()), made);
  }
  const inner& of_a = *static_cast<const inner*>(a.get());
  const inner& of_b = *static_cast<const inner*>(b.get());
  std::array<joint, fan_out> which{};
  inner fresh;
  bool is_a = true;
  bool is_b = true;
  for (std::size_t i = 0; i < fan_out; ++i) {
    which[i] = join(of_a[i], of_b[i], level - 1, fresh[i]);
    is_a = is_a && (which[i] == joint::either || which[i] == joint::first);
    is_b = is_b && (which[i] == joint::either || which[i] == joint::second);
  }
  if (is_a) {
    return is_b ? joint::either : joint::first;
  }
  if (is_b) {
    return joint::second;
  }
  for (std::size_t i = 0; i < fan_out; ++i) {
    if (which[i] != joint::neither) {
      fresh[i] = which[i] == joint::second ? of_b[i] : of_a[i];
    }
  }
  made = std::make_shared<inner>(std::move(fresh));
  return joint::neither;
}

clock clock::joined(const clock& other) const {
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
