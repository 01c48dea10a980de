// A thread's own state at a poll: the same when nothing has changed, and found once for all who
// ask. SPDX-License-Identifier: Apache-2.0
#include "sim/execution/thread_state.hpp"

#include "sim/core/context.hpp"
#include "sim/core/watcher.hpp"
#include "sim/execution/execution_impl.hpp"
#include "sim/execution/launch_taker.hpp"
#include "sim/execution/lone_runs.hpp"

#include <array>
#include <cfenv>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
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

/// Runs the only thread of a launch again and again, as an exploration does; before the last time
/// the host has come upon a result that is not exact.
class again_and_again final : public launch_taker {
public:
  void take(lone_runs& threads) override {
    for (int run = 0; run < 3; ++run) {
      std::feclearexcept(FE_ALL_EXCEPT);
      volatile double third = 3;
      third = run == 2 ? 1 / third : 1;
      CHECK((std::fetestexcept(FE_INEXACT) != 0) == (run == 2));
      threads.begin(0);
      REQUIRE(threads.resume(0) == lone_runs::stop::ended);
    }
    std::feclearexcept(FE_ALL_EXCEPT);
  }
  void meets(sim_thread& /*t*/, const void* /*site*/, const gathering& /*where*/) override {}
  void exchanges(sim_thread& /*t*/,
                 const void* /*site*/,
                 std::uint64_t /*point*/,
                 std::uint32_t /*own*/,
                 std::span<exchanged> /*with*/) override {}
  void refuses(sim_thread& /*t*/, const std::string& /*what*/) override {}
  void go_on() override {}
};

} // namespace

TEST_CASE("what the host has come upon in floating point is no part of a thread's state") {
  context c{options{}};
  auto* const cell = static_cast<int*>(c.mem.allocate(memory_kind::managed, sizeof(int), nullptr));
  std::vector<seen_state> states;
  bool alike = true;
  again_and_again taker;
  take_launches(c, taker);
  const watcher& w = c.exec->attach(std::make_unique<onlooker>(states, alike));
  run_block(c, [=] { static_cast<void>(load(cell)); });
  c.exec->detach(w);
  REQUIRE(states.size() == 3);
  CHECK(states[1].state == states[0].state);
  CHECK(states[2].state == states[0].state);
}

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
