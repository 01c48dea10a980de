// The one place where JSON is parsed and printed.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/contract/json_text.hpp"

#include <nlohmann/json.hpp>

namespace tilesim::sim {

namespace {

template <class Json>
std::string text_of(const Json& value, int indent) {
  return value.dump(indent, ' ', false, Json::error_handler_t::replace);
}

} // namespace

nlohmann::json read_json(std::string_view text) {
  return nlohmann::json::parse(text, nullptr, false);
}

nlohmann::ordered_json read_ordered_json(std::string_view text) {
  return nlohmann::ordered_json::parse(text, nullptr, false);
}

nlohmann::json json_of(std::string_view text) {
  return nlohmann::json::parse(text);
}

nlohmann::ordered_json ordered_json_of(std::string_view text) {
  return nlohmann::ordered_json::parse(text);
}

std::string json_text(const nlohmann::json& value, int indent) {
  return text_of(value, indent);
}

std::string json_text(const nlohmann::ordered_json& value, int indent) {
  return text_of(value, indent);
}

bool is_too_deep(std::string_view text) {
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

nlohmann::json top_of_json(std::string_view text) {
  const auto top = [](int depth, nlohmann::json::parse_event_t, nlohmann::json&) {
    return depth < 2;
  };
  return nlohmann::json::parse(text, top, false);
}

nlohmann::json parse_json(std::string_view text) {
  return is_too_deep(text) ? nlohmann::json(nlohmann::json::value_t::discarded) : read_json(text);
}

} // namespace tilesim::sim
