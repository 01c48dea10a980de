// A thread's own state at a poll: the same when nothing has changed, and found once for all who
// ask. SPDX-License-Identifier: Apache-2.0
#include "sim/execution/thread_state.hpp"

#include "sim/core/context.hpp"
#include "sim/core/watcher.hpp"
#include "sim/execution/execution_impl.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <support/catch.hpp>
#include <tests/sim/kernel_fixture.hpp>
#include <vector>

using namespace tilesim;
using namespace tilesim::sim;

namespace {

struct seen_state {
  const void* site;
  std::optional<std::uint64_t> state;
};

/// Looks at each access twice, once with something left out.
class onlooker final : public watcher {
public:
  onlooker(std::vector<seen_state>& states, bool& alike)
      : states_(states)
      , alike_(alike) {}

  [[nodiscard]] wanted_events wants() const override { return {.operations = false}; }
  void memory(const memory_event& e) override {
    constexpr std::array<std::uint64_t, 1> nowhere{0x5ca1ab1e0ddba11};
    const auto state = state_at_poll(*e.thread, e.site).hash();
    const auto without = state_at_poll(*e.thread, e.site, nowhere).hash();
    alike_ = alike_ && state == state_at_poll(*e.thread, e.site).hash() &&
             without.has_value() == state.has_value();
    states_.push_back({e.site, state});
  }

private:
  std::vector<seen_state>& states_;
  bool& alike_;
};

/// As often as that from one place, then from another.
[[gnu::noipa]] void read_often(int* cell, int count) {
  for (int i = 0; i < count; ++i) {
    static_cast<void>(load(cell));
  }
  static_cast<void>(load(cell));
}

} // namespace

TEST_CASE("whoever looks at an access, its frames are walked through once") {
  context c{options{}};
  auto* const cell = static_cast<int*>(c.mem.allocate(memory_kind::managed, sizeof(int), nullptr));
  std::vector<seen_state> states;
  bool alike = true;
  const watcher& w = c.exec->attach(std::make_unique<onlooker>(states, alike));
  const std::uint64_t before = impl_of(*c.exec).frame.walks;
  run_block(c, [=] { read_often(cell, 3); });
  c.exec->detach(w);
  REQUIRE(states.size() == 4);
  CHECK(alike);
  if (!states.front().state) {
    return; // a sanitizer has variables lie elsewhere
  }
  CHECK(impl_of(*c.exec).frame.walks == before + 4);
  CHECK(states[0].state != states[1].state); // it counts
  CHECK(states[0].site == states[2].site);
}
