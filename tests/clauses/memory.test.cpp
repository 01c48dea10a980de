// The clauses on memory operations: the pages' examples, masks and paddings of every form. Whom an
// access meets is memmodel's; here one block is alone.
// SPDX-License-Identifier: Apache-2.0
#include <set>
#include <tests/clauses/kernel.hpp>

namespace tilesim::clauses {
namespace {

using namespace ct::literals;
using relaxed = ct::memory_order_relaxed_t;

} // namespace

TEST_CASE("memory operations / load / the page's example: (2 + 9 * iota) % 16 of 0..15",
          "[clauses][example]") {
  in_kernel([](const probe& p) {
    int x[16];
    for (int i = 0; i < 16; ++i) {
      x[i] = i;
    }
    const auto at = (2 + 9 * ct::iota<tile<int, 2, 2>>()) % 16;
    CHECK(stored(at) == std::array{2, 11, 4, 13});
    CHECK(stored(ct::load(&x[0] + at)) == std::array{2, 11, 4, 13});
    CHECK(stored(ct::atomic_load<ct::memory_order::relaxed>(&x[0] + at)) ==
          std::array{2, 11, 4, 13});
    CHECK(p.defects() == 0);
  });
}

TEST_CASE("memory operations / load_masked, atomic_load_masked / the page's example",
          "[clauses][example]") {
  in_kernel([](const probe& p) {
    const std::array data{2, 7, 5, 8};
    const auto at = data.data() + ct::iota<tile<int, 4>>();
    const auto mask = loaded<4>(std::array{true, false, false, true});
    const auto padding = loaded<4>(std::array{-7, -3, -22, -100});
    CHECK(stored(ct::load_masked(at, mask, padding)) == std::array{2, -3, -22, 8});
    CHECK(stored(ct::atomic_load_masked(at, mask, padding, relaxed{})) ==
          std::array{2, -3, -22, 8});
    CHECK(stored(ct::atomic_load_masked<ct::memory_order::acquire>(at, mask, padding)) ==
          std::array{2, -3, -22, 8});
    // of another type and shape
    CHECK(stored(ct::load_masked(at, ct::iota<tile<int, 4>>(), -1)) == std::array{-1, 7, 5, 8});
    CHECK(stored(ct::load_masked(at, false, ct::full<tile<short, 1>>(9))) ==
          std::array{9, 9, 9, 9});
    // without padding: unspecified where masked out
    const auto some = stored(ct::load_masked(at, mask));
    CHECK(some[0] == 2);
    CHECK(some[3] == 8);
    CHECK(p.defects() == 0);
  });
}

TEST_CASE("memory operations / store_masked, atomic_store_masked / the page's example",
          "[clauses][example]") {
  in_kernel([](const probe& p) {
    const auto mask = loaded<4>(std::array{true, false, false, true});
    const auto minus = ct::full<tile<int, 4>>(-1);
    std::array x{0, 1, 2, 3};
    const auto at = x.data() + ct::iota<tile<int, 4>>();
    ct::store_masked(at, minus, mask);
    CHECK(x == std::array{-1, 1, 2, -1});
    x = {0, 1, 2, 3};
    ct::atomic_store_masked(at, minus, mask, relaxed{}, ct::thread_scope_device_t{});
    CHECK(x == std::array{-1, 1, 2, -1});
    ct::store_masked(at, ct::iota<tile<int, 4>>(), false);
    CHECK(x == std::array{-1, 1, 2, -1});
    ct::store(at, ct::iota<tile<short, 4>>());
    CHECK(x == std::array{0, 1, 2, 3});
    CHECK(p.defects() == 0);
  });
}

TEST_CASE(
    "general principles / data races / atomic_store to four copies of one pointer leaves one of "
    "the values",
    "[clauses][example]") {
  in_kernel([](const probe& p) {
    int x = -1;
    ct::atomic_store(ct::full<tile<int*, 4>>(&x),
                     ct::iota<tile<int, 4>>(),
                     relaxed{},
                     ct::thread_scope_block_t{});
    CHECK((x >= 0 && x < 4));
    CHECK(p.defects() == 0);
  });
}

TEST_CASE("memory operations / scalar pointers and tiles of rank 0", "[clauses]") {
  in_kernel([](const probe& p) {
    int x = 5;
    const int got = ct::load(&x);
    CHECK(got == 5);
    static_assert(std::is_same_v<decltype(ct::load(&x)), int>);
    static_assert(std::is_same_v<decltype(ct::load(ct::full<tile<int*>>(&x))), tile<int>>);
    ct::store(&x, got + 1);
    CHECK(x == 6);
    ct::store(ct::full<tile<int*>>(&x), 8);
    CHECK(x == 8);
    CHECK(ct::load_masked(&x, false, 3) == 3);
    CHECK(ct::atomic_add<ct::memory_order::acq_rel>(&x, 2) == 8);
    CHECK(x == 10);
    CHECK(p.defects() == 0);
  });
}

} // namespace tilesim::clauses
