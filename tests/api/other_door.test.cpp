// Another door in front of the machine: a small interpreter, whose operations stand at no return
// address. What the machine says of its programs names the lines of their text.
//
// The other side, another machine under the C++ door, is other_machine.cpp.
// SPDX-License-Identifier: Apache-2.0
#include "sim/core/thread.hpp"
#include "sim/core/watcher.hpp"
#include "sim/debug_info/places.hpp"
#include "sim/debug_info/source_site.hpp"
#include "sim/machine/perform.hpp"
#include "sim/memory/judging.hpp"
#include "sim/memory/passing_engine.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <support/catch.hpp>
#include <support/ended_process.hpp>
#include <tests/sim/kernel_fixture.hpp>
#include <utility>
#include <vector>

using namespace tilesim;
using namespace tilesim::sim;
using machine::caller;

namespace {

constexpr machine::access weakly{};
constexpr machine::access strongly{.order = machine::memory_order::relaxed,
                                   .scope = machine::memory_scope::device};

/// One line of a program. A block has one register.
struct instruction {
  enum class operation : std::uint8_t {
    constant,         ///< register = number
    block_id,         ///< register = the block's x
    add,              ///< register += number
    get,              ///< register = memory[number]
    poll,             ///< the same, strongly
    put,              ///< memory[number] = register
    jump_while_zero,  ///< to instruction number, if register is 0
    jump_unless_zero, ///< to instruction number, if it is not
  } what;
  int number = 0;
  unsigned line = 0;
};
using enum instruction::operation;

/// A program, and who knows its places: the instructions' own addresses.
class program final : public place_resolver {
public:
  explicit program(std::vector<instruction> text, bool knows_its_state = false)
      : text_(std::move(text))
      , knows_its_state_(knows_its_state)
      , places_(text_.data(), text_.size() * sizeof(instruction), *this) {}

  [[nodiscard]] std::vector<source_frame> frames(const void* place) const override {
    const auto& at = *static_cast<const instruction*>(place);
    return {{.file = "module.tileir", .line = at.line, .column = 7, .function = "@poll"},
            {.file = "module.tileir", .line = 1, .column = 1, .function = "@main"}};
  }
  [[nodiscard]] operation_lines lines() const override {
    operation_lines all;
    for (const instruction& i : text_) {
      all["module.tileir"][i.line] = 1;
    }
    return all;
  }
  [[nodiscard]] std::optional<std::uint64_t> state(const void* place) const override {
    ++asked;
    return knows_its_state_ ? std::optional(reinterpret_cast<std::uintptr_t>(place) ^
                                            static_cast<std::uint64_t>(now_) << 32U)
                            : std::nullopt;
  }

  /// What a block does.
  void run(int* memory) const {
    sim_thread* const thread = execution::current();
    int value = 0;
    for (std::size_t next = 0; next < text_.size(); ++next) {
      const instruction& i = text_[next];
      const caller here{thread, &i};
      int* address = memory + i.number;
      now_ = value;
      switch (i.what) {
      case constant:
        value = i.number;
        break;
      case block_id:
        value = static_cast<int>(machine::perform::get_tile_block_id(here).x);
        break;
      case add: {
        int sum = 0;
        const machine::in operands[] = {{&int_scalar, &value}, {&int_scalar, &i.number}};
        machine::perform::elementwise(machine::opcode::addi,
                                      {.wrap = machine::overflow::no_signed_wrap},
                                      {&int_scalar, &sum},
                                      operands,
                                      2,
                                      here);
        value = sum;
        break;
      }
      case get:
      case instruction::operation::poll:
        machine::perform::load_ptr_tko(i.what == get ? weakly : strongly,
                                       {&int_scalar, &value},
                                       {&int_pointer, &address},
                                       nullptr,
                                       nullptr,
                                       here);
        break;
      case put:
        machine::perform::store_ptr_tko(
            weakly, {&int_pointer, &address}, {&int_scalar, &value}, nullptr, here);
        break;
      case jump_while_zero:
      case jump_unless_zero:
        if ((value == 0) == (i.what == jump_while_zero)) {
          next = static_cast<std::size_t>(i.number) - 1;
        }
        break;
      }
    }
  }

  [[nodiscard]] const instruction& at(std::size_t i) const { return text_[i]; }
  mutable int asked = 0; ///< for its state

private:
  std::vector<instruction> text_;
  bool knows_its_state_;
  mutable int now_ = 0; ///< the register of the block that runs
  registered_places places_;
};

struct result {
  std::vector<finding> findings;
  std::vector<int> memory;
};

result run(const program& p, unsigned blocks, options o = {}) {
  context c{std::move(o)};
  auto* const cells =
      static_cast<int*>(c.mem.allocate(memory_kind::managed, 16 * sizeof(int), nullptr));
  std::memset(cells, 0, 16 * sizeof(int));
  c.exec->finish(
      submit(c, dim3(blocks), dim3(1), kernel_kind::tile, [&p, cells] { p.run(cells); }));
  return {c.found.all().findings, {cells, cells + 16}};
}

/// What a process says that does that, and ends before its time.
std::string last_words(const std::function<void()>& what) {
  const test::ended_process ended = test::in_a_process(what);
  CHECK(ended.status == 101);
  return ended.said;
}

bool says(const std::string& text, const std::string& what) {
  return text.find(what) != std::string::npos;
}

unsigned line_of(const std::vector<source_frame>& frames) {
  REQUIRE(!frames.empty());
  CHECK(frames.front().file == "module.tileir");
  CHECK(frames.back().function == "@main");
  return frames.front().line;
}

} // namespace

TEST_CASE("another door computes what the C++ door does", "[door]") {
  const program p({{block_id, 0, 2}, {add, 40, 3}, {put, 1, 4}});
  const result r = run(p, 1);
  CHECK(r.findings.empty());
  CHECK(r.memory[1] == 40);
}

TEST_CASE("what is undefined is reported at the door's own place", "[door]") {
  const program p({{constant, INT32_MAX, 2}, {add, 1, 3}});
  const result r = run(p, 1);
  REQUIRE(r.findings.size() == 1);
  CHECK(r.findings[0].kind == finding_kind::signed_overflow);
  CHECK(line_of(r.findings[0].where) == 3);
  CHECK(r.findings[0].where.front().column == 7);
}

TEST_CASE("a race is reported at both of the door's places, one without a race is not", "[door]") {
  // Block 1 stores what block 0 loads.
  const program racy({{block_id, 0, 2},
                      {jump_while_zero, 4, 3},
                      {put, 5, 4},
                      {jump_unless_zero, 5, 5},
                      {get, 5, 6}});
  const result r = run(racy, 2, {.races = true});
  REQUIRE(r.findings.size() == 1);
  CHECK(r.findings[0].kind == finding_kind::data_race);
  CHECK(std::set{line_of(r.findings[0].where), line_of(r.findings[0].other)} == std::set{4U, 6U});
  const program apart({{block_id, 0, 2},
                       {jump_while_zero, 4, 3},
                       {put, 5, 4},
                       {jump_unless_zero, 5, 5},
                       {get, 6, 6}});
  CHECK(run(apart, 2, {.races = true}).findings.empty());
}

TEST_CASE("one line is one finding, another line is another", "[door]") {
  const program p({{constant, 1, 2}, {get, 1 << 20, 3}, {get, 1 << 20, 4}});
  const result r = run(p, 1, {.keep_going = true});
  REQUIRE(r.findings.size() == 2);
  CHECK(r.findings[0].kind == finding_kind::out_of_bounds);
  CHECK(line_of(r.findings[0].where) == 3);
  CHECK(line_of(r.findings[1].where) == 4);
}

TEST_CASE("an access out of bounds ends the run and names the door's place", "[door]") {
  const std::string said = last_words([] {
    const program p({{constant, 1, 2}, {put, 1 << 20, 3}});
    run(p, 1);
  });
  CHECK(says(said, "module.tileir:3:7: error: "));
  CHECK(says(said, "in @poll (module.tileir:3:7)"));
  CHECK(says(said, "called from @main (module.tileir:1:1)"));
}

TEST_CASE("blocks that poll for ever at two of the door's places are told, and for certain where "
          "it knows its state",
          "[door]") {
  const bool knows_its_state = GENERATE(false, true);
  const std::string said = last_words([knows_its_state] {
    // All that this door does to memory is seen, and one that says its state says so, too.
    judging::hooked = knows_its_state;
    const program p({{block_id, 0, 2},
                     {jump_while_zero, 4, 3},
                     {instruction::operation::poll, 5, 4},
                     {jump_while_zero, 2, 5},
                     {instruction::operation::poll, 6, 6},
                     {jump_while_zero, 4, 7}},
                    knows_its_state);
    run(p, 2);
  });
  CHECK(says(said, knows_its_state ? "[deadlock]" : "no progress: 2 blocks poll in vain"));
  INFO(said);
  CHECK(says(said, "module.tileir:4"));
  CHECK(says(said, "module.tileir:6"));
}

TEST_CASE("a block that polls goes on when another door's block has stored", "[door]") {
  const bool knows_its_state = GENERATE(false, true);
  const program p({{block_id, 0, 2},
                   {jump_while_zero, 4, 3},
                   {put, 5, 4},
                   {jump_unless_zero, 7, 5},
                   {instruction::operation::poll, 5, 6},
                   {jump_while_zero, 4, 7},
                   {put, 6, 8}},
                  knows_its_state);
  const result r = run(p, 2);
  CHECK(r.findings.empty());
  CHECK(r.memory[6] == 1);
  CHECK((p.asked > 0) == true);
}

TEST_CASE("an operation outside a kernel names the door's place", "[door]") {
  const std::string said = last_words([] {
    const program p({{constant, 0, 2}, {get, 0, 3}});
    std::array<int, 16> memory{};
    p.run(memory.data());
  });
  CHECK(says(said, "module.tileir:3:7: error: "));
  CHECK(says(said, "outside a kernel"));
}

TEST_CASE("places of two programs are told apart, and those of nobody are unknown", "[door]") {
  const program first({{constant, 0, 2}});
  const program second({{constant, 0, 30}, {constant, 0, 31}});
  CHECK(line_of(resolve(&first.at(0))) == 2);
  CHECK(line_of(resolve(&second.at(0))) == 30);
  CHECK(line_of(resolve(&second.at(1))) == 31);
  CHECK(place(&second.at(1)) == "module.tileir:31");
  CHECK(helper_of(&second.at(1)).empty());
  static int nobodys = 0;
  CHECK(place(&nobodys) == "an unknown place");
}

namespace {

using token = std::optional<std::vector<std::uint64_t>>; ///< none: everything

token token_of(const machine::access& how) {
  return how.after == nullptr ? token{}
                              : token{{how.after->tokens, how.after->tokens + how.after->count}};
}

/// Writes down the tokens that it is given, and gives each operation its number for one.
class reading_engine final : public passing_engine {
public:
  using passing_engine::load;
  using passing_engine::store;
  explicit reading_engine(std::vector<token>& to)
      : to_(to) {}
  static constexpr std::uint64_t joined = 100; ///< and more: what it is asked to join
  bool takes_tokens() const noexcept override { return true; }
  std::uint64_t join(const machine::ordered_after& all) override {
    std::uint64_t sum = joined;
    for (std::size_t i = 0; i < all.count; ++i) {
      sum += all.tokens[i];
    }
    return sum;
  }
  void load(sim_thread& t, const tile_access& a, void* out) override {
    to_.push_back(token_of(a.how));
    t.token = to_.size();
    passing_engine::load(t, a, out);
  }
  void store(sim_thread& t, const tile_access& a, const void* values) override {
    to_.push_back(token_of(a.how));
    t.token = to_.size();
    passing_engine::store(t, a, values);
  }

private:
  std::vector<token>& to_;
};

class reading_watcher final : public watcher {
public:
  explicit reading_watcher(std::vector<token>& to)
      : to_(to) {}
  void memory(const memory_event& e) override { to_.push_back(token_of(e.how)); }

private:
  std::vector<token>& to_;
};

} // namespace

TEST_CASE("tokens are the engine's, and reach the engine and the watchers", "[door]") {
  static constexpr char place{};
  std::vector<token> engine;
  std::vector<token> watched;
  context c{options{}};
  c.exec->use(std::make_unique<reading_engine>(engine));
  c.exec->attach(std::make_unique<reading_watcher>(watched));
  auto* p = static_cast<int*>(c.mem.allocate(memory_kind::managed, 2 * sizeof(int), nullptr));
  std::array<std::uint64_t, 4> tokens{};
  run_block(c, [&] {
    const caller here{execution::current(), &place};
    int value = 3;
    const machine::in at{&int_pointer, &p};
    const auto store_after = [&](const machine::ordered_after* after) {
      machine::access how;
      how.after = after;
      return machine::perform::store_ptr_tko(how, at, {&int_scalar, &value}, nullptr, here);
    };
    const machine::ordered_after none{nullptr, 0};
    tokens[0] = store_after(&none);
    tokens[1] = store_after(nullptr);
    static_cast<void>(machine::perform::get_tile_block_id(here));
    const std::uint64_t both[] = {tokens[0], tokens[1]};
    const machine::ordered_after joined{both, 2};
    machine::access how;
    how.after = &joined;
    tokens[2] =
        machine::perform::load_ptr_tko(how, {&int_scalar, &value}, at, nullptr, nullptr, here);
    // Nothing is accessed, and who waits for it waits for what it has waited for.
    const std::uint8_t off = 0;
    static constexpr machine::tile_type flag{
        element::i1, element::i8, 0, false, true, 0, 1, nullptr};
    const machine::in mask{&flag, &off};
    tokens[3] =
        machine::perform::load_ptr_tko(how, {&int_scalar, &value}, at, &mask, nullptr, here);
  });
  CHECK(tokens == std::array<std::uint64_t, 4>{1, 2, 3, reading_engine::joined + 3});
  CHECK(engine == std::vector<token>{std::vector<std::uint64_t>{},
                                     std::nullopt,
                                     std::vector<std::uint64_t>{1, 2}});
  engine.emplace_back(std::vector<std::uint64_t>{1, 2}); // of which the engine is not told
  CHECK(watched == engine);
}
