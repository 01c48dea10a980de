// JSON from outside: read to a bounded depth, written whatever bytes it holds.
//
// The library that reads it copies and writes values by recursion: a value nested ever deeper would
// end the process.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace tilesim::sim {

constexpr int deepest_json = 100;

/// Is it nested deeper than anything that tilesim takes?
[[nodiscard]] inline bool is_too_deep(std::string_view text) {
  int depth = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted && c == '\\') {
      ++i;
    } else if (c == '"') {
      quoted = !quoted;
    } else if (!quoted && (c == '{' || c == '[')) {
      if (++depth > deepest_json) {
        return true;
      }
    } else if (!quoted && (c == '}' || c == ']')) {
      --depth;
    }
  }
  return false;
}

/// Discarded (`is_discarded()`) where it is no JSON, or too deep.
[[nodiscard]] inline nlohmann::json parse_json(std::string_view text) {
  return is_too_deep(text) ? nlohmann::json(nlohmann::json::value_t::discarded)
                           : nlohmann::json::parse(text, nullptr, false);
}

/// Valid JSON; bytes that are no UTF-8 become U+FFFD.
[[nodiscard]] inline std::string to_text(const nlohmann::json& value) {
  return value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

} // namespace tilesim::sim
