// An execution of an exploration, for Graphviz.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace tilesim::tools {

/// `picture`: as the program tells it. [sim/explore/picture.hpp]
[[nodiscard]] std::string to_dot(const nlohmann::ordered_json& picture, const std::string& caption);

} // namespace tilesim::tools
