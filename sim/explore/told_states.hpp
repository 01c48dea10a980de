// States as an exploration tells them.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/contract/schedule_string.hpp"
#include "sim/execution/launch_taker.hpp"
#include "sim/explore/observed.hpp"
#include "sim/explore/tally.hpp"

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace tilesim::sim {
class context;
}

namespace tilesim::sim::exploring {

/// Memory holds from now on what it holds at that end.
void set_memory(context& c, const final_memory& state);
/// Of a shard: [how often each counts, their names one after the other], in hexadecimal: others may
/// have found them, too.
[[nodiscard]] nlohmann::ordered_json names_of(const shown_executions& s, std::uint64_t times);
/// in_exploration::again: of what has been explored, of nothing, of two together.
[[nodiscard]] nlohmann::ordered_json again_of(const tally& t);
[[nodiscard]] nlohmann::ordered_json none_again();
[[nodiscard]] nlohmann::ordered_json both_again(nlohmann::ordered_json one,
                                                const nlohmann::ordered_json& other);

/// The schedule's string; null: there is none.
[[nodiscard]] nlohmann::ordered_json text_or_null(const std::optional<schedule>& s);

/// The buffers that some state has written, or whose names are wanted; `all`: also those that none
/// has. Variables of the program stand behind them. Adds the names of all that there are.
[[nodiscard]] std::vector<observed> buffers_of(context& c,
                                               const std::vector<final_memory>& states,
                                               const std::vector<std::string>& wanted,
                                               bool all,
                                               std::set<std::string>& names);
/// What these buffers hold then, by name. The caller has access to them.
[[nodiscard]] nlohmann::ordered_json values_of(const std::vector<observed>& buffers,
                                               const final_memory& state);

/// Adds it to the others, or to the one among them that is the same.
void unite_finding(nlohmann::ordered_json& all, const nlohmann::ordered_json& f);

/// For whoever judges them. `whole`: there are no others.
[[nodiscard]] found_ends
ends_of(std::vector<final_memory>& states, std::uint64_t executions, bool whole);

} // namespace tilesim::sim::exploring
