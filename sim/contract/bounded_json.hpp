// JSON from outside: read to a bounded depth, written whatever bytes it holds.
//
// The library that reads it copies and writes values by recursion: a value nested ever deeper would
// end the process.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/contract/json_text.hpp"

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace tilesim::sim {

constexpr int deepest_json = 100;

/// Is it nested deeper than anything that tilesim takes?
[[nodiscard]] bool is_too_deep(std::string_view text);

/// Discarded (`is_discarded()`) where it is no JSON, or too deep.
[[nodiscard]] nlohmann::json parse_json(std::string_view text);

/// What stands at the top of it, of whatever depth it is.
[[nodiscard]] nlohmann::json top_of_json(std::string_view text);

/// Valid JSON; bytes that are no UTF-8 become U+FFFD.
[[nodiscard]] inline std::string to_text(const nlohmann::json& value) {
  return json_text(value);
}

} // namespace tilesim::sim
