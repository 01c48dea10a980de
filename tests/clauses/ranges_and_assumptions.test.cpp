// The clauses on integer ranges and assumptions: what a range goes through, and each promise kept
// beside the same promise broken.
// SPDX-License-Identifier: Apache-2.0
#include <limits>
#include <tests/clauses/kernel.hpp>
#include <vector>

namespace tilesim::clauses {
namespace {

using namespace ct::literals;

template <class Range>
std::vector<long long> values(const Range& r) {
  std::vector<long long> all;
  for (const auto i : r) {
    all.push_back(static_cast<long long>(i));
    if (all.size() > 100) {
      break; // it does not end
    }
  }
  CHECK(all.size() == static_cast<std::size_t>(r.size()));
  CHECK(all.empty() == r.empty());
  return all;
}
using numbers = std::vector<long long>;

} // namespace

TEST_CASE("integer range / lower, lower + step, … below upper", "[clauses][example]") {
  CHECK(values(ct::irange(5, 12, 2)) == numbers{5, 7, 9, 11}); // the page's
  CHECK(values(ct::irange(5, 11, 2)) == numbers{5, 7, 9});
  CHECK(values(ct::irange(0, 3)) == numbers{0, 1, 2});
  CHECK(values(ct::irange(-3, 3, 4)) == numbers{-3, 1});
  CHECK(values(ct::irange(3, 3)).empty());
  CHECK(values(ct::irange(4, 3)).empty());
  CHECK(values(ct::irange(0, 1, 100)) == numbers{0});
}

TEST_CASE("integer range / bounds and step of different types are converted as arithmetic converts "
          "them",
          "[clauses]") {
  const auto is = []<class T, class R>(const R&) { return std::is_same_v<R, ct::irange<T>>; };
  CHECK(is.operator()<long>(ct::irange(0, 10L)));
  CHECK(is.operator()<int>(ct::irange(short{0}, 10)));
  CHECK(is.operator()<long>(ct::irange(0U, 10L)));
  CHECK(is.operator()<long>(ct::irange(0, 10, 2L)));
  CHECK(is.operator()<short>(ct::irange(short{0}, short{10})));
  CHECK(values(ct::irange(short{-2}, 2L)) == numbers{-2, -1, 0, 1});
  CHECK(values(ct::irange(0U, 10L, short{4})) == numbers{0, 4, 8});
}

TEST_CASE("integer range / ends at the end of its type", "[clauses]") {
  CHECK(values(ct::irange<signed char>(0, 127, 100)) == numbers{0, 100});
  CHECK(values(ct::irange<unsigned char>(0, 255, 128)) == numbers{0, 128});
  const int most = std::numeric_limits<int>::max();
  CHECK(values(ct::irange(most - 1, most, 2)) == numbers{most - 1});
  CHECK(values(ct::irange(std::numeric_limits<int>::min(), most, most)) ==
        numbers{-2147483648LL, -1, 2147483646});
  CHECK(values(ct::irange<bool>(false, true)) == numbers{0});
  const unsigned large = 0xfffffff0U;
  CHECK(values(ct::irange(large, 0xffffffffU, 8U)) == numbers{0xfffffff0, 0xfffffff8});
}

namespace {

/// An array whose address is a multiple of 64.
struct alignas(64) cells {
  int x[32];
};

} // namespace

TEST_CASE("assumptions / each holds, or is a finding, and gives its argument back", "[clauses]") {
  in_kernel([](const probe& p) {
    constexpr auto broken = finding_kind::broken_assumption;
    const auto i = ct::iota<tile<int, 4>>();
    const auto square = ct::iota<tile<int, 4, 4>>();
    cells c{};

    // aligned
    CHECK(ct::assume_aligned<16>(&c.x[4]) == &c.x[4]);
    CHECK(ct::assume_aligned(&c.x[0], 64_ic) == &c.x[0]);
    static_cast<void>(ct::assume_aligned<16>(&c.x[0] + 4 * i));
    static_cast<void>(ct::assume_aligned<512>(static_cast<int*>(nullptr)));
    CHECK(p.defects() == 0);
    CHECK(p.meets(broken, [&] { static_cast<void>(ct::assume_aligned<32>(&c.x[4])); }));
    CHECK(p.meets(broken, [&] { static_cast<void>(ct::assume_aligned<16>(&c.x[0] + 3 * i)); }));

    // divisible
    CHECK(ct::assume_divisible<8>(-16) == -16);
    CHECK(stored(ct::assume_divisible(4 * i, 4_ic)) == std::array{0, 4, 8, 12});
    const auto before = p.defects();
    CHECK(p.meets(broken, [&] { static_cast<void>(ct::assume_divisible<8>(4)); }));
    CHECK(p.meets(broken, [&] { static_cast<void>(ct::assume_divisible(2 * i, 4_ic)); }));
    CHECK(p.meets(broken, [&] { static_cast<void>(ct::assume_divisible<2>(true)); }));
    CHECK(p.defects() == before + 3);

    // bounded, both ends inclusive
    CHECK(stored(ct::assume_bounded<0, 3>(i)) == stored(i));
    CHECK(ct::assume_bounded_below<-5>(-5) == -5);
    CHECK(ct::assume_bounded_above(7U, 7_ic) == 7U);
    CHECK(ct::assume_bounded(static_cast<unsigned char>(127), 0_ic, 127_ic) == 127);
    CHECK(p.defects() == before + 3);
    CHECK(p.meets(broken, [&] { static_cast<void>(ct::assume_bounded<0, 2>(i)); }));
    CHECK(p.meets(broken, [&] { static_cast<void>(ct::assume_bounded<1, 3>(i)); }));
    CHECK(p.meets(broken, [&] { static_cast<void>(ct::assume_bounded_below(-6, -(5_ic))); }));
    CHECK(p.meets(broken, [&] { static_cast<void>(ct::assume_bounded_above<7>(8U)); }));
    CHECK(p.meets(broken,
                  [&] { static_cast<void>(ct::assume_bounded_above<7>(0xffffffffffffffffUL)); }));

    // blocked: equal within each group; groups need not divide the shape
    const auto now = p.defects();
    CHECK(stored(ct::assume_blocked<ct::shape<2>>(i / 2)) == std::array{0, 0, 1, 1});
    static_cast<void>(ct::assume_blocked(square / 8, ct::shape<2, 4>{}));
    static_cast<void>(ct::assume_blocked<ct::shape<3>>(i / 3));
    static_cast<void>(ct::assume_blocked<ct::shape<>>(5));
    static_cast<void>(ct::assume_blocked<ct::shape<2>>(&c.x[0] + i / 2));
    CHECK(p.defects() == now);
    CHECK(p.meets(broken, [&] { static_cast<void>(ct::assume_blocked<ct::shape<2>>(i)); }));
    CHECK(p.meets(broken,
                  [&] { static_cast<void>(ct::assume_blocked<ct::shape<2, 2>>(square / 4)); }));
    CHECK(p.meets(broken,
                  [&] { static_cast<void>(ct::assume_blocked<ct::shape<3>>(&c.x[0] + i / 2)); }));

    // strided: the first of every group is divisible, the others follow it
    const auto then = p.defects();
    CHECK(stored(ct::assume_divisible_strided<4, 2, 0>(i + i / 2 * 2)) == std::array{0, 1, 4, 5});
    static_cast<void>(ct::assume_divisible_strided(square, 4_ic, 4_ic, 1_ic));
    static_cast<void>(ct::assume_aligned_strided<16, 4, 0>(&c.x[4] + i));
    static_cast<void>(ct::assume_aligned_strided(&c.x[0] + square, 16_ic, 4_ic, 1_ic));
    CHECK(p.defects() == then);
    CHECK(p.meets(broken, [&] { static_cast<void>(ct::assume_divisible_strided<4, 2, 0>(i)); }));
    CHECK(
        p.meets(broken, [&] { static_cast<void>(ct::assume_divisible_strided<4, 4, 0>(2 * i)); }));
    CHECK(p.meets(broken,
                  [&] { static_cast<void>(ct::assume_aligned_strided<16, 4, 0>(&c.x[1] + i)); }));
    CHECK(p.meets(broken,
                  [&] { static_cast<void>(ct::assume_aligned_strided<16, 2, 0>(&c.x[0] + i)); }));
  });
}

} // namespace tilesim::clauses
