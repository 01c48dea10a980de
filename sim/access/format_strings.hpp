// Which memory a call of printf touches by way of its arguments.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdarg>
#include <cstddef>
#include <vector>

namespace tilesim::sim {

/// A string that a conversion reads, or the number that `%n` writes.
struct format_access {
  const void* address = nullptr;
  std::size_t unit = 1; ///< bytes of a character; of `%n`: of the number
  /// So many bytes are printed at most: the precision of `%.3s` and `%.*s`.
  std::size_t most = static_cast<std::size_t>(-1);
  bool writes = false;

  /// Looks for the string's end: the bytes that are read, the terminating zero with them if they
  /// come to it.
  [[nodiscard]] std::size_t bytes() const noexcept;
};

/// Those of printf's arguments that are pointers to memory: `%s`, `%ls`, `%S`, `%n`, also in
/// formats with positions (`%2$s`). Null pointers, which glibc prints as "(null)", are left out.
[[nodiscard]] std::vector<format_access> accesses_of_format(const char* format, va_list arguments);

} // namespace tilesim::sim
