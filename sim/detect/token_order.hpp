// The order that tokens give the operations of a block: a partial one.
//
// Operations and joins of tokens are nodes of a graph without circles. Most follow one another:
// each node stands in a chain, and a chain notes where another one leads into it. So what takes
// long to ask for is only what many chains have joined.  [Tile IR: memory model, waits-for]
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilesim/detail/machine.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

namespace tilesim::sim::detect {

/// What an operation has waited for, itself included. 0: nothing.
using token = std::uint32_t;

/// Those that an operation waits for.
inline void tokens_of(const machine::ordered_after& all, std::vector<token>& tokens) {
  tokens.clear();
  for (std::size_t i = 0; i < all.count; ++i) {
    tokens.push_back(static_cast<token>(all.tokens[i]));
  }
}

class token_order {
public:
  token_order();

  /// An operation that waits for these: what waits for it.
  token operation(std::span<const token> after) { return add(after); }
  /// What waits for all of these: one of them, if it does.
  token join(std::span<const token> all);

  /// Whether what waits for `last` waits for `first`, too.
  [[nodiscard]] bool reaches(token first, token last) const;

  [[nodiscard]] std::uint32_t chain_of(token t) const noexcept { return nodes_[t].chain; }
  [[nodiscard]] std::size_t bytes() const noexcept;

private:
  struct node {
    std::uint32_t chain = 0;
    std::uint32_t position = 0; ///< in its chain, from 1
  };
  struct chain {
    token last = 0;
    std::uint32_t way_in = 0; ///< the latest: number of a way; 0: none
  };
  /// From another chain.
  struct way {
    token to = 0;
    token from = 0;
    std::uint32_t before = 0; ///< the chain's one before,
    std::uint32_t alike = 0;  ///< and its one before from the same chain, which leads less far
  };
  struct seen {
    std::uint64_t question = 0;
    token upto = 0;
  };

  token add(std::span<const token> after);
  void lead(std::uint32_t into, token to, token from);
  [[nodiscard]] bool leads_straight(token first, token last) const;

  std::vector<node> nodes_; ///< by token
  std::vector<chain> chains_;
  std::vector<way> ways_;
  std::unordered_map<std::uint64_t, std::uint32_t> between_; ///< the latest way, by both chains
  mutable std::vector<seen> seen_; ///< by chain: how far the current question has looked
  mutable std::vector<token> open_;
  mutable std::uint64_t questions_ = 0;
};

} // namespace tilesim::sim::detect
