// The order that tokens give the operations of a block.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/detect/token_order.hpp"

#include "memmodel/assertion.hpp"

#include <algorithm>

namespace tilesim::sim::detect {

token_order::token_order()
    : nodes_(1)
    , chains_(1)
    , ways_(1) {}

token token_order::join(std::span<const token> all) {
  token only = 0;
  for (const token t : all) {
    if (t == 0 || t == only) {
      continue;
    }
    if (only != 0) {
      return add(all);
    }
    only = t;
  }
  return only;
}

/// A node goes on with the chain of the latest that it waits for and that nothing has gone on from.
token token_order::add(std::span<const token> after) {
  const auto fresh = static_cast<token>(nodes_.size());
  token end = 0;
  for (const token t : after) {
    TILESIM_ASSERT(t < fresh, t, fresh);
    if (t > end && chains_[nodes_[t].chain].last == t) {
      end = t;
    }
  }
  node n;
  if (end != 0) {
    n = {nodes_[end].chain, nodes_[end].position + 1};
  } else {
    n = {static_cast<std::uint32_t>(chains_.size()), 1};
    chains_.emplace_back();
  }
  chains_[n.chain].last = fresh;
  nodes_.push_back(n);
  for (const token t : after) {
    if (t != 0 && nodes_[t].chain != n.chain) {
      lead(n.chain, fresh, t);
    }
  }
  return fresh;
}

/// Loops carry tokens that have been joined before: as a rule, one of the last ways knows.
void token_order::lead(std::uint32_t into, token to, token from) {
  constexpr int looked_at = 4;
  std::uint32_t w = chains_[into].way_in;
  for (int i = 0; i < looked_at && w != 0; ++i, w = ways_[w].before) {
    const node& known = nodes_[ways_[w].from];
    if (known.chain == nodes_[from].chain && known.position >= nodes_[from].position) {
      return;
    }
  }
  ways_.push_back({to, from, chains_[into].way_in});
  chains_[into].way_in = static_cast<std::uint32_t>(ways_.size() - 1);
}

bool token_order::reaches(token first, token last) const {
  TILESIM_ASSERT(first < nodes_.size() && last < nodes_.size(), first, last, nodes_.size());
  const node target = nodes_[first];
  if (target.chain == nodes_[last].chain) {
    return target.position <= nodes_[last].position;
  }
  if (seen_.size() < chains_.size()) {
    seen_.resize(chains_.size());
  }
  ++questions_;
  open_.assign(1, last);
  while (!open_.empty()) {
    const token now = open_.back();
    open_.pop_back();
    if (now < first) {
      continue; // whatever it waits for is older still
    }
    const node at = nodes_[now];
    if (at.chain == target.chain && at.position >= target.position) {
      return true;
    }
    seen& looked = seen_[at.chain];
    const token upto = looked.question == questions_ ? looked.upto : 0;
    if (upto >= now) {
      continue;
    }
    looked = {questions_, now};
    for (std::uint32_t w = chains_[at.chain].way_in; w != 0; w = ways_[w].before) {
      if (ways_[w].to <= upto || ways_[w].to < first) {
        break; // looked at, or older than what is looked for
      }
      if (ways_[w].to <= now) {
        open_.push_back(ways_[w].from);
      }
    }
  }
  return false;
}

std::size_t token_order::bytes() const noexcept {
  return (nodes_.size() * sizeof(node)) + (chains_.size() * sizeof(chain)) +
         (seen_.size() * sizeof(seen)) + (ways_.size() * sizeof(way));
}

} // namespace tilesim::sim::detect
