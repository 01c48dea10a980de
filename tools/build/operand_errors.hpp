// The host compiler's errors about operands of tile operations, in the reference's terms.
//
// Where an operator does not take its operands, g++ and clang++ list every candidate and each
// constraint that failed: sixty lines, none of which says why. NVIDIA's compiler lists as many.
// Where an atomic operation is given no memory order they speak of a template parameter that nobody
// wrote.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace tilesim::tools {

/// What a compiler said, with one line that gives the cause behind each error about a binary
/// operator whose operands have no common element type, or shapes that do not broadcast, and about
/// a call of an atomic operation without a memory order, and without the candidates. Other errors
/// stay as they are. Colours may be in it.
[[nodiscard]] std::string with_operands_explained(std::string_view output);

} // namespace tilesim::tools
