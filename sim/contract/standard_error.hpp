// Messages to standard error.
//
// Nobody may be there to read them (2>&-, a full disk below a log): then they are lost, and nothing
// else is. fmt::print() would throw. That something was lost is remembered: whoever gives the
// process its exit status asks, so that no report goes unread without a word.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <atomic>
#include <cstdio>
#include <string>
#include <string_view>
#include <utility>

namespace tilesim::sim {

/// Set once something that was to be told there could not be written, and never cleared.
inline std::atomic<bool> error_lost = false; // NOLINT(*-avoid-non-const-global-variables)

/// False where it could not be written, which error_lost remembers.
inline bool write_error(std::string_view text) noexcept {
  const bool written =
      std::fwrite(text.data(), 1, text.size(), stderr) == text.size() && std::fflush(stderr) == 0;
  if (!written) {
    error_lost = true;
  }
  return written;
}

template <class... Values>
void print_error(fmt::format_string<Values...> form, Values&&... values) {
  write_error(fmt::format(form, std::forward<Values>(values)...));
}

} // namespace tilesim::sim
