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
    n = n->children[(agent >> (bits * level)) % fan_out].get();
    if (n == nullptr) {
      return 0;
    }
  }
  return n->last[agent % fan_out];
}

clock::link clock::insert(const link& at, unsigned level, agent_id agent, operation_id last) {
  auto copy = at == nullptr ? std::make_shared<node>() : std::make_shared<node>(*at);
  const std::size_t i = (agent >> (bits * level)) % fan_out;
  if (level == 0) {
    copy->last[i] = std::max(copy->last[i], last);
  } else {
    copy->children[i] = insert(copy->children[i], level - 1, agent, last);
  }
  return copy;
}

clock::link clock::raise(link root, unsigned from, unsigned to) {
  for (; root != nullptr && from < to; ++from) {
    auto above = std::make_shared<node>();
    above->children[0] = std::move(root);
    root = std::move(above);
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

clock::link clock::join(const link& a, const link& b, unsigned level) {
  if (a == b || b == nullptr) {
    return a;
  }
  if (a == nullptr) {
    return b;
  }
  // A node is made only where the result is neither of the two: a chain of joins shares its
  // history.
  bool is_a = true;
  bool is_b = true;
  node merged;
  for (std::size_t i = 0; i < fan_out; ++i) {
    if (level == 0) {
      merged.last[i] = std::max(a->last[i], b->last[i]);
      is_a = is_a && merged.last[i] == a->last[i];
      is_b = is_b && merged.last[i] == b->last[i];
    } else {
      merged.children[i] = join(a->children[i], b->children[i], level - 1);
      is_a = is_a && merged.children[i] == a->children[i];
      is_b = is_b && merged.children[i] == b->children[i];
    }
  }
  if (is_a) {
    return a;
  }
  return is_b ? b : std::make_shared<node>(std::move(merged));
}

clock clock::joined(const clock& other) const {
  clock out;
  out.levels_ = std::max(levels_, other.levels_);
  out.root_ = join(raise(root_, levels_, out.levels_),
                   raise(other.root_, other.levels_, out.levels_),
                   out.levels_);
  return out;
}

} // namespace tilesim::sim::detect
