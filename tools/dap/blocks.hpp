// Blocks as the protocol's threads: a number for each that has been seen, kept for the session.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <tuple>
#include <vector>

namespace tilesim::driver::dap {

class blocks {
public:
  /// The host program, while no kernel runs.
  static constexpr int host = 1;

  /// Of a block, or of a thread of a SIMT kernel, as the agent's "thread" or "blocks" describe it.
  int number(const nlohmann::json& thread);

  /// What the agent's "switch" takes to go on with it; nullptr for a number that nobody has.
  [[nodiscard]] const nlohmann::json* find(int number) const;

  /// "block (3,0,0) of histogram", with its thread and its launch where there are several.
  [[nodiscard]] static std::string name(const nlohmann::json& thread);

private:
  using key = std::tuple<std::uint64_t, std::uint64_t, std::vector<std::uint64_t>>;
  std::map<key, int> numbers_;
  std::vector<nlohmann::json> requests_; ///< of number host + 1 and on
};

} // namespace tilesim::driver::dap
