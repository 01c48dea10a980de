// `asm volatile("mov.u32 %0, %%laneid;" : "=r"(x));`: PTX, which the simulator performs.
//
// The host's assembler would refuse it without a word of why.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tools/rewrite/edits.hpp"
#include "tools/rewrite/lexer.hpp"

#include <vector>

namespace tilesim::tools {

/// Calls in the place of asm statements whose text is PTX; nothing in the place of prefetches. In
/// macros' bodies, too, where each text may have pieces that are made of a macro's arguments.
[[nodiscard]] std::vector<edit> inline_ptx(const lexed& source);

} // namespace tilesim::tools
