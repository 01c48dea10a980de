// Who accesses memory, as the detector numbers them.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/engines/agents.hpp"

#include "sim/core/context.hpp"
#include "sim/core/thread.hpp"
#include "sim/engines/race_report.hpp"

namespace tilesim::sim {

detect::agent_id agents::of(const sim_thread& t) {
  return static_cast<detect::agent_id>((t.copies ? t.launch->first_copier : t.launch->first_agent) +
                                       t.linear_thread());
}

detect::agent_id agents::of(const accessor& who) {
  if (who.thread != nullptr) {
    return of(*who.thread);
  }
  const work_order& order = *who.at;
  const auto [known, added] = host_.try_emplace({order.lane, order.number}, 0);
  if (added) {
    const bool host = who.by == nullptr;
    known->second =
        detector_.begin_task(order, 1, 1, host ? detect::task_kind::host : detect::task_kind::tile);
    races_.task_begins(
        {.kernel = {},
         .by = host ? "the host" : who.by,
         .launch = 0,
         .host = host,
         .function = host && order.lane != 0 ? context_.running_function : std::nullopt});
  }
  return known->second;
}

} // namespace tilesim::sim
