// Reductions, scans and products of matrices inside a run: findings, watchers, the order option.
// SPDX-License-Identifier: Apache-2.0
#include "sim/core/watcher.hpp"

#include <tilesim/detail/machine.hpp>

#include <array>
#include <cstdint>
#include <set>
#include <string>
#include <support/catch.hpp>
#include <tests/sim/kernel_fixture.hpp>
#include <vector>

using namespace tilesim;
using namespace tilesim::sim;
using machine::opcode;

namespace {

constexpr std::uint32_t shape2x4[] = {2, 4};
constexpr std::uint32_t shape2x1[] = {2, 1};
constexpr std::uint32_t shape64[] = {64};
constexpr std::uint32_t shape1[] = {1};
constexpr std::uint32_t shape1x64[] = {1, 64};
constexpr std::uint32_t shape64x1[] = {64, 1};
constexpr std::uint32_t shape1x1[] = {1, 1};
constexpr machine::tile_type i32x2x4{element::i32, element::i32, 0, false, false, 2, 8, shape2x4};
constexpr machine::tile_type i32x2x1{element::i32, element::i32, 0, false, false, 2, 2, shape2x1};
constexpr machine::tile_type f32x64{element::f32, element::f32, 0, false, false, 1, 64, shape64};
constexpr machine::tile_type f32x1{element::f32, element::f32, 0, false, false, 1, 1, shape1};
constexpr machine::tile_type f32x1x64{
    element::f32, element::f32, 0, false, false, 2, 64, shape1x64};
constexpr machine::tile_type f32x64x1{
    element::f32, element::f32, 0, false, false, 2, 64, shape64x1};
constexpr machine::tile_type f32x1x1{element::f32, element::f32, 0, false, false, 2, 1, shape1x1};

constexpr machine::combination checked_sum{opcode::addi,
                                           {.wrap = machine::overflow::no_signed_wrap}};
constexpr machine::combination checked_product{opcode::muli,
                                               {.wrap = machine::overflow::no_signed_wrap}};
constexpr machine::combination wrapping_sum{opcode::addi, {}};
constexpr machine::combination float_sum{opcode::addf, {}};

using rows = std::array<std::int32_t, 8>;

struct outcome {
  std::vector<std::string> messages;
  std::vector<std::string> details;
};

outcome found(const context& c) {
  outcome o;
  for (const finding& f : c.found.all().findings) {
    o.messages.push_back(f.message);
    o.details = f.details;
  }
  return o;
}

outcome
reduce_rows(const machine::combination& how, const rows& x, std::array<std::int32_t, 2>& sums) {
  context c{options{}};
  run_block(c, [&] { machine::reduce(how, {&i32x2x1, sums.data()}, {&i32x2x4, x.data()}, 1); });
  return found(c);
}

outcome scan_rows(const machine::combination& how, bool reverse, const rows& x, rows& sums) {
  context c{options{}};
  run_block(c, [&] {
    machine::scan(how, reverse, {&i32x2x4, sums.data()}, {&i32x2x4, x.data()}, 1);
  });
  return found(c);
}

} // namespace

// [reductions and scans] "if any order … would be undefined": the sum fits, in this order even
// every partial sum does, yet 2147483647 and 1 may meet first.
TEST_CASE("a sum that overflows in some order is a finding, and wraps") {
  std::array<std::int32_t, 2> sums{};
  const outcome o = reduce_rows(checked_sum, {1, 2, 3, 4, INT32_MAX, -1, 1, 0}, sums);
  CHECK(sums == std::array<std::int32_t, 2>{10, INT32_MAX});
  REQUIRE(o.messages.size() == 1);
  CHECK(o.messages[0] == "reduction overflow: the positive elements of reduce along dimension 1 "
                         "add up to more than 2147483647");
  CHECK(o.details ==
        std::vector<std::string>{"elements (1,*) of an i32 tile [2x4]: 2147483647, -1, 1, 0",
                                 "by tile block (0,0,0) of kernel"});
}

TEST_CASE("sums that fit in every order, and sums that may wrap, are no findings") {
  std::array<std::int32_t, 2> sums{};
  CHECK(reduce_rows(checked_sum, {1, 2, 3, 4, INT32_MAX, -1, 0, 0}, sums).messages.empty());
  CHECK(reduce_rows(wrapping_sum, {1, 2, 3, 4, INT32_MAX, -1, 1, 1}, sums).messages.empty());
  CHECK(sums == std::array<std::int32_t, 2>{10, INT32_MIN});
}

TEST_CASE("negative sums and products overflow, too") {
  std::array<std::int32_t, 2> sums{};
  outcome o = reduce_rows(checked_sum, {INT32_MIN, -1, 0, 5, 0, 0, 0, 0}, sums);
  REQUIRE(o.messages.size() == 1);
  CHECK(o.messages[0].find(
            "the negative elements of reduce along dimension 1 add up to less than -2147483648") !=
        std::string::npos);
  o = reduce_rows(checked_product, {1, 1, 1, 1, 65536, 65536, 0, 1}, sums);
  REQUIRE(o.messages.size() == 1); // before the zero takes part
  CHECK(o.messages[0].find(
            "elements of reduce along dimension 1 have a product that does not fit i32") !=
        std::string::npos);
  CHECK(o.details[0] == "elements (1,*) of an i32 tile [2x4]: 65536, 65536, 0, 1");
  CHECK(reduce_rows(checked_product, {1, 1, 1, 1, 65536, 32767, 0, 1}, sums).messages.empty());
}

// A scan keeps the order of its elements, so only neighbours count.
TEST_CASE("a scan overflows where a run of neighbours does") {
  rows sums{};
  outcome o = scan_rows(checked_sum, false, {1, 2, 3, 4, -5, INT32_MAX, 1, 0}, sums);
  CHECK(sums == rows{1, 3, 6, 10, -5, INT32_MAX - 5, INT32_MAX - 4, INT32_MAX - 4});
  REQUIRE(o.messages.size() == 1);
  CHECK(o.messages[0] == "reduction overflow: elements 1 to 2 of scan along dimension 1 add "
                         "up to more than 2147483647");
  CHECK(scan_rows(checked_sum, false, {1, 2, 3, 4, INT32_MAX, -5, 1, 0}, sums).messages.empty());
  CHECK(scan_rows(checked_sum, true, {1, 2, 3, 4, INT32_MAX, -5, 1, 0}, sums).messages.empty());
  CHECK(sums == rows{10, 9, 7, 4, INT32_MAX - 4, -4, 1, 0});
}

TEST_CASE("long lanes are named by their first elements") {
  std::array<std::int32_t, 64> x{};
  x.fill(1 << 30);
  constexpr machine::tile_type from{element::i32, element::i32, 0, false, false, 1, 64, shape64};
  constexpr machine::tile_type to{element::i32, element::i32, 0, false, false, 1, 1, shape1};
  context c{options{}};
  std::int32_t sum = 0;
  run_block(c, [&] { machine::reduce(checked_sum, {&to, &sum}, {&from, x.data()}, 0); });
  REQUIRE(found(c).details.size() == 2);
  CHECK(found(c).details[0].find("1073741824, … (64 elements)") != std::string::npos);
}

namespace {

struct seer final : sim::watcher {
  void operation(const operation_event& e) override {
    seen.push_back(e.op);
    by_order.push_back(e.depends_on_order());
    operands.push_back(e.operand_count);
  }
  std::vector<opcode> seen;
  std::vector<bool> by_order;
  std::vector<unsigned> operands;
};

std::array<float, 64> fractions() {
  std::array<float, 64> x{};
  for (std::size_t k = 0; k < x.size(); ++k) {
    x[k] = 1.0F / static_cast<float>(k + 3);
  }
  return x;
}

} // namespace

TEST_CASE("a watcher sees each as one operation, and whether the order matters") {
  context c{options{}};
  auto owned = std::make_unique<seer>();
  seer& w = *owned;
  c.exec->attach(std::move(owned));
  run_block(c, [] {
    const auto x = fractions();
    std::array<float, 64> prefix{};
    const rows numbers{};
    std::array<std::int32_t, 2> sums{};
    float sum = 0;
    machine::reduce(float_sum, {&f32x1, &sum}, {&f32x64, x.data()}, 0);
    machine::reduce({opcode::maxf, {}}, {&f32x1, &sum}, {&f32x64, x.data()}, 0);
    machine::reduce(checked_sum, {&i32x2x1, sums.data()}, {&i32x2x4, numbers.data()}, 1);
    machine::reduce_index(
        {opcode::maxi, {}}, {&i32x2x1, sums.data()}, {&i32x2x4, numbers.data()}, 1);
    machine::scan(float_sum, false, {&f32x64, prefix.data()}, {&f32x64, x.data()}, 0);
    machine::mma(opcode::mmaf,
                 {},
                 {},
                 {&f32x1x1, &sum},
                 {&f32x1x64, x.data()},
                 {&f32x64x1, x.data()},
                 {&f32x1x1, x.data()});
  });
  CHECK(w.seen == std::vector<opcode>{opcode::reduce,
                                      opcode::reduce,
                                      opcode::reduce,
                                      opcode::reduce,
                                      opcode::scan,
                                      opcode::mmaf});
  CHECK(w.by_order == std::vector<bool>{true, false, false, false, true, true});
  CHECK(w.operands == std::vector<unsigned>{1, 1, 1, 1, 1, 3});
}

// --order random --seed S: another order for each operation, the same ones for the same seed.
TEST_CASE("the order of combining is an option") {
  const auto sums = [](bool random, std::uint64_t seed) {
    options o;
    o.random_order = random;
    o.seed = seed;
    context c{o};
    std::vector<float> results;
    run_block(c, [&] {
      const auto x = fractions();
      std::array<float, 64> prefix{};
      for (int turn = 0; turn < 8; ++turn) {
        float sum = 0, product = 0;
        const float zero = 0;
        machine::reduce(float_sum, {&f32x1, &sum}, {&f32x64, x.data()}, 0);
        machine::scan(float_sum, false, {&f32x64, prefix.data()}, {&f32x64, x.data()}, 0);
        machine::mma(opcode::mmaf,
                     {},
                     {},
                     {&f32x1x1, &product},
                     {&f32x1x64, x.data()},
                     {&f32x64x1, x.data()},
                     {&f32x1x1, &zero});
        results.insert(results.end(), {sum, prefix[63], product});
      }
    });
    CHECK(c.found.all().findings.empty());
    return results;
  };
  const auto fixed = sums(false, 1);
  CHECK(fixed == sums(false, 2));
  CHECK(std::set<float>(fixed.begin(), fixed.end()).size() <= 3);
  CHECK(sums(true, 1) == sums(true, 1));
  CHECK(sums(true, 1) != sums(true, 2));
  const auto random = sums(true, 1);
  CHECK(std::set<float>(random.begin(), random.end()).size() > 4);
}
