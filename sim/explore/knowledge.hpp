// What processes that explore shares of one exploration come to know of its threads: runs, writes
// that may be promised, places that are shared. As a message and as a file.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/explore/kernel_threads.hpp"
#include "sim/explore/tally.hpp"

#include <optional>
#include <string>

namespace tilesim::sim::exploring {

/// in_knowledge [sim/contract/exploration_report.hpp].
[[nodiscard]] message to_message(const kernel_threads::news& n);
[[nodiscard]] kernel_threads::news news_of(const message& j);

/// Of a file as `tilesim merge --known` writes it; nothing: none is named.
/// @throws not_explored: it cannot be read
[[nodiscard]] std::optional<message> knowledge_of(const std::string& file);

/// What several processes have come to know together.
/// @throws not_explored: it is of a process whose memory lies elsewhere
/// @throws begin_anew
void learn_all(kernel_threads& threads, const message& known);

} // namespace tilesim::sim::exploring
