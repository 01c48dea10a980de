// `ct::shape{4_ic, n}`: deduction through an alias, which host compilers cannot do.
//
// NVIDIA's front end deduces the arguments of the alias template ct::shape as it does those of
// ct::extents, which it stands for. The standard has no such deduction where the alias names the
// extents themselves, so the rewriter writes `extents` in its place.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tools/rewrite/edits.hpp"
#include "tools/rewrite/lexer.hpp"

#include <vector>

namespace tilesim::tools {

/// The `shape` of every `X::shape{` and `X::shape(` where X is `tiles` or one of its aliases in
/// this text. Not inside macros' bodies.
[[nodiscard]] std::vector<span> shape_deductions(const lexed& source);

} // namespace tilesim::tools
