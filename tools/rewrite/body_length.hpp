// How long the functions of a text are, with its macros expanded: long ones are compiled with other
// flags.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tools/rewrite/lexer.hpp"

#include <cstddef>

namespace tilesim::tools {

/// Of the longest function outside system headers: its statements, operators or calls, whichever
/// are most. An estimate: what templates repeat is counted once.
[[nodiscard]] std::size_t longest_body(const lexed& source);

} // namespace tilesim::tools
