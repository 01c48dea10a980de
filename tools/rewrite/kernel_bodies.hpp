// Finds the bodies of kernels, and says what is to be put in front of them.
//
// A launch calls its kernel as host code calls a function (rewrite.hpp): so the body begins by
// asking whether this call is the launch, and then keeps the parameters' values instead of running
// (api/tilesim/launch.hpp). For that the parameters and the kernel need names: those that have none
// are given one. Where they cannot be read (a macro's business), the whole body becomes a lambda,
// which copies the parameters that it uses.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tools/rewrite/edits.hpp"
#include "tools/rewrite/launches.hpp"
#include "tools/rewrite/lexer.hpp"

#include <vector>

namespace tilesim::tools {

/// The edits that kernels need, in no order. `erase_specifiers`: the text still has __global__ and
/// __tile_global__ as words, which the compiler does not know. Adds to `errors` what is no kernel.
[[nodiscard]] std::vector<edit>
kernel_edits(const lexed& source, bool erase_specifiers, std::vector<rewrite_error>& errors);

} // namespace tilesim::tools
