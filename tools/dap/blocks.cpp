// Numbers of blocks.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/dap/blocks.hpp"

#include <fmt/format.h>

namespace tilesim::driver::dap {

using nlohmann::json;

int blocks::number(const json& thread) {
  const json in_block = thread.value("thread", json::array({0, 0, 0}));
  const key k{thread.at("launch"), thread.at("linear"), in_block};
  const auto [it, is_new] = numbers_.try_emplace(k, host + 1 + static_cast<int>(requests_.size()));
  if (is_new)
    requests_.push_back(
        {{"launch", thread.at("launch")}, {"block", thread.at("linear")}, {"thread", in_block}});
  return it->second;
}

const json* blocks::find(int number) const {
  const auto index = static_cast<std::size_t>(number) - host - 1;
  return number > host && index < requests_.size() ? &requests_[index] : nullptr;
}

std::string blocks::name(const json& thread) {
  const std::uint64_t launch = thread.at("launch");
  return fmt::format("{} of {}{}",
                     thread.at("name").get<std::string>(),
                     thread.at("kernel").get<std::string>(),
                     launch > 1 ? fmt::format(", launch {}", launch) : "");
}

} // namespace tilesim::driver::dap
