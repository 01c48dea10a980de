// What a frame is called.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>

namespace tilesim::driver::step {

/// Of frame `number` of a block's frames the function `function`, one of those inlined there:
/// "launched" for what a launch was rewritten into.
[[nodiscard]] inline std::string
frame_name(const nlohmann::json& frames, std::size_t number, const nlohmann::json& function) {
  const std::string name = function.at("function");
  const bool launch = number + 1 == frames.size() && number != 0 && name.starts_with("operator()");
  return launch ? "launched" : name;
}

} // namespace tilesim::driver::step
