// `asm volatile("mov.u32 %0, %%laneid;" : "=r"(x));`: PTX, which nobody here runs.
//
// The host's assembler would refuse it without a word of why. A call that ends the run says so,
// where the program comes by.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tools/rewrite/edits.hpp"
#include "tools/rewrite/lexer.hpp"

#include <vector>

namespace tilesim::driver {

/// Calls in the place of asm statements whose text is PTX; nothing in the place of prefetches. Not
/// inside macros' bodies.
[[nodiscard]] std::vector<edit> inline_ptx(const lexed& source);

} // namespace tilesim::driver
