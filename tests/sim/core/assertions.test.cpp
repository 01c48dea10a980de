// Assertions: a bug of tilesim's ends the process with exit code 70, and says where and in what.
//
// SPDX-License-Identifier: Apache-2.0
#include "memmodel/assertion.hpp"
#include "sim/execution/run_desk.hpp"
#include "sim/ops/rearrange.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <support/catch.hpp>
#include <support/ended_process.hpp>
#include <tests/sim/kernel_fixture.hpp>

using namespace tilesim;
using namespace tilesim::sim;
using test::ended_process;
using test::in_a_process;

namespace {

/// A strategy with a bug.
class beyond final : public scheduler {
public:
  std::size_t pick(std::span<const thread_number> runnable, bool /*can_start*/) override {
    return runnable.size() + 7;
  }
  bool preempt() override { return false; }
  std::uint64_t
  block(std::uint64_t /*launch*/, std::uint64_t nth, std::uint64_t /*count*/) override {
    return nth;
  }
  std::string describe() const override { return "beyond"; }
};

} // namespace

TEST_CASE("an assertion that holds does nothing, one that fails tells its values") {
  const ended_process good = in_a_process([] { TILESIM_ASSERT(1 + 1 == 2, 1); });
  CHECK(good.status == 0);
  CHECK(good.said.empty());
  const ended_process bad = in_a_process([] {
    const int chosen = 7;
    const unsigned offered = 3;
    TILESIM_ASSERT(chosen < static_cast<int>(offered), chosen, offered);
  });
  CHECK(bad.status == 70);
  CHECK(bad.said.find("tilesim: internal error: chosen < static_cast<int>(offered) does not hold "
                      "(assertions.test.cpp:") == 0);
  CHECK(bad.said.find("): chosen, offered = 7, 3\n") != std::string::npos);
  CHECK(bad.said.find("please report it") != std::string::npos);
}

TEST_CASE("a strategy that chooses nobody is told, not followed") {
  const ended_process p = in_a_process([] {
    context c{options{}};
    c.exec->desk().strategy = std::make_unique<beyond>();
    run_block(c, [] {});
  });
  CHECK(p.status == 70);
  CHECK(p.said.find(": choice, offered, startable = 7, 0, 1\n  in host code\n") !=
        std::string::npos);
}

TEST_CASE("an operation whose caller breaks its promise names the operation and the block") {
  const ended_process p = in_a_process([] {
    context c{options{}};
    run_block(c, [] {
      static constexpr std::uint32_t four[] = {4};
      constexpr machine::tile_type i32x4{element::i32, element::i32, 0, false, false, 1, 4, four};
      std::array<std::int32_t, 4> cells{};
      // In place: results share no byte with operands.
      const machine::in operand{&i32x4, cells.data()};
      machine::elementwise(machine::opcode::negi, {}, {&i32x4, cells.data()}, &operand, 1);
    });
  });
  CHECK(p.status == 70);
  CHECK(p.said.find("ops::apart(result, operands[i]) does not hold") != std::string::npos);
  CHECK(p.said.find("  in operation 1 of tile block (0,0,0) of kernel, at ") != std::string::npos);
}

TEST_CASE("the shapes of rearrangements are the caller's promise") {
  static constexpr std::uint32_t e23[] = {2, 3};
  static constexpr std::uint32_t e32[] = {3, 2};
  constexpr machine::tile_type a{element::i32, element::i32, 0, false, false, 2, 6, e23};
  constexpr machine::tile_type b{element::i32, element::i32, 0, false, false, 2, 6, e32};
  std::array<std::int32_t, 6> from{};
  std::array<std::int32_t, 6> to{};
  const std::int64_t swapped[] = {1, 0};
  const std::int64_t twice[] = {1, 1};
  CHECK(in_a_process([&] {
          ops::permute({&b, to.data()}, {&a, from.data()}, swapped);
        }).status == 0);
  CHECK(in_a_process([&] {
          ops::permute({&b, to.data()}, {&a, from.data()}, twice);
        }).status == 70);
  CHECK(in_a_process([&] { ops::broadcast({&b, to.data()}, {&a, from.data()}); }).status == 70);
}
