// The well-formed and ill-formed examples of the reference's text; tests/api_tables has the rest.
//
// SPDX-License-Identifier: Apache-2.0
#include <cuda_tile.h>
#include <tests/support/catch.hpp>
#include <type_traits>

namespace ct = cuda::tiles;
using namespace ct::literals;

namespace {

template <class E, std::size_t... Extents>
using tile = ct::tile<E, ct::shape<Extents...>>;

template <class L, class R>
concept multiplies = requires(L l, R r) {
  l* r;
};
template <class L, class R>
concept equates = requires(L l, R r) {
  l == r;
};

// [general principles: arithmetic conversions], its table of examples
static_assert(std::is_same_v<decltype(tile<int, 4, 1>{} + tile<float, 1, 8>{}), tile<float, 4, 8>>);
static_assert(!multiplies<float, tile<int, 4>> && equates<float, tile<int, 4>>);
static_assert(!multiplies<double, tile<int, 4>> && equates<double, tile<int, 4>>);
static_assert(!multiplies<__nv_bfloat16, tile<__half, 4>> &&
              !equates<__nv_bfloat16, tile<__half, 4>>);
static_assert(!multiplies<unsigned, tile<int, 4>> && !equates<unsigned, tile<int, 4>>);
static_assert(std::is_same_v<ct::arithmetic_tile_conversion_t<short, short>, short>);
static_assert(
    std::is_same_v<ct::arithmetic_tile_conversion_t<char16_t, unsigned short>, unsigned short>);

// [general principles: mutual broadcast]
static_assert(std::is_same_v<ct::mutual_broadcast_t<tile<int, 8, 2>, tile<int, 4, 1, 2>, bool>,
                             tile<bool, 4, 8, 2>>);

// [tile]
static_assert(sizeof(tile<short, 4, 8>) == 64 && alignof(tile<short, 4, 8>) == alignof(short));
static_assert(std::is_trivially_copyable_v<tile<float, 8>>);
static_assert(std::is_convertible_v<int, tile<int>> && !std::is_convertible_v<int, tile<int, 1>>);

// [constant wrappers and flags], [extents and strides]
static_assert(std::is_same_v<decltype(16_ic), ct::integral_constant<16>>);
static_assert(std::is_same_v<decltype(ct::extents{4_ic, 7}),
                             ct::extents<std::uint32_t, 4, ct::dynamic_extent>>);
static_assert(
    std::is_same_v<decltype(ct::dimension_map{2_ic, 0_ic, 1_ic}), ct::dimension_map<2, 0, 1>>);
static_assert(
    std::is_same_v<decltype(ct::permute(tile<int, 2, 4, 8>{}, ct::dimension_map{2_ic, 0_ic, 1_ic})),
                   tile<int, 8, 2, 4>>);

} // namespace

TEST_CASE("extents hold what is dynamic and nothing else", "[api][extents and strides]") {
  const ct::extents<long, 3, ct::dynamic_extent, ct::dynamic_extent> by_dynamic{5, 7};
  const ct::extents<long, 3, ct::dynamic_extent, ct::dynamic_extent> by_rank{99, 5, 7};
  CHECK(sizeof by_dynamic == 2 * sizeof(long));
  CHECK(std::is_empty_v<ct::shape<4, 8>>);
  CHECK(by_dynamic.extent(0) == 3);
  CHECK(by_dynamic.extent(2) == 7);
  CHECK(by_dynamic == by_rank);
  CHECK(by_dynamic != ct::shape<3, 5, 8>{});
  CHECK(by_dynamic == ct::shape<3, 5, 7>{});
}

TEST_CASE("extents of different index types compare as numbers", "[api][extents and strides]") {
  const ct::extents<int, ct::dynamic_extent> negative{-1};
  const ct::extents<std::uint32_t, ct::dynamic_extent> large{0xffffffffU};
  CHECK_FALSE(ct::extents_equal(negative, large));
}

TEST_CASE("bid and num_blocks give the machine's answer", "[api][general operations]") {
  auto [x, y, z] = ct::bid();
  CHECK(x == 1);
  CHECK(y == 2);
  CHECK(z == 3);
  CHECK(ct::num_blocks().z == 6);
}
