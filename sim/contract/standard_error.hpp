// Messages to standard error.
//
// Nobody may be there to read them (2>&-, a full disk below a log): then they are lost, and nothing
// else is. fmt::print() would throw.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <cstdio>
#include <string>
#include <string_view>
#include <utility>

namespace tilesim::sim {

inline void write_error(std::string_view text) noexcept {
  std::fwrite(text.data(), 1, text.size(), stderr);
}

template <class... Values>
void print_error(fmt::format_string<Values...> form, Values&&... values) {
  write_error(fmt::format(form, std::forward<Values>(values)...));
}

} // namespace tilesim::sim
