// The parts of a launch, found in a list of tokens by the place of its <<<.
//
// launches.cpp puts them together.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tools/rewrite/brackets.hpp"
#include "tools/rewrite/edits.hpp"

#include <optional>
#include <string>

namespace tilesim::tools {

/// The first token of the callee that ends in front of `launch`, if there is one.
[[nodiscard]] std::optional<std::size_t> callee_begin(const token_view& t, std::size_t launch);

/// The first > of the >>> that ends the configuration of the launch at `open`, if there is one.
[[nodiscard]] std::optional<std::size_t> config_end(const token_view& t, std::size_t open);

/// The callee in one line, as a string literal.
[[nodiscard]] std::string quoted_name(const token_view& t, std::size_t begin, std::size_t end);

} // namespace tilesim::tools
