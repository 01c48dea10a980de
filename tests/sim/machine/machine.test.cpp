// The machine's checks and its memory operations: masks, padding, promises, undefined elements.
// SPDX-License-Identifier: Apache-2.0
#include "sim/core/watcher.hpp"

#include <tilesim/detail/machine.hpp>

#include <array>
#include <cstdint>
#include <string>
#include <support/catch.hpp>
#include <tests/sim/kernel_fixture.hpp>
#include <vector>

using namespace tilesim;
using namespace tilesim::sim;
using machine::assumption;

namespace {

constexpr std::uint32_t shape4[] = {4};
constexpr std::uint32_t shape2x4[] = {2, 4};
constexpr machine::tile_type i32x4{element::i32, element::i32, 0, false, false, 1, 4, shape4};
constexpr machine::tile_type u32x4{element::i32, element::i32, 0, true, false, 1, 4, shape4};
constexpr machine::tile_type i32x2x4{element::i32, element::i32, 0, false, false, 2, 8, shape2x4};
constexpr machine::tile_type bool4{element::i1, element::i1, 0, true, false, 1, 4, shape4};
constexpr machine::tile_type bool1{element::i1, element::i1, 0, true, true, 0, 1, nullptr};
constexpr machine::tile_type ptr4{element::ptr, element::i32, 4, false, false, 1, 4, shape4};

using ints = std::array<std::int32_t, 4>;
using pointers = std::array<std::int32_t*, 4>;
using bools = std::array<std::uint8_t, 4>;

std::int32_t* make_ints(context& c, std::initializer_list<std::int32_t> values) {
  auto* p = static_cast<std::int32_t*>(
      c.mem.allocate(memory_kind::managed, values.size() * sizeof(std::int32_t), nullptr));
  std::copy(values.begin(), values.end(), p);
  return p;
}

pointers each(std::int32_t* p) {
  return {p, p + 1, p + 2, p + 3};
}

std::vector<std::string> messages(const context& c) {
  std::vector<std::string> result;
  for (const finding& f : c.found.all().findings) {
    result.push_back(f.message);
  }
  return result;
}

} // namespace

// [memory operations: load operations] The reference's own example.
TEST_CASE("a masked load takes its padding where the mask is false") {
  context c{options{}};
  auto* data = make_ints(c, {2, 7, 5, 8});
  ints got{};
  run_block(c, [&] {
    const pointers p = each(data);
    const bools mask{1, 0, 0, 1};
    const ints padding{-7, -3, -22, -100};
    const machine::in m{&bool4, mask.data()};
    const machine::in pad{&i32x4, padding.data()};
    machine::load_ptr_tko({}, {&i32x4, got.data()}, {&ptr4, p.data()}, &m, &pad);
  });
  CHECK(got == ints{2, -3, -22, 8});
}

TEST_CASE("a mask of one element stands for all") {
  context c{options{}};
  auto* data = make_ints(c, {1, 2, 3, 4});
  const std::uint8_t bit = GENERATE(std::uint8_t{0}, std::uint8_t{1});
  ints got{};
  run_block(c, [&] {
    const pointers p = each(data);
    const ints padding{9, 9, 9, 9};
    const machine::in m{&bool1, &bit};
    const machine::in pad{&i32x4, padding.data()};
    machine::load_ptr_tko({}, {&i32x4, got.data()}, {&ptr4, p.data()}, &m, &pad);
  });
  CHECK(got == (bit != 0 ? ints{1, 2, 3, 4} : ints{9, 9, 9, 9}));
}

// "the value is unspecified": the same for the same seed, another for another.
TEST_CASE("a masked-out element without padding is drawn from the seed") {
  const auto load_nothing = [](std::uint64_t seed) {
    options o;
    o.seed = seed;
    context c{o};
    auto* data = make_ints(c, {1, 2, 3, 4});
    ints got{};
    run_block(c, [&] {
      const pointers p = each(data);
      const bools mask{0, 1, 0, 0};
      const machine::in m{&bool4, mask.data()};
      machine::load_ptr_tko({}, {&i32x4, got.data()}, {&ptr4, p.data()}, &m, nullptr);
    });
    CHECK(got[1] == 2);
    return got;
  };
  CHECK(load_nothing(1) == load_nothing(1));
  CHECK(load_nothing(1) != load_nothing(2));
}

TEST_CASE("masked-out pointers are not looked at") {
  context c{options{}};
  auto* data = make_ints(c, {0, 1, 2, 3});
  run_block(c, [&] {
    const pointers p{data, nullptr, reinterpret_cast<std::int32_t*>(3), data + 3};
    const bools mask{1, 0, 0, 1};
    const ints value{-1, -1, -1, -1};
    const machine::in m{&bool4, mask.data()};
    machine::store_ptr_tko({}, {&ptr4, p.data()}, {&i32x4, value.data()}, &m);
  });
  CHECK(std::vector<std::int32_t>(data, data + 4) == std::vector<std::int32_t>{-1, 1, 2, -1});
  CHECK(c.found.all().findings.empty());
}

TEST_CASE("a kernel may use its own variables and the program's") {
  static std::int32_t global[4] = {1, 2, 3, 4};
  context c{options{}};
  ints got{};
  run_block(c, [&] {
    std::int32_t local[4] = {5, 6, 7, 8};
    const pointers p{&global[3], &local[0], &local[3], &global[0]};
    machine::load_ptr_tko({}, {&i32x4, got.data()}, {&ptr4, p.data()}, nullptr, nullptr);
  });
  CHECK(got == ints{4, 5, 8, 1});
}

// [memory operations: atomic_compare_exchange]
TEST_CASE("compare-exchange returns what it compared, and cmp where masked out") {
  context c{options{}};
  auto* data = make_ints(c, {0, 1, 0, 1});
  ints old{};
  run_block(c, [&] {
    const pointers p = each(data);
    const ints cmp{0, 0, 0, 5};
    const ints val{42, 42, 42, 42};
    const bools mask{1, 1, 1, 0};
    const machine::in m{&bool4, mask.data()};
    machine::atomic_cas_tko({machine::memory_order::relaxed, machine::memory_scope::device},
                            {&i32x4, old.data()},
                            {&ptr4, p.data()},
                            {&i32x4, cmp.data()},
                            {&i32x4, val.data()},
                            &m);
  });
  CHECK(old == ints{0, 1, 0, 5});
  CHECK(std::vector<std::int32_t>(data, data + 4) == std::vector<std::int32_t>{42, 1, 42, 1});
}

// [memory operations: atomic_add] Every element counts, also on one address.
TEST_CASE("atomic additions on one address all arrive") {
  context c{options{}};
  auto* data = make_ints(c, {10});
  ints old{};
  run_block(c, [&] {
    const pointers p{data, data, data, data};
    const ints value{1, 2, 3, 4};
    machine::atomic_rmw_tko({machine::memory_order::relaxed, machine::memory_scope::device},
                            machine::rmw_mode::add,
                            machine::signedness::signed_,
                            {&i32x4, old.data()},
                            {&ptr4, p.data()},
                            {&i32x4, value.data()},
                            nullptr);
  });
  CHECK(*data == 20);
  CHECK(old == ints{10, 11, 13, 16});
}

TEST_CASE("a signed atomic addition that overflows is a finding, an unsigned one wraps") {
  context c{options{}};
  const bool is_signed = GENERATE(true, false);
  auto* data = make_ints(c, {INT32_MAX, 0, 0, 0});
  run_block(c, [&] {
    const pointers p = each(data);
    const ints value{1, 1, 1, 1};
    ints old{};
    machine::atomic_rmw_tko({machine::memory_order::relaxed, machine::memory_scope::device},
                            machine::rmw_mode::add,
                            is_signed ? machine::signedness::signed_
                                      : machine::signedness::unsigned_,
                            {is_signed ? &i32x4 : &u32x4, old.data()},
                            {&ptr4, p.data()},
                            {is_signed ? &i32x4 : &u32x4, value.data()},
                            nullptr);
  });
  CHECK(*data == INT32_MIN);
  if (is_signed) {
    CHECK(messages(c) == std::vector<std::string>{
                             "atomic overflow: atomic_add of 1 to 2147483647 does not fit i32"});
  } else {
    CHECK(messages(c).empty());
  }
}

// [arithmetic operations: addition] undefined beside defined.
TEST_CASE("signed overflow is named by element and operands") {
  context c{options{}};
  ints sum{};
  run_block(c, [&] {
    const ints a{1, INT32_MAX, 3, 4};
    const ints b{1, 1, 1, 1};
    const machine::in operands[] = {{&i32x4, a.data()}, {&i32x4, b.data()}};
    machine::elementwise(machine::opcode::addi,
                         {.wrap = machine::overflow::no_signed_wrap},
                         {&i32x4, sum.data()},
                         operands,
                         2);
    machine::elementwise(machine::opcode::addi, {}, {&i32x4, sum.data()}, operands, 2);
  });
  CHECK(sum == ints{2, INT32_MIN, 4, 5}); // and goes on with what hardware gives
  REQUIRE(c.found.all().findings.size() == 1);
  const finding& f = c.found.all().findings.front();
  CHECK(f.message == "signed overflow: 2147483647 + 1 does not fit i32");
  CHECK(f.details == std::vector<std::string>{
                         "element (1) of an i32 tile [4], by tile block (0,0,0) of kernel"});
}

namespace {

struct undefined_row {
  const char* name;
  machine::opcode op;
  machine::attributes modes;
  const machine::tile_type* type;
  ints a, b;
  std::vector<std::string> messages;
};

machine::attributes wrapping(machine::overflow wrap) {
  return {.sign = machine::signedness::signed_, .wrap = wrap};
}

machine::attributes spelled(machine::rounding round, const char* spelling = nullptr) {
  return {.round = round, .written = {.spelling = spelling}};
}

} // namespace

// Without a spelling an operation has C++'s operator, which is what another front door shows.
TEST_CASE("findings of undefined elements, as the machine words them") {
  using machine::opcode;
  using machine::overflow;
  using machine::rounding;
  const undefined_row r = GENERATE(values<undefined_row>({
      {"Tile IR's no_unsigned_wrap",
       opcode::addi,
       wrapping(overflow::no_unsigned_wrap),
       &u32x4,
       {-1, 0, 0, 0},
       {1, 0, 0, 0},
       {"unsigned overflow: 4294967295 + 1 does not fit u32"}},
      {"its neighbour",
       opcode::addi,
       wrapping(overflow::no_unsigned_wrap),
       &u32x4,
       {-1, 0, 0, 0},
       {0, 0, 0, 0},
       {}},
      {"both flags, each reading in another element",
       opcode::muli,
       wrapping(overflow::no_wrap),
       &i32x4,
       {INT32_MAX, -1, 3, 4},
       {2, 1, 1, 1},
       {"signed overflow: 2147483647 * 2 does not fit i32"}},
      {"both flags, unsigned alone",
       opcode::subi,
       wrapping(overflow::no_wrap),
       &u32x4,
       {1, 1, 1, 1},
       {1, 2, 1, 1},
       {"unsigned overflow: 1 - 2 does not fit u32"}},
      {"division rounded up",
       opcode::divi,
       spelled(rounding::positive_inf),
       &i32x4,
       {1, 1, 1, 1},
       {1, 0, 1, 0},
       {"division by zero: ceildiv(1, 0)"}},
      {"division rounded down",
       opcode::divi,
       spelled(rounding::negative_inf),
       &i32x4,
       {INT32_MIN, 1, 1, 1},
       {-1, 1, 1, 1},
       {"unrepresentable quotient: floordiv(-2147483648, -1) does not fit i32"}},
      {"with a spelling of the program's",
       opcode::divi,
       spelled(rounding::zero, "div"),
       &i32x4,
       {1, 1, 1, 1},
       {1, 0, 1, 0},
       {"division by zero: div(1, 0)"}},
  }));
  CAPTURE(r.name);
  context c{options{}};
  run_block(c, [&] {
    ints got{};
    const machine::in operands[] = {{r.type, r.a.data()}, {r.type, r.b.data()}};
    machine::elementwise(r.op, r.modes, {r.type, got.data()}, operands, 2);
  });
  CHECK(messages(c) == r.messages);
}

namespace {

/// What a run reports of 1 / 0 and the minimum / -1, in three turns at one place.
std::vector<std::string> reported(const options& o, std::uint64_t* times = nullptr) {
  context c{o};
  run_block(c, [&] {
    const ints a{1, INT32_MIN, 5, INT32_MIN};
    const ints b{0, -1, 0, 2};
    const machine::in operands[] = {{&i32x4, a.data()}, {&i32x4, b.data()}};
    ints got{};
    for (int turn = 0; turn < 3; ++turn) {
      machine::elementwise(machine::opcode::divi, {}, {&i32x4, got.data()}, operands, 2);
    }
    CHECK(got == ints{-1, INT32_MIN, -1, INT32_MIN / 2});
  });
  if (times != nullptr && !c.found.all().findings.empty()) {
    *times = c.found.all().findings.front().count;
  }
  return messages(c);
}

options without(std::initializer_list<finding_kind> kinds) {
  options o;
  for (const finding_kind k : kinds) {
    o.reported.reset(static_cast<std::size_t>(k));
  }
  return o;
}

} // namespace

TEST_CASE("kinds are reported one by one, each once for a place, and counted") {
  const std::string zero = "division by zero: 1 / 0";
  const std::string quotient = "unrepresentable quotient: -2147483648 / -1 does not fit i32";
  std::uint64_t times = 0;
  CHECK(reported({}, &times) == std::vector<std::string>{zero, quotient});
  CHECK(times == 3);
  CHECK(reported(without({finding_kind::division_by_zero}), &times) ==
        std::vector<std::string>{quotient});
  CHECK(times == 3);
  CHECK(reported(without({finding_kind::unrepresentable_quotient})) ==
        std::vector<std::string>{zero});
  CHECK(reported(without({finding_kind::division_by_zero, finding_kind::unrepresentable_quotient}))
            .empty());
}

namespace {

constexpr machine::tile_type i64x4{element::i64, element::i64, 0, false, false, 1, 4, shape4};
constexpr machine::tile_type ptr1{element::ptr, element::i32, 4, false, true, 0, 1, nullptr};

/// p - q as C++ lowers it, but for the conversions: divi, written as a difference of pointers.
std::vector<std::string> difference(context& c, const pointers& p, const std::int32_t* q) {
  run_block(c, [&] {
    std::array<std::int64_t, 4> bytes{};
    for (std::size_t i = 0; i < 4; ++i) {
      bytes[i] = reinterpret_cast<std::intptr_t>(p[i]) - reinterpret_cast<std::intptr_t>(q);
    }
    const std::array<std::int64_t, 4> four{4, 4, 4, 4};
    std::array<std::int64_t, 4> got{};
    const machine::in written[] = {{&ptr4, p.data()}, {&ptr1, &q}};
    const machine::in operands[] = {{&i64x4, bytes.data()}, {&i64x4, four.data()}};
    machine::elementwise(
        machine::opcode::divi, {.written = {"-", written}}, {&i64x4, got.data()}, operands, 2);
    CHECK(got[0] == bytes[0] / 4);
  });
  return messages(c);
}

} // namespace

// [arithmetic operations: pointer difference] Where one range ends another may begin.
TEST_CASE("a pointer between two ranges belongs to both, and no other does") {
  std::array<std::int32_t, 8> buffer{};
  std::int32_t* const first = buffer.data();
  std::int32_t* const second = buffer.data() + 4;
  const std::vector<std::string> wrong{
      "invalid pointer difference: the pointers are not into one allocation"};
  context c{options{}};
  REQUIRE(c.mem.register_range(first, 16, nullptr));
  REQUIRE(c.mem.register_range(second, 16, nullptr));
  SECTION("from the middle to the first range") {
    CHECK(difference(c, {second, second, second, second}, first + 1).empty());
  }
  SECTION("from the second range to the middle") {
    CHECK(difference(c, {second + 1, second + 4, second, second + 3}, second).empty());
  }
  SECTION("from one range to the other") {
    CHECK(difference(c, {second, second + 1, second, second}, first + 1) == wrong);
    CHECK(c.found.all().findings.front().details.front() ==
          "element (1) of an i64 tile [4], by tile block (0,0,0) of kernel");
  }
}

TEST_CASE("a difference to freed memory is one to another allocation") {
  context c{options{}};
  auto* freed = make_ints(c, {1, 2, 3, 4});
  auto* alive = make_ints(c, {1, 2, 3, 4});
  REQUIRE(c.mem.release(freed, nullptr));
  CHECK(difference(c, each(alive), freed).size() == 1);
}

// [arithmetic operations: pointer addition] As Tile IR has it: nothing is known of the source.
TEST_CASE("a pointer that leaves its allocation is a note, if asked for") {
  const bool asked = GENERATE(true, false);
  const std::int32_t last = GENERATE(8, 9, -1);
  options o;
  o.reported.set(static_cast<std::size_t>(finding_kind::pointer_out_of_range), asked);
  context c{o};
  auto* data = make_ints(c, {1, 2, 3, 4, 5, 6, 7, 8});
  run_block(c, [&] {
    const pointers p{data, data, data, data};
    const ints index{0, 1, 2, last};
    pointers got{};
    const machine::in operands[] = {{&ptr4, p.data()}, {&i32x4, index.data()}};
    machine::elementwise(machine::opcode::offset, {}, {&ptr4, got.data()}, operands, 2);
    CHECK(got[3] == data + last);
  });
  if (asked && last != 8) {
    CHECK(messages(c) == std::vector<std::string>{"pointer out of range: p + " +
                                                  std::to_string(last) + " leaves its allocation"});
    CHECK(c.found.all().findings.front().severity == finding::level::note);
    CHECK(c.found.all().clean());
  } else {
    CHECK(messages(c).empty());
  }
}

TEST_CASE("an assumption that is switched off is not checked") {
  context c{without({finding_kind::broken_assumption})};
  run_block(c, [] {
    const ints value{1, 2, 3, 4};
    const std::int64_t by[] = {8};
    machine::assume({assumption::kind::div_by, by, 1, "assume_divisible"}, {&i32x4, value.data()});
  });
  CHECK(messages(c).empty());
}

namespace {

struct promise {
  const char* name;
  assumption::kind kind;
  std::vector<std::int64_t> params;
  std::vector<std::int32_t> values;
  const char* expected; ///< nullptr: holds
};

} // namespace

// [assumptions] A broken one is a finding; its neighbour holds.
TEST_CASE("promises are verified") {
  using kind = assumption::kind;
  const promise p = GENERATE(values<promise>({
      {"divisible", kind::div_by, {4}, {0, 4, 8, -4}, nullptr},
      {"one is not divisible", kind::div_by, {4}, {0, 4, 6, 8}, "a multiple of 4, got 6"},
      {"strided", kind::div_by, {4, 2, 0}, {4, 5, 8, 9}, nullptr},
      {"strided, not rising", kind::div_by, {4, 2, 0}, {4, 6, 8, 9}, "single steps, got 6"},
      {"strided, first not divisible",
       kind::div_by,
       {4, 2, 0},
       {5, 6, 8, 9},
       "single steps, got 5"},
      {"bounded below", kind::bounded, {0, 0, 1, 0}, {0, 1, 2, 3}, nullptr},
      {"below the bound", kind::bounded, {0, 0, 1, 0}, {0, -1, 2, 3}, "at least 0, got -1"},
      {"bounded above", kind::bounded, {0, 3, 0, 1}, {-9, 1, 2, 3}, nullptr},
      {"above the bound", kind::bounded, {0, 3, 0, 1}, {0, 1, 2, 4}, "at most 3, got 4"},
      {"bounded both ways", kind::bounded, {-1, 1, 1, 1}, {-1, 0, 1, 1}, nullptr},
      {"blocked", kind::same_elements, {2}, {7, 7, 8, 8}, nullptr},
      {"not blocked", kind::same_elements, {2}, {7, 7, 8, 9}, "one group to be equal, got 9"},
      {"one group longer than the tile", kind::same_elements, {8}, {7, 7, 7, 7}, nullptr},
  }));
  CAPTURE(p.name);
  context c{options{}};
  run_block(c, [&] {
    machine::assume({p.kind, p.params.data(), static_cast<unsigned>(p.params.size()), "assume_it"},
                    {&i32x4, p.values.data()});
  });
  if (p.expected == nullptr) {
    CHECK(messages(c).empty());
  } else {
    REQUIRE(messages(c).size() == 1);
    CHECK(messages(c).front().find(p.expected) != std::string::npos);
  }
}

TEST_CASE("a promise about columns looks at columns") {
  context c{options{}};
  run_block(c, [&] {
    const std::int32_t values[8] = {1, 1, 2, 2, 1, 1, 2, 2};
    const std::int64_t groups[2] = {2, 2};
    machine::assume({assumption::kind::same_elements, groups, 2, "assume_blocked"},
                    {&i32x2x4, values});
  });
  CHECK(messages(c).empty());
}

namespace {

struct counter final : sim::watcher {
  void operation(const operation_event& e) override { operations.push_back(e.op); }
  void memory(const memory_event& e) override { bytes += e.bytes * e.count; }
  std::vector<machine::opcode> operations;
  unsigned bytes = 0;
};

} // namespace

TEST_CASE("a watcher sees every operation, in order, and its accesses") {
  context c{options{}};
  auto owned = std::make_unique<counter>();
  counter& seen = *owned;
  c.exec->attach(std::move(owned));
  auto* data = make_ints(c, {1, 2, 3, 4});
  run_block(c, [&] {
    const pointers p = each(data);
    ints got{};
    machine::get_tile_block_id();
    machine::load_ptr_tko({}, {&i32x4, got.data()}, {&ptr4, p.data()}, nullptr, nullptr);
    machine::store_ptr_tko({}, {&ptr4, p.data()}, {&i32x4, got.data()}, nullptr);
  });
  using machine::opcode;
  CHECK(seen.operations == std::vector<opcode>{opcode::get_tile_block_id,
                                               opcode::load_ptr_tko,
                                               opcode::store_ptr_tko});
  CHECK(seen.bytes == 32);
}

// [arithmetic operations: division] What a comparison with a GPU must allow for is in the event.
TEST_CASE("a watcher can ask whether an operation was approximate") {
  struct asker final : sim::watcher {
    void operation(const operation_event& e) override { ulps.push_back(e.accuracy().bound.ulps); }
    std::vector<double> ulps;
  };
  context c{options{}};
  auto owned = std::make_unique<asker>();
  asker& seen = *owned;
  c.exec->attach(std::move(owned));
  run_block(c, [&] {
    constexpr machine::tile_type f32x4{element::f32, element::f32, 0, false, false, 1, 4, shape4};
    const float x[4] = {1, 2, 3, 4};
    float result[4];
    const machine::in operands[] = {{&f32x4, x}, {&f32x4, x}};
    for (const auto round :
         {machine::rounding::nearest_even, machine::rounding::approx, machine::rounding::full}) {
      machine::elementwise(machine::opcode::divf, {.round = round}, {&f32x4, result}, operands, 2);
    }
    machine::rearrange(machine::opcode::reshape, {&f32x4, result}, operands, 1);
  });
  CHECK(seen.ulps == std::vector<double>{0, 2, 2, 0});
}
