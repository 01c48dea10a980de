// What stands behind the slash of print/x, display/t and x/8dw.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>

namespace tilesim::tools::step {

/// Of x: how many units of how many bytes, and in which form. No letter: bytes in rows.
struct memory_format {
  std::size_t count = 1;
  std::size_t unit = 1; ///< bytes
  std::optional<char> letter = {};
};

/// "/8dw bins": gdb's count, form and size in any order, and the expression. No size: that of c is
/// 1, that of a is 8, of others 4. Without letters, so many bytes; without a slash, 64. Throws
/// command_error for anything else.
[[nodiscard]] std::pair<memory_format, std::string_view> parse_examined(std::string_view rest);

/// "/x bins[3]": the form, if one is given, and the expression. Throws command_error unless it is
/// one of gdb's letters.
[[nodiscard]] std::pair<std::optional<char>, std::string_view>
parse_formatted(std::string_view rest);

} // namespace tilesim::tools::step
