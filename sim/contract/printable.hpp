// Bytes from outside (names of files, arguments) as text that reports and terminals can hold.
//
// What is no UTF-8, and control characters, are written \xHH: a report stays valid JSON, and a name
// cannot move a terminal's cursor. Everything that shows, compares or reads names uses this one
// form, so that a name that was printed can be given back.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace tilesim::sim {

/// A name: in UTF-8, control characters and every other byte as \xHH.
[[nodiscard]] std::string printable(std::string_view bytes);

/// A text of several lines, which may hold names that have been printed: newlines and tabs stay.
[[nodiscard]] std::string printable_text(std::string_view bytes);

/// What `printable` was given.
[[nodiscard]] std::string bytes_of(std::string_view printed);

} // namespace tilesim::sim
