// `#pragma push_macro` and `pop_macro` in text whose macros are expanded later.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace tilesim::tools {

/// Text as `g++ -E -fdirectives-only` leaves it: definitions as they stand in the sources, and
/// nothing of these pragmas, which it has obeyed. Where tilesim's own headers end (letters_end.h)
/// the user's single letters are defined again as they were where the headers began.
[[nodiscard]] std::string with_letters_defined(std::string_view text);

/// Whether a source pushes macros itself. Nothing of that is left in such text.
[[nodiscard]] bool pushes_macros(std::string_view source);

} // namespace tilesim::tools
