// A schedule as options of the simulator.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/cli/schedule_options.hpp"

#include "sim/contract/option_table.hpp"

#include <nlohmann/json.hpp>

namespace tilesim::tools {

using namespace sim::option_literals;

using sim::strategy;

void set_options(const sim::schedule& s, nlohmann::json& options) {
  options["schedule"_option] = sim::name_of(s.how);
  options["seed"_option] = s.seed;
  options["fill"_option] = s.fill;
  if (s.how == strategy::pct) {
    options["depth"_option] = s.depth;
    options["steps"_option] = std::uint64_t{1} << s.log_steps;
    options["at_once"_option] = s.at_once;
  }
  if (s.how == strategy::turns && !s.turns.empty()) {
    options["turns"_option] = sim::to_string(s.turns);
  }
  options.erase("stale"_option); // of another schedule
  options.erase("weak"_option);
  options.erase("launches_wait"_option);
  if (s.launches_wait) {
    options["launches_wait"_option] = true;
  }
  if (!s.stale.empty()) {
    options["stale"_option] = sim::to_string(s.stale);
  } else if (s.weak) {
    options["weak"_option] = true;
  }
}

} // namespace tilesim::tools
