// The parts of a launch, found in a list of tokens by the place of its <<<.
//
// launches.cpp puts them together.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tools/brackets.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tilesim::driver {

/// A piece of the text, by offsets.
struct span {
  std::size_t begin = 0;
  std::size_t end = 0;
};

/// The first token of the callee that ends in front of `launch`, if there is one.
[[nodiscard]] std::optional<std::size_t> callee_begin(const token_view& t, std::size_t launch);

/// The name that decides about the kind: the last identifier outside template arguments, brackets
/// and parentheses; of a parenthesised callee, the last one in it.
[[nodiscard]] std::string_view
deciding_name(const token_view& t, std::size_t begin, std::size_t end);

/// True if the callee reads memory or calls something, such as (*fp), table[i], choose(n), o.fp.
[[nodiscard]] bool needs_evaluation(const token_view& t, std::size_t begin, std::size_t end);

/// The first > of the >>> that ends the configuration of the launch at `open`, if there is one.
[[nodiscard]] std::optional<std::size_t> config_end(const token_view& t, std::size_t open);

/// The arguments in (open, close) that are nothing but a literal zero, perhaps in parentheses.
[[nodiscard]] std::vector<span>
literal_zeros(const token_view& t, std::size_t open, std::size_t close);

/// The callee in one line, as a string literal.
[[nodiscard]] std::string quoted_name(const token_view& t, std::size_t begin, std::size_t end);

} // namespace tilesim::driver
