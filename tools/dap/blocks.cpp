// Numbers of blocks.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/dap/blocks.hpp"

#include <fmt/format.h>

namespace tilesim::tools::dap {

int blocks::number(const step::protocol::thread& thread) {
  const identity who{.launch = thread.launch,
                     .block = thread.linear,
                     .thread = thread.in_block.value_or(step::coordinates{})};
  const auto [it, is_new] = numbers_.try_emplace(who, host + 1 + static_cast<int>(known_.size()));
  if (is_new) {
    known_.push_back(who);
  }
  return it->second;
}

const blocks::identity* blocks::find(int number) const {
  const auto index = static_cast<std::size_t>(number) - host - 1;
  return number > host && index < known_.size() ? &known_[index] : nullptr;
}

std::string blocks::name(const step::protocol::thread& thread) {
  return name(thread, thread.name);
}

std::string blocks::name(const step::protocol::thread& thread, const std::string& called) {
  return fmt::format("{} of {}{}",
                     called,
                     thread.kernel,
                     thread.launch > 1 ? fmt::format(", launch {}", thread.launch) : "");
}

} // namespace tilesim::tools::dap
