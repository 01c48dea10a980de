// What the shards of an exploration know together of its threads: of load buffering, which writes
// may be promised is known of all executions together. Shards explore in turns, each with what all
// have come to know in the turn before, until there is nothing new.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tools/explore/report.hpp"

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace tilesim::tools {

/// What parts have to have in common, in words.
[[nodiscard]] std::string origin_of(const explore_report& r);

/// Of all shards: null, if each was given all that they know together and may need.
/// @throws failure: they were given different things, or are not of machines that are alike
[[nodiscard]] nlohmann::ordered_json known_together(const std::vector<std::string>& files,
                                                    const std::vector<explore_report>& parts);

/// `r` is to be explored with what this file tells.
/// @throws failure
void give_known(explore_report& r, const std::string& file);

} // namespace tilesim::tools
