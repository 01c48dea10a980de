// JSON from text and to text, for everyone.
//
// Not of the library's own functions where it is used: each unit would compile its parser and its
// printer anew, which takes seconds. And the library copies and writes values by recursion: what
// comes from outside is read to a bounded depth, or one nested ever deeper would end the process.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace tilesim::sim {

// --- What others have written.

constexpr int deepest_json = 100;

/// Is it nested deeper than anything that tilesim takes?
[[nodiscard]] bool is_too_deep(std::string_view text);
/// Discarded (`is_discarded()`) where it is no JSON, or too deep.
[[nodiscard]] nlohmann::json parse_json(std::string_view text);
/// What stands at the top of it, of whatever depth it is.
[[nodiscard]] nlohmann::json top_of_json(std::string_view text);

// --- What tilesim has written.

/// Discarded where it is no JSON.
[[nodiscard]] nlohmann::json read_json(std::string_view text);
[[nodiscard]] nlohmann::ordered_json read_ordered_json(std::string_view text);
/// Throws nlohmann::json::parse_error where it is no JSON.
[[nodiscard]] nlohmann::json json_of(std::string_view text);
[[nodiscard]] nlohmann::ordered_json ordered_json_of(std::string_view text);

/// Valid JSON, whatever bytes it holds: those that are no UTF-8 become U+FFFD. In one line, or one
/// a value, indented by so many blanks a level.
[[nodiscard]] std::string json_text(const nlohmann::json& value, int indent = -1);
[[nodiscard]] std::string json_text(const nlohmann::ordered_json& value, int indent = -1);

} // namespace tilesim::sim
