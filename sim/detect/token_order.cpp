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

/// A node goes on with the longest chain of those whose ends it waits for: what many operations are
/// joined to one after the other stays one chain.
token token_order::add(std::span<const token> after) {
  const auto fresh = static_cast<token>(nodes_.size());
  token end = 0;
  for (const token t : after) {
    TILESIM_ASSERT(t < fresh, t, fresh);
    if (t != 0 && chains_[nodes_[t].chain].last == t && nodes_[t].position > nodes_[end].position) {
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

namespace {

std::uint64_t pair_of(std::uint32_t into, std::uint32_t from) noexcept {
  return (std::uint64_t{into} << 32U) | from;
}

} // namespace

/// Loops carry tokens that have been joined before: those lead nowhere new.
void token_order::lead(std::uint32_t into, token to, token from) {
  std::uint32_t& latest = between_[pair_of(into, nodes_[from].chain)];
  if (latest != 0 && nodes_[ways_[latest].from].position >= nodes_[from].position) {
    return;
  }
  ways_.push_back({to, from, chains_[into].way_in, latest});
  latest = chains_[into].way_in = static_cast<std::uint32_t>(ways_.size() - 1);
}

/// Whether a way from the one's chain to the other's does.
bool token_order::leads_straight(token first, token last) const {
  const auto known = between_.find(pair_of(nodes_[last].chain, nodes_[first].chain));
  std::uint32_t w = known == between_.end() ? 0 : known->second;
  while (w != 0 && ways_[w].to > last) {
    w = ways_[w].alike;
  }
  return w != 0 && nodes_[ways_[w].from].position >= nodes_[first].position;
}

bool token_order::reaches(token first, token last) const {
  TILESIM_ASSERT(first < nodes_.size() && last < nodes_.size(), first, last, nodes_.size());
  const node target = nodes_[first];
  if (target.chain == nodes_[last].chain) {
    return target.position <= nodes_[last].position;
  }
  if (leads_straight(first, last)) {
    return true;
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
         (seen_.size() * sizeof(seen)) +
         (ways_.size() * (sizeof(way) + sizeof(decltype(between_)::value_type)));
}

} // namespace tilesim::sim::detect
