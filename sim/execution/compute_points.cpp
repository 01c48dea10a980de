// Asking the strategy before every operation.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/execution/compute_points.hpp"

#include "sim/core/context.hpp"
#include "sim/execution/execution_impl.hpp"
#include "sim/execution/signals.hpp"

#include <algorithm>

namespace tilesim::sim {

namespace {

class compute_points final : public run_control {
public:
  void before(sim_thread& t, const void* site, const char* /*operation*/, step_kind kind) override {
    execution::impl& state = t.owner->exec->state();
    if (interrupt_requested()) {
      t.site = site;
      state.report_interrupt();
    }
    state.make_way(kind);
  }
  void thread_ended(const sim_thread& /*t*/) override {}
  void allocated(const allocation& /*a*/) override {}
  void ending(const char* /*how*/, int /*status*/) override {}
};

} // namespace

std::unique_ptr<run_control> make_compute_points(const std::vector<turn>& turns) {
  const bool wanted =
      std::ranges::any_of(turns, [](const turn& t) { return t.until && t.until->any; });
  return wanted ? std::make_unique<compute_points>() : nullptr;
}

} // namespace tilesim::sim
