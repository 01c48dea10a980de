// View accesses from the inside: what engines and watchers are given, and boxes.
// SPDX-License-Identifier: Apache-2.0
#include "sim/core/watcher.hpp"
#include "sim/machine/view_selection.hpp"
#include "sim/memory/passing_engine.hpp"
#include "sim/memory/tile_box.hpp"

#include <tilesim/detail/machine.hpp>

#include <array>
#include <cstdint>
#include <numeric>
#include <support/catch.hpp>
#include <tests/sim/kernel_fixture.hpp>
#include <vector>

using namespace tilesim;
using namespace tilesim::sim;

namespace {

constexpr std::uint32_t shape2x4[] = {2, 4};
constexpr machine::tile_type i32x2x4{element::i32, element::i32, 0, false, false, 2, 8, shape2x4};
constexpr machine::tile_type i32_scalar{element::i32, element::i32, 0, false, true, 0, 1, nullptr};

/// A 3x6 tensor of int in simulated memory, rows of 10, and a partition view of it.
struct fixture {
  explicit fixture(context& c)
      : memory(static_cast<std::int32_t*>(
            c.mem.allocate(memory_kind::managed, 30 * sizeof(std::int32_t), nullptr))) {
    std::iota(memory, memory + 30, 0);
  }
  void load(std::int32_t* to) const {
    machine::load_view_tko(
        {}, form, {&i32x2x4, to}, memory, nullptr, rows, columns, pitch, one, one, one);
  }
  void store(const std::int32_t* from) const {
    machine::store_view_tko(
        {}, form, {&i32x2x4, from}, memory, nullptr, rows, columns, pitch, one, one, one);
  }
  void add(const machine::access& how, const std::int32_t* what) const {
    machine::atomic_red_view_tko(how,
                                 machine::rmw_mode::add,
                                 machine::signedness::signed_,
                                 form,
                                 {&i32x2x4, what},
                                 memory,
                                 nullptr,
                                 rows,
                                 columns,
                                 pitch,
                                 one,
                                 one,
                                 one);
  }

  std::int32_t* memory;
  static constexpr std::int64_t rows = 3;
  static constexpr std::int64_t columns = 6;
  static constexpr std::int64_t pitch = 10;
  static constexpr std::int64_t one = 1;
  static constexpr std::array<const machine::tile_type*, 2> index_types{&i32_scalar, &i32_scalar};
  static constexpr machine::view_form form{machine::tile_view::kind::partition,
                                           2,
                                           0,
                                           true,
                                           machine::padding::zero,
                                           &i32x2x4,
                                           nullptr,
                                           index_types.data()};
};

/// Remembers what it was given.
class watching_engine final : public passing_engine {
public:
  using passing_engine::load;
  using passing_engine::update;

  explicit watching_engine(bool boxes)
      : boxes_(boxes) {}
  bool takes_boxes() const noexcept override { return boxes_; }
  void load(sim_thread& t, const tile_access& a, void* out) override {
    note(a);
    passing_engine::load(t, a, out);
  }
  bool update(sim_thread& t,
              const tile_access& a,
              ops::rmw_function f,
              const void* arguments,
              void* old) override {
    note(a);
    return passing_engine::update(t, a, f, arguments, old);
  }

  bool box = false;
  std::vector<std::uintptr_t> addresses;
  std::vector<std::uint8_t> mask;

private:
  void note(const tile_access& a) {
    box = a.box != nullptr;
    addresses.clear();
    mask.clear();
    if (a.addresses != nullptr) {
      addresses.assign(a.addresses, a.addresses + a.count);
    }
    if (a.mask != nullptr) {
      mask.assign(a.mask, a.mask + a.count);
    }
  }

  bool boxes_;
};

class watching_views final : public watcher {
public:
  struct seen {
    bool reads = false;
    bool writes = false;
    std::vector<std::uintptr_t> addresses;
    std::vector<std::uint8_t> mask;
  };
  explicit watching_views(std::vector<seen>& log)
      : log_(log) {}
  void memory(const memory_event& e) override {
    seen s{e.reads, e.writes, {e.addresses, e.addresses + e.count}, {}};
    if (e.mask != nullptr) {
      s.mask.assign(e.mask, e.mask + e.count);
    }
    log_.push_back(std::move(s));
  }

private:
  std::vector<seen>& log_;
};

const std::vector<std::uint8_t> inside{1, 1, 0, 0, 0, 0, 0, 0}; // of tile (1,1): elements (2,4..5)

} // namespace

TEST_CASE("a weak view access goes to an engine as a box, if it takes them") {
  const bool boxes = GENERATE(true, false);
  context c{options{}};
  fixture f(c);
  auto owned = std::make_unique<watching_engine>(boxes);
  watching_engine& engine = *owned;
  c.exec->use(std::move(owned));
  std::array<std::int32_t, 8> got{};
  run_block(c, [&] { f.load(got.data()); });
  CHECK(got == std::array<std::int32_t, 8>{24, 25});
  CHECK(engine.box == boxes);
  CHECK(engine.addresses.size() == (boxes ? 0 : 8));
  CHECK(engine.mask == (boxes ? std::vector<std::uint8_t>{} : inside));
  // strong ones are given element by element
  const machine::access strong{machine::memory_order::relaxed, machine::memory_scope::device};
  run_block(c, [&] {
    const std::array<std::int32_t, 8> ones{1, 1, 1, 1, 1, 1, 1, 1};
    f.add(strong, ones.data());
  });
  CHECK_FALSE(engine.box);
  CHECK(engine.mask == inside);
  CHECK(engine.addresses[1] == reinterpret_cast<std::uintptr_t>(f.memory + 25));
  CHECK(f.memory[25] == 26);
  CHECK(f.memory[26] == 26);
}

TEST_CASE("watchers are told of a view access as of one through pointers") {
  context c{options{}};
  fixture f(c);
  std::vector<watching_views::seen> log;
  c.exec->attach(std::make_unique<watching_views>(log));
  run_block(c, [&] {
    std::array<std::int32_t, 8> got{};
    f.load(got.data());
    f.store(got.data());
  });
  REQUIRE(log.size() == 2);
  CHECK(log[0].reads);
  CHECK_FALSE(log[0].writes);
  CHECK(log[0].mask == inside);
  CHECK(log[0].addresses[0] == reinterpret_cast<std::uintptr_t>(f.memory + 24));
  CHECK(log[0].addresses[1] == reinterpret_cast<std::uintptr_t>(f.memory + 25));
  CHECK(log[1].writes);
  CHECK(log[1].addresses == log[0].addresses);
}

TEST_CASE("rows that follow one another are one row of a box") {
  tile_box whole;
  whole.append(2, 2, 32);
  whole.append(4, 4, 8);
  whole.append(8, 8, 1);
  CHECK(whole.rank == 1);
  CHECK(whole.active() == 64);
  tile_box cut; // its last dimension is not whole
  cut.append(2, 2, 32);
  cut.append(4, 4, 8);
  cut.append(8, 7, 1);
  CHECK(cut.rank == 2);
  CHECK(cut.active() == 56);
  tile_box apart;
  apart.append(4, 3, 16);
  apart.append(1, 1, 99); // a dimension of one element says nothing
  apart.append(8, 8, 1);
  CHECK(apart.rank == 2);
  CHECK(apart.active() == 24);
  tile_box none;
  none.append(1, 0, 1);
  CHECK(none.active() == 0);
}

TEST_CASE("the range of a box ends behind its last element, or nowhere") {
  tile_box b;
  b.base = 1000;
  b.append(4, 3, 100);
  b.append(8, 2, 4);
  std::uintptr_t begin = 0;
  std::uintptr_t end = 0;
  CHECK(b.range(4, begin, end));
  CHECK(begin == 1000);
  CHECK(end == 1000 + 200 + 4 + 4);
  tile_box far;
  far.base = 1000;
  far.append(4, 3, std::uint64_t{1} << 63U);
  CHECK_FALSE(far.range(4, begin, end));
}
