// The schedules of a check, and the strings that replay one of them.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace tilesim::driver {

enum class strategy : unsigned char { round_robin, random, pct };

/// All that decides a run besides the program and its input.
struct schedule {
  strategy how = strategy::round_robin;
  std::uint64_t seed = 0; ///< of the order of blocks, and of random orders of combining
  std::uint64_t fill = 0; ///< of unspecified values
  unsigned depth = 0;     ///< of pct
  unsigned log_steps = 0; ///< of pct: 2 to this power memory operations are expected

  friend bool operator==(const schedule&, const schedule&) = default;
};

/// The `index`th schedule of a check: 0 is that of `tilesim run`, round robin; odd ones are random,
/// even ones pct. `steps` is the number of memory operations of the first run.
[[nodiscard]] schedule
nth_schedule(std::size_t index, std::uint64_t seed, unsigned depth, std::uint64_t steps);

/// "round-robin", "random, seed 7", "pct of depth 3, seed 7".
[[nodiscard]] std::string describe(const schedule& s);

/// Adds the simulator's options for it. [sim/options.cpp]
void set_options(const schedule& s, nlohmann::json& options);

struct replay {
  schedule which;
  std::string program; ///< the hash of the program that it belongs to
};

/// At most 64 characters of [0-9a-z-]: "1-pct3x12-8e3f21aa-8e3f21aa-0f1e2d3c4b5a6978".
/// `program` has 16 characters.
[[nodiscard]] std::string to_string(const replay& r);

/// Nothing if the text is no replay string.
[[nodiscard]] std::optional<replay> parse_replay(std::string_view text);

} // namespace tilesim::driver
