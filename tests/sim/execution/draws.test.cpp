// What is drawn for unspecified values: by counter, so by nothing but the operation itself.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/execution/draws.hpp"

#include "sim/core/thread.hpp"
#include "sim/execution/philox.hpp"

#include <array>
#include <cstdint>
#include <support/catch.hpp>
#include <vector>

using namespace tilesim;
using namespace tilesim::sim;

namespace {

constexpr std::uint32_t extents[] = {8};
constexpr machine::tile_type f32x8{element::f32, element::f32, 0, false, false, 1, 8, extents};

struct drawing_thread {
  launch_state launch;
  sim_thread thread;

  drawing_thread(std::uint64_t launch_id, std::uint32_t block, const void* site) {
    launch.id = launch_id;
    launch.config.grid = dim3(16, 1, 1);
    launch.config.block = dim3(1, 1, 1);
    launch.kernel.name = "k";
    thread.launch = &launch;
    thread.block = {block, 0, 0};
    thread.site = site;
  }

  std::vector<std::uint64_t> draw(draws& from) {
    const auto values = from.begin(thread, left_open::masked_load, f32x8, 5);
    from.drawn(3);
    return {values(5), values(6), values(7)};
  }
};

const int here[2] = {}; // two places

} // namespace

// The known answers of Random123's philox4x32-10.
TEST_CASE("philox gives what its authors' gives") {
  using four = std::array<std::uint32_t, 4>;
  CHECK(philox({0, 0, 0, 0}, {0, 0}) == four{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8});
  constexpr std::uint32_t all = 0xffffffff;
  CHECK(philox({all, all, all, all}, {all, all}) ==
        four{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd});
  CHECK(philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}) ==
        four{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1});
}

TEST_CASE("a draw depends on its operation, not on who has drawn before") {
  const auto drawn = [](std::vector<unsigned> blocks, unsigned wanted) {
    draws d(7);
    std::vector<std::uint64_t> of_wanted;
    for (const unsigned b : blocks) {
      auto values = drawing_thread(1, b, here).draw(d);
      if (b == wanted) {
        of_wanted = values;
      }
    }
    return of_wanted;
  };
  CHECK(drawn({0, 1, 2}, 2) == drawn({2, 1, 0}, 2));
  CHECK(drawn({0, 1}, 0) != drawn({0, 1}, 1));
  draws a(7);
  draws b(8);
  drawing_thread first(1, 0, here);
  drawing_thread same(1, 0, here);
  drawing_thread later(2, 0, here);
  const auto values = first.draw(a);
  CHECK(values != same.draw(b));
  CHECK(values != later.draw(a));
  CHECK(values != first.draw(a));
  CHECK(values[0] != values[1]);
}

TEST_CASE("an order of combining depends on its operation, not on who has drawn before") {
  draws d(7);
  drawing_thread first(1, 0, here);
  drawing_thread other(1, 1, here);
  const std::uint64_t of_first = d.order(first.thread);
  const std::uint64_t of_other = d.order(other.thread);
  CHECK(of_first != of_other);
  CHECK(d.order(first.thread) != of_first); // another operation
  draws again(7);
  drawing_thread alone(1, 1, here);
  CHECK(again.order(alone.thread) == of_other);
  drawing_thread same(1, 1, here);
  CHECK(draws(8).order(same.thread) != of_other);
  CHECK(alone.thread.knows_block); // blocks that draw are not alike
  CHECK(d.sites().empty());        // it is no unspecified value
}

TEST_CASE("a variation concerns its operations and leaves the others alone") {
  const auto drawn = [](variation::kind how, const void* site, std::uint64_t seed = 0) {
    draws d(7, {.how = how, .seed = seed, .sites = {reinterpret_cast<std::uintptr_t>(&here[0])}});
    auto values = drawing_thread(1, 3, site).draw(d);
    CHECK((d.varied() != nullptr) == (site == &here[0] && how != variation::kind::none));
    REQUIRE(d.sites().size() == 1);
    CHECK(d.sites()[0].elements == 3);
    CHECK(d.sites()[0].first == "element (5) of an f32 tile [8], by tile block (3,0,0) of k");
    return values;
  };
  using kind = variation::kind;
  const auto values = drawn(kind::none, &here[0]);
  CHECK(drawn(kind::complement, &here[0]) == std::vector{~values[0], ~values[1], ~values[2]});
  CHECK(drawn(kind::zeros, &here[0]) == std::vector<std::uint64_t>{0, 0, 0});
  CHECK(drawn(kind::ones, &here[0])[0] == ~std::uint64_t{0});
  CHECK(drawn(kind::seed, &here[0], 7) == values);
  CHECK(drawn(kind::seed, &here[0], 8) != values);
  for (const kind how : {kind::complement, kind::ones, kind::zeros, kind::seed}) {
    CHECK(drawn(how, &here[1], 9) == values);
  }
}
