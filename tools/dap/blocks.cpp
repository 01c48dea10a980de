// Numbers of blocks.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/dap/blocks.hpp"

#include <fmt/format.h>

namespace tilesim::driver::dap {

using nlohmann::json;

int blocks::number(const json& thread) {
  const identity who{.launch = thread.at("launch"),
                     .block = thread.at("linear"),
                     .thread = thread.value("thread", step::coordinates{})};
  const auto [it, is_new] = numbers_.try_emplace(who, host + 1 + static_cast<int>(known_.size()));
  if (is_new)
    known_.push_back(who);
  return it->second;
}

const blocks::identity* blocks::find(int number) const {
  const auto index = static_cast<std::size_t>(number) - host - 1;
  return number > host && index < known_.size() ? &known_[index] : nullptr;
}

std::string blocks::name(const json& thread) {
  const std::uint64_t launch = thread.at("launch");
  return fmt::format("{} of {}{}",
                     thread.at("name").get<std::string>(),
                     thread.at("kernel").get<std::string>(),
                     launch > 1 ? fmt::format(", launch {}", launch) : "");
}

} // namespace tilesim::driver::dap
