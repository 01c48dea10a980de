// The clauses on tensor spans, layout mappings, partition, strided and gather-scatter views.
//
// One file in spite of its length: one chapter of the reference, in its order.
//
// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <limits>
#include <tests/clauses/kernel.hpp>

namespace tilesim::clauses {
namespace {

using namespace ct::literals;

using relaxed = ct::memory_order_relaxed_t;
using device = ct::thread_scope_device_t;
using block = ct::thread_scope_block_t;

/// 0, 1, 2, …
template <class E, std::size_t N>
std::array<E, N> counted() {
  std::array<E, N> x{};
  for (std::size_t i = 0; i < N; ++i) {
    x[i] = static_cast<E>(static_cast<int>(i));
  }
  return x;
}

template <class... T>
std::array<int, sizeof...(T)> ints(T... x) {
  return {static_cast<int>(x)...};
}

} // namespace

// ------------------------------------------------------------------- spans and layout mappings

TEST_CASE("tensor span / the page's example: 2x4, row major, one extent at run time", "[clauses]") {
  in_kernel([](const probe& p) {
    int x[8] = {0, 1, 2, 3, 4, 5, 6, 7};
    const ct::tensor_span t{&x[0], ct::extents{2, 4_ic}};
    const ct::partition_view v{t, ct::shape<1, 4>{}};
    CHECK(stored(v.load(0, 0)) == ints(0, 1, 2, 3));
    CHECK(stored(v.load(1, 0)) == ints(4, 5, 6, 7));
    CHECK(p.defects() == 0);
  });
}

TEST_CASE("layout mappings / layout_right, layout_left / both spellings of the page's example",
          "[clauses]") {
  in_kernel([](const probe& p) {
    int x[] = {0, 1, 2, 3, 4, 5};
    const auto row = [](const auto& t, int i) {
      return stored(ct::partition_view{t, ct::shape<1, 2>{}}.load(i, 0));
    };
    const ct::tensor_span r1{&x[0], ct::extents{2_ic, 3_ic}, ct::layout_right{}};
    const ct::tensor_span r2{&x[0], ct::layout_right_mapping{ct::extents{2_ic, 3_ic}}};
    CHECK(row(r1, 1) == ints(3, 4));
    CHECK(row(r2, 1) == ints(3, 4));
    const ct::tensor_span l1{&x[0], ct::extents{2_ic, 3_ic}, ct::layout_left{}};
    const ct::tensor_span l2{&x[0], ct::layout_left_mapping{ct::extents{2_ic, 3_ic}}};
    CHECK(row(l1, 1) == ints(1, 3));
    CHECK(row(l2, 1) == ints(1, 3));
    CHECK(p.defects() == 0);
  });
}

TEST_CASE("layout mappings / layout_strided / strides at run time, static, or as extents",
          "[clauses]") {
  in_kernel([](const probe& p) {
    auto x = counted<int, 64>();
    const auto tile_at = [](const auto& t) {
      return stored(ct::partition_view{t, ct::shape<2, 2>{}}.load(0, 1));
    };
    const ct::extents e{2_ic, 4};
    CHECK(tile_at(ct::tensor_span{x.data(), ct::layout_strided_mapping{e, ct::strides{20, 3}}}) ==
          ints(6, 9, 26, 29));
    CHECK(tile_at(
              ct::tensor_span{x.data(), ct::layout_strided_mapping{e, ct::strides{20_ic, 3_ic}}}) ==
          ints(6, 9, 26, 29));
    CHECK(
        tile_at(ct::tensor_span{x.data(), ct::layout_strided_mapping{e, ct::extents{20, 3_ic}}}) ==
        ints(6, 9, 26, 29));
    // read alone, elements may share their place
    CHECK(tile_at(ct::tensor_span{x.data(), ct::layout_strided_mapping{e, ct::strides{0, 1}}}) ==
          ints(2, 3, 2, 3));
    CHECK(p.defects() == 0);
  });
}

TEST_CASE("layout mappings / padded layouts: rows begin at multiples of the padding", "[clauses]") {
  in_kernel([](const probe& p) {
    auto x = counted<int, 32>();
    const ct::extents e{3, 6};
    const ct::tensor_span right{x.data(), ct::layout_right_padded_mapping{e, 4}};
    CHECK(stored(ct::partition_view{right, ct::shape<2, 2>{}}.load(0, 2)) == ints(4, 5, 12, 13));
    const ct::tensor_span left{x.data(), ct::layout_left_padded_mapping{e, 4_ic}};
    CHECK(stored(ct::partition_view{left, ct::shape<2, 2>{}}.load(0, 2)) == ints(16, 20, 17, 21));
    // the padding is not part of the tensor
    CHECK(stored(ct::partition_view{right, ct::shape<1, 4>{}}.load_masked(1, 1)) ==
          ints(12, 13, 0, 0));
    CHECK(p.defects() == 0);
  });
}

namespace {

/// Rows of a pitch kept in the mapping, whose elements are two apart: no layout of the library's.
template <ct::extents_like E>
struct sparse_rows_mapping;
struct sparse_rows {
  template <ct::extents_like E>
  using mapping = sparse_rows_mapping<E>;
};
template <ct::extents_like E>
struct sparse_rows_mapping {
  using extents_type = E;
  using layout_type = sparse_rows;
  using index_type = typename E::index_type;
  using rank_type = typename E::rank_type;
  explicit sparse_rows_mapping(const E& e)
      : sizes(e) {}
  const E& extents() const { return sizes; }
  index_type stride(rank_type i) const { return i == 0 ? pitch : 2; }
  static constexpr std::size_t static_stride(rank_type i) {
    return i == 1 ? std::size_t{2} : std::size_t{ct::dynamic_stride};
  }
  static constexpr bool is_always_strided() { return true; }
  E sizes;
  index_type pitch = 16;
};

struct counting_accessor {
  using element_type = int;
  using data_handle_type = int*;
  using reference = int&;
  int uses = 0;
};

/// A span like that keeps its parts in its own way.
struct own_span {
  using element_type = const int;
  using value_type = int;
  using extents_type = ct::extents<long, ct::dynamic_extent, 4>;
  using mapping_type = ct::layout_right_mapping<extents_type>;
  using layout_type = ct::layout_right;
  using accessor_type = ct::default_accessor<const int>;
  using index_type = long;
  using rank_type = std::size_t;
  using data_handle_type = const int*;
  using reference = const int&;
  const int* data_handle() const { return &array[0][0]; }
  const mapping_type& mapping() const { return map; }
  const accessor_type& accessor() const { return access; }
  const int (*array)[4];
  mapping_type map;
  accessor_type access;
};

} // namespace
} // namespace tilesim::clauses

template <>
inline constexpr bool ct::enable_contiguous_accessor_policy<tilesim::clauses::counting_accessor> =
    true;

namespace tilesim::clauses {

TEST_CASE("general principles / layout mapping, accessor policy, tensor span like / classes of the "
          "program's own",
          "[clauses]") {
  in_kernel([](const probe& p) {
    auto x = counted<int, 64>();
    const ct::tensor_span t{x.data(), sparse_rows_mapping{ct::extents{3, 6_ic}}};
    static_assert(std::is_same_v<decltype(t)::layout_type, sparse_rows>);
    ct::partition_view v{t, ct::shape<2, 2>{}};
    CHECK(stored(v.load(0, 1)) == ints(4, 6, 20, 22));
    CHECK(stored(v.load_masked(1, 2)) == ints(40, 42, 0, 0));
    v.store(ct::full<tile<int, 2, 2>>(-1), 0, 0);
    CHECK(x[0] == -1);
    CHECK(x[1] == 1);
    CHECK(x[18] == -1);

    const ct::tensor_span a{
        x.data(), ct::layout_right_mapping{ct::extents{2, 2}}, counting_accessor{7}};
    CHECK(a.accessor().uses == 7);
    CHECK(stored(ct::partition_view{a, ct::shape<2, 2>{}}.load(0, 0)) == ints(-1, 1, -1, 3));

    const int rows[3][4] = {{0, 1, 2, 3}, {4, 5, 6, 7}, {8, 9, 10, 11}};
    const own_span s{rows, own_span::mapping_type{own_span::extents_type{3}}, {}};
    CHECK(stored(ct::partition_view{s, ct::shape<2, 2>{}}.load(0, 1)) == ints(2, 3, 6, 7));
    CHECK(stored(ct::strided_view{s, ct::shape<2, 2>{}, ct::strides<long, 1, 2>{}}.load(1, 1)) ==
          ints(6, 7, 10, 11));
    CHECK(p.defects() == 0);
  });
}

TEST_CASE("tensor span / const and volatile elements may be loaded", "[clauses]") {
  in_kernel([](const probe& p) {
    const int c[2] = {3, 4};
    volatile int v[2] = {5, 6};
    CHECK(stored(ct::partition_view{ct::tensor_span{c, ct::extents{2}}, ct::shape<2>{}}.load(0)) ==
          ints(3, 4));
    CHECK(stored(ct::partition_view{ct::tensor_span{v, ct::extents{2}}, ct::shape<2>{}}.load(0)) ==
          ints(5, 6));
    CHECK(p.defects() == 0);
  });
}

// ------------------------------------------------------------------------------ partition view

TEST_CASE("partition view / the page's example: tile (1,2) of a 4x8 array", "[clauses]") {
  in_kernel([](const probe& p) {
    int x[4][8] = {{0, 1, 2, 3, 4, 5, 6, 7},
                   {8, 9, 10, 11, 12, 13, 14, 15},
                   {16, 17, 18, 19, 20, 21, 22, 23},
                   {24, 25, 26, 27, 28, 29, 30, 31}};
    const ct::tensor_span t{&x[0][0], ct::extents{4_ic, 8_ic}};
    const ct::partition_view v{t, ct::shape<2, 2>{}};
    CHECK(stored(v.load(1, 2)) == ints(20, 21, 28, 29));
    CHECK(p.defects() == 0);
  });
}

TEST_CASE("partition view / load, store / every element type", "[clauses]") {
  in_kernel([](const probe& p) {
    const auto check = [&]<class E>() {
      CAPTURE(type_name<E>());
      std::array<E, 12> x{};
      std::array<E, 12> y{};
      for (std::size_t i = 0; i < 12; ++i) {
        x[i] = static_cast<E>(static_cast<float>(i % 2 == 0 ? 0 : i));
      }
      const ct::extents e{3_ic, 4_ic};
      const ct::partition_view from{ct::tensor_span{x.data(), e}, ct::shape<1, 2>{}};
      const ct::partition_view to{ct::tensor_span{y.data(), e}, ct::shape<1, 2>{}};
      for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 2; ++j) {
          to.store(from.load(i, j), i, j);
        }
      }
      CHECK(std::memcmp(x.data(), y.data(), sizeof x) == 0);
    };
    for_each_type(signed_types{}, check);
    for_each_type(unsigned_types{}, check);
    for_each_type(basic_floating_point_types{}, check);
    CHECK(p.defects() == 0);
  });
}

TEST_CASE("partition view / rank 0: one element, no index", "[clauses]") {
  in_kernel([](const probe& p) {
    int x = 41;
    const ct::partition_view v{ct::tensor_span{&x, ct::extents{}}, ct::shape<>{}};
    CHECK(stored(v.load()) == 41);
    v.store(tile<int>(5));
    CHECK(x == 5);
    v.store(6);
    CHECK(stored(v.load_masked()) == 6);
    v.atomic_add(1, relaxed{}, device{});
    CHECK(x == 7);
    CHECK(p.defects() == 0);
  });
}

TEST_CASE("partition view / indices of any arithmetic type are converted to the span's index type",
          "[clauses]") {
  in_kernel([](const probe& p) {
    auto x = counted<int, 8>();
    const ct::partition_view v{ct::tensor_span{x.data(), ct::extents{8}}, ct::shape<2>{}};
    CHECK(stored(v.load(true)) == ints(2, 3));
    CHECK(stored(v.load('\3')) == ints(6, 7));
    CHECK(stored(v.load(2UL)) == ints(4, 5));
    CHECK(stored(v.load(2.75f)) == ints(4, 5));
    CHECK(stored(v.load(1.0)) == ints(2, 3));
    CHECK(stored(v.load(__half(3.0f))) == ints(6, 7));
    // an index type of 32 bits keeps the low 32
    CHECK(stored(v.load(0x1'0000'0001L)) == ints(2, 3));
    CHECK(p.defects() == 0);
    // one of 64 keeps them all
    const ct::partition_view wide{
        ct::tensor_span{x.data(), ct::extents<long, ct::dynamic_extent>{8}}, ct::shape<2>{}};
    CHECK(stored(wide.load(3)) == ints(6, 7));
    CHECK(p.defects() == 0);
    CHECK(p.meets(finding_kind::view_index, [&] { wide.load(0x1'0000'0001L); }));
    // a number that the index type cannot hold: the conversion is undefined, and so is the index
    v.load(1e30f);
    CHECK(p.defects(finding_kind::conversion_out_of_range) == 1);
    CHECK(p.defects(finding_kind::view_index) == 2);
  });
}

TEST_CASE("partition view / load_masked / elements outside are padding", "[clauses]") {
  in_kernel([](const probe& p) {
    auto x = counted<float, 15>();
    const ct::tensor_span t{x.data(), ct::extents{3, 5_ic}};
    const ct::partition_view v{t, ct::shape<2, 4>{}};
    CHECK(stored(v.load_masked(1, 1)) == std::array<float, 8>{14, 0, 0, 0, 0, 0, 0, 0});
    CHECK(stored(v.load_masked(0, 1)) == std::array<float, 8>{4, 0, 0, 0, 9, 0, 0, 0});
    CHECK(stored(v.load_masked(0, 0)) == stored(v.load(0, 0)));
    const auto outside = [&](const auto& loaded_tile) { return stored(loaded_tile)[7]; };
    const float inf = std::numeric_limits<float>::infinity();
    CHECK(outside(v.load_masked<ct::view_padding::positive_inf>(1, 1)) == inf);
    CHECK(outside(v.load_masked(ct::view_padding_negative_inf_t{}, 1, 1)) == -inf);
    CHECK(std::isnan(outside(v.load_masked<ct::view_padding::nan>(1, 1))));
    CHECK(std::signbit(outside(v.load_masked<ct::view_padding::negative_zero>(1, 1))));
    CHECK_FALSE(std::signbit(outside(v.load_masked(ct::view_padding_zero_t{}, 1, 1))));
    CHECK(stored(v.load_masked<ct::view_padding::nan>(1, 1))[0] == 14);
    CHECK(p.defects() == 0);
  });
}

namespace {

template <class E, class Word>
void check_paddings(Word negative_zero, Word positive_inf, Word negative_inf, Word nan) {
  E x{};
  const ct::partition_view v{ct::tensor_span{&x, ct::extents{1}}, ct::shape<2>{}};
  const auto bits = [&](const auto& t) { return stored(ct::element_bitcast<Word>(t))[1]; };
  CHECK(bits(v.load_masked(0)) == 0);
  CHECK(bits(v.template load_masked<ct::view_padding::negative_zero>(0)) == negative_zero);
  CHECK(bits(v.template load_masked<ct::view_padding::positive_inf>(0)) == positive_inf);
  CHECK(bits(v.template load_masked<ct::view_padding::negative_inf>(0)) == negative_inf);
  CHECK(bits(v.template load_masked<ct::view_padding::nan>(0)) == nan);
  CHECK(bits(v.template atomic_load_masked<ct::view_padding::nan, ct::memory_order::relaxed>(0)) ==
        nan);
}

} // namespace

TEST_CASE("partition view / load_masked / the bits of every padding in every basic format",
          "[clauses]") {
  in_kernel([](const probe& p) {
    check_paddings<__half, std::uint16_t>(0x8000, 0x7c00, 0xfc00, 0x7fff);
    check_paddings<__nv_bfloat16, std::uint16_t>(0x8000, 0x7f80, 0xff80, 0x7fff);
    check_paddings<float, std::uint32_t>(0x80000000, 0x7f800000, 0xff800000, 0x7fffffff);
    check_paddings<double, std::uint64_t>(
        0x8000000000000000, 0x7ff0000000000000, 0xfff0000000000000, 0x7ff8000000000000);
    CHECK(p.defects() == 0);
  });
}

TEST_CASE("partition view / store_masked / elements outside are not written", "[clauses]") {
  in_kernel([](const probe& p) {
    std::array<int, 16> x{}; // 3x5, and one more behind it
    const ct::partition_view v{ct::tensor_span{x.data(), ct::extents{3, 5}}, ct::shape<2, 4>{}};
    v.store_masked(ct::full<tile<int, 2, 4>>(7), 1, 1);
    v.store_masked(ct::full<tile<short, 2, 4>>(short{8}), 0, 1); // widened
    CHECK(x == std::array<int, 16>{0, 0, 0, 0, 8, 0, 0, 0, 0, 8, 0, 0, 0, 0, 7, 0});
    CHECK(p.defects() == 0);
  });
}

TEST_CASE("partition view / an index outside the index space is undefined, masked or not",
          "[clauses]") {
  in_kernel([](const probe& p) {
    auto x = counted<int, 40>();
    const ct::partition_view v{ct::tensor_span{x.data(), ct::extents{3, 5}}, ct::shape<2, 4>{}};
    const auto ones = ct::ones<tile<int, 2, 4>>();
    constexpr auto kind = finding_kind::view_index;
    v.load_masked(1, 1); // the last tile
    CHECK(p.defects() == 0);
    CHECK(p.meets(kind, [&] { v.load_masked(2, 0); }));
    CHECK(p.meets(kind, [&] { v.load_masked(0, 2); }));
    CHECK(p.meets(kind, [&] { v.load_masked(-1, 0); }));
    CHECK(p.meets(kind, [&] { v.load(0, 2); }));
    CHECK(p.meets(kind, [&] { v.store(ones, 2, 0); }));
    CHECK(p.meets(kind, [&] { v.store_masked(ones, 0, -1); }));
    CHECK(p.meets(kind, [&] { v.atomic_load<ct::memory_order::acquire>(9, 9); }));
    CHECK(p.meets(kind, [&] { v.atomic_add(ones, relaxed{}, device{}, 0, 2); }));
    // nothing is read or written there
    CHECK(stored(v.load_masked(2, 0)) == std::array<int, 8>{});
    CHECK(x == counted<int, 40>());
    // a tensor without elements has no tiles
    const ct::partition_view none{ct::tensor_span{x.data(), ct::extents{3, 0}}, ct::shape<2, 4>{}};
    CHECK(p.meets(kind, [&] { none.load_masked(0, 0); }));
  });
}

TEST_CASE("partition view / without a mask the tile lies inside, else it is undefined",
          "[clauses]") {
  in_kernel([](const probe& p) {
    auto x = counted<int, 40>();
    const ct::partition_view v{ct::tensor_span{x.data(), ct::extents{3, 5}}, ct::shape<2, 4>{}};
    const auto sevens = ct::full<tile<int, 2, 4>>(7);
    constexpr auto kind = finding_kind::view_bounds;
    v.load(0, 0);
    v.store(v.load(0, 0), 0, 0);
    CHECK(p.defects() == 0);
    CHECK(p.meets(kind, [&] { v.load(1, 0); }));
    CHECK(p.meets(kind, [&] { v.load(0, 1); }));
    CHECK(p.meets(kind, [&] { v.atomic_load(relaxed{}, 0, 1); }));
    // the run goes on with what lies inside
    CHECK(stored(v.load(0, 1))[0] == 4);
    CHECK(stored(v.load(0, 1))[4] == 9);
    CHECK(p.meets(kind, [&] { v.store(sevens, 0, 1); }));
    CHECK(x[4] == 7);
    CHECK(x[5] == 5);
    CHECK(x[9] == 7);
    CHECK(x[10] == 10);
    CHECK(p.meets(kind, [&] { v.atomic_store(sevens, relaxed{}, 1, 1); }));
    CHECK(x[14] == 7);
    CHECK(x[15] == 15);
    CHECK(p.meets(kind, [&] { v.atomic_add(sevens, relaxed{}, device{}, 1, 1); }));
    CHECK(x[14] == 14);
    CHECK(x[15] == 15);
  });
}

TEST_CASE("partition view / atomic_load, atomic_store / orders, scopes and spellings",
          "[clauses]") {
  in_kernel([](const probe& p) {
    auto x = counted<long, 10>();
    const ct::partition_view v{ct::tensor_span{x.data(), ct::extents{10}}, ct::shape<4>{}};
    using order = ct::memory_order;
    using longs = std::array<long, 4>;
    CHECK(stored(v.atomic_load<order::acquire>(1)) == longs{4, 5, 6, 7});
    CHECK(stored(v.atomic_load<order::relaxed, ct::thread_scope::block>(1)) == longs{4, 5, 6, 7});
    CHECK(stored(v.atomic_load(relaxed{}, 1)) == longs{4, 5, 6, 7});
    CHECK(stored(v.atomic_load(relaxed{}, device{}, 1)) == longs{4, 5, 6, 7});
    CHECK(stored(v.atomic_load_masked<ct::view_padding::zero, order::acquire>(2)) ==
          longs{8, 9, 0, 0});
    CHECK(stored(v.atomic_load_masked(ct::view_padding_zero_t{}, relaxed{}, block{}, 2)) ==
          longs{8, 9, 0, 0});
    v.atomic_store<order::release>(ct::full<tile<int, 4>>(-1), 0);
    v.atomic_store_masked(ct::full<tile<long, 4>>(-2), relaxed{}, device{}, 2);
    CHECK(x == std::array<long, 10>{-1, -1, -1, -1, 4, 5, 6, 7, -2, -2});
    CHECK(p.defects() == 0);
  });
}

TEST_CASE("partition view / atomic_add … atomic_min / each is what its name says", "[clauses]") {
  in_kernel([](const probe& p) {
    std::array<int, 4> x{12, -5, 7, 100};
    const ct::partition_view v{ct::tensor_span{x.data(), ct::extents{4}}, ct::shape<4>{}};
    const auto arg = loaded<4>(std::array{10, 3, -9, 100});
    const auto after = [&](auto op) {
      x = {12, -5, 7, 100};
      op();
      return x;
    };
    CHECK(after([&] { v.atomic_add(arg, relaxed{}, device{}, 0); }) == std::array{22, -2, -2, 200});
    CHECK(after([&] { v.atomic_sub(arg, relaxed{}, block{}, 0); }) == std::array{2, -8, 16, 0});
    CHECK(after([&] { v.atomic_and(arg, relaxed{}, device{}, 0); }) ==
          std::array{12 & 10, -5 & 3, 7 & -9, 100});
    CHECK(after([&] { v.atomic_or(arg, relaxed{}, device{}, 0); }) ==
          std::array{12 | 10, -5 | 3, 7 | -9, 100});
    CHECK(after([&] { v.atomic_xor(arg, relaxed{}, device{}, 0); }) ==
          std::array{12 ^ 10, -5 ^ 3, 7 ^ -9, 0});
    CHECK(after([&] { v.atomic_max(arg, relaxed{}, device{}, 0); }) == std::array{12, 3, 7, 100});
    CHECK(after([&] { v.atomic_min(arg, relaxed{}, device{}, 0); }) == std::array{10, -5, -9, 100});
    CHECK(p.defects() == 0);
    x = {std::numeric_limits<int>::max(), 0, 0, 0};
    CHECK(
        p.meets(finding_kind::atomic_overflow, [&] { v.atomic_add(arg, relaxed{}, device{}, 0); }));
    x = {0, 0, 0, 0};
    const auto least = ct::full<tile<int, 4>>(std::numeric_limits<int>::min());
    CHECK(p.meets(finding_kind::atomic_overflow, // its negation
                  [&] { v.atomic_sub(least, relaxed{}, device{}, 0); }));
    std::array<unsigned, 4> u{0xffff'ffff, 5, 7, 1};
    const ct::partition_view w{ct::tensor_span{u.data(), ct::extents{4}}, ct::shape<4>{}};
    CHECK_FALSE(p.is_undefined(
        [&] { w.atomic_add(ct::full<tile<unsigned, 4>>(2U), relaxed{}, device{}, 0); }));
    w.atomic_max(ct::full<tile<unsigned, 4>>(0x8000'0000U), relaxed{}, device{}, 0);
    CHECK(u == std::array{0x8000'0000U, 0x8000'0000U, 0x8000'0000U, 0x8000'0000U});
    std::array<float, 4> f{0.5f, 1, 2, -3};
    const ct::partition_view z{ct::tensor_span{f.data(), ct::extents{4}}, ct::shape<4>{}};
    z.atomic_add(ct::full<tile<__half, 4>>(__half(0.25f)), relaxed{}, device{}, 0);
    z.atomic_sub(ct::full<tile<float, 4>>(1.0f), relaxed{}, device{}, 0);
    CHECK(f == std::array{-0.25f, 0.25f, 1.25f, -3.75f});
  });
}

// The elements of one call have no order, so two weak writes of one call to one place race, even of
// equal values; atomic ones do not.  [general principles: data races]
TEST_CASE("general principles / data races / elements of a store that share their place",
          "[clauses]") {
  in_kernel([](const probe& p) {
    std::array<int, 64> x{};
    constexpr auto kind = finding_kind::overlapping_store;
    const auto view_with = [&](int rows, int columns) {
      return ct::partition_view{
          ct::tensor_span{
              x.data(), ct::layout_strided_mapping{ct::extents{4, 8}, ct::strides{rows, columns}}},
          ct::shape<2, 4>{}};
    };
    const auto ones = ct::ones<tile<int, 2, 4>>();
    CHECK(p.meets(kind, [&] { view_with(0, 1).store(ones, 0, 0); }));
    CHECK(p.meets(kind, [&] { view_with(3, 1).store_masked(ones, 1, 1); }));
    CHECK(p.meets(kind, [&] { view_with(1, 1).store(ones, 0, 0); }));
    // apart, though rows interleave
    CHECK_FALSE(p.is_undefined([&] { view_with(8, 1).store(ones, 0, 0); }));
    CHECK_FALSE(p.is_undefined([&] { view_with(4, 1).store(ones, 0, 0); }));
    CHECK_FALSE(p.is_undefined([&] { view_with(1, 2).store(ones, 0, 0); }));
    CHECK_FALSE(p.is_undefined([&] { view_with(3, 2).store(ones, 0, 0); }));
    // loads and atomics may
    CHECK_FALSE(p.is_undefined([&] { view_with(0, 1).load(0, 0); }));
    CHECK_FALSE(p.is_undefined([&] { view_with(0, 1).atomic_store(ones, relaxed{}, 0, 0); }));
    x = {};
    CHECK_FALSE(
        p.is_undefined([&] { view_with(0, 1).atomic_add(ones, relaxed{}, device{}, 0, 0); }));
    CHECK(x[0] == 2);
    // one row of the tile alone lies inside: nothing is written twice
    const ct::partition_view last{
        ct::tensor_span{x.data(), ct::layout_strided_mapping{ct::extents{3, 8}, ct::strides{0, 1}}},
        ct::shape<2, 4>{}};
    CHECK_FALSE(p.is_undefined([&] { last.store_masked(ones, 1, 0); }));
  });
}

// ------------------------------------------------------------------------------- strided view

TEST_CASE("strided view / the page's example: 2x2 tiles, strides 3 and 4, rows of 10",
          "[clauses]") {
  in_kernel([](const probe& p) {
    auto x = counted<int, 40>();
    const ct::tensor_span t{x.data(), ct::extents{4_ic, 10_ic}};
    const ct::strided_view v{t, ct::shape<2, 2>{}, ct::strides{3_ic, 4_ic}};
    CHECK(stored(v.load(0, 1)) == ints(4, 5, 14, 15));
    CHECK(stored(v.load(0, 2)) == ints(8, 9, 18, 19));
    CHECK(stored(v.load_masked(1, 1)) == ints(34, 35, 0, 0));
    v.store_masked(ct::full<tile<int, 2, 2>>(-1), 1, 2);
    CHECK(x[38] == -1);
    CHECK(x[39] == -1);
    v.atomic_add(ct::ones<tile<int, 2, 2>>(), relaxed{}, device{}, 0, 0);
    CHECK(x[0] == 1);
    CHECK(x[11] == 12);
    CHECK(p.defects() == 0);
    // 2 x 3 tiles: ceil(4/3) x ceil(10/4)
    CHECK(p.meets(finding_kind::view_index, [&] { v.load_masked(2, 0); }));
    CHECK(p.meets(finding_kind::view_index, [&] { v.load_masked(0, 3); }));
    CHECK(p.meets(finding_kind::view_bounds, [&] { v.load(1, 0); }));
  });
}

TEST_CASE("strided view / tiles may overlap or leave gaps", "[clauses]") {
  in_kernel([](const probe& p) {
    auto x = counted<int, 9>();
    const ct::tensor_span t{x.data(), ct::extents{9}};
    const ct::strided_view overlapping{t, ct::shape<4>{}, ct::strides{1_ic}};
    CHECK(stored(overlapping.load(0)) == ints(0, 1, 2, 3));
    CHECK(stored(overlapping.load(5)) == ints(5, 6, 7, 8));
    CHECK(stored(overlapping.load_masked(8)) == ints(8, 0, 0, 0));
    const ct::strided_view apart{t, ct::shape<2>{}, ct::strides{5_ic}};
    CHECK(stored(apart.load(1)) == ints(5, 6));
    CHECK(p.defects() == 0);
    CHECK(p.meets(finding_kind::view_index, [&] { overlapping.load_masked(9); }));
    CHECK(p.meets(finding_kind::view_index, [&] { apart.load_masked(2); }));
  });
}

// ------------------------------------------------------------------------- gather scatter view

TEST_CASE("gather scatter view / rows by a tile of indices, columns from a first one",
          "[clauses]") {
  in_kernel([](const probe& p) {
    auto x = counted<int, 40>();
    const ct::tensor_span t{x.data(), ct::extents{5, 8_ic}};
    const ct::gather_scatter_view v{t, ct::shape<4, 2>{}, 0_ic};
    const auto rows = loaded<4>(std::array{4, 0, 2, 2});
    // the scalar index counts elements, not tiles
    CHECK(stored(v.load(rows, 3)) == ints(35, 36, 3, 4, 19, 20, 19, 20));
    CHECK(p.defects() == 0);
    v.store(ct::zeros<tile<int, 4, 2>>(), loaded<4>(std::array{1, 0, 4, 3}), 6);
    CHECK(x[6] + x[7] + x[14] + x[15] + x[30] + x[31] + x[38] + x[39] == 0);
    CHECK(x[22] == 22);
    CHECK(p.defects() == 0);
  });
}

TEST_CASE("gather scatter view / columns by a tile of indices", "[clauses]") {
  in_kernel([](const probe& p) {
    auto x = counted<int, 40>();
    const ct::tensor_span t{x.data(), ct::extents{5, 8}};
    const ct::gather_scatter_view v{t, ct::shape<2, 4>{}, 1_ic};
    CHECK(stored(v.load(1, loaded<4>(std::array<long, 4>{7, 0, 3, 3}))) ==
          ints(15, 8, 11, 11, 23, 16, 19, 19));
    CHECK(stored(v.load(1.9f, loaded<4>(std::array{7.5f, 0.f, 3.f, 3.f}))) ==
          ints(15, 8, 11, 11, 23, 16, 19, 19));
    CHECK(p.defects() == 0);
  });
}

TEST_CASE("gather scatter view / masked: elements outside are padding, or not written",
          "[clauses]") {
  in_kernel([](const probe& p) {
    auto x = counted<float, 12>();
    const ct::tensor_span t{x.data(), ct::extents{3, 4}};
    const ct::gather_scatter_view v{t, ct::shape<4, 2>{}, 0_ic};
    const auto rows = loaded<4>(std::array{2, 3, -1, 0});
    CHECK(stored(v.load_masked(rows, 3)) == std::array<float, 8>{11, 0, 0, 0, 0, 0, 3, 0});
    CHECK(stored(v.load_masked<ct::view_padding::negative_inf>(rows, 1))[2] ==
          -std::numeric_limits<float>::infinity());
    CHECK(stored(v.atomic_load_masked(ct::view_padding_zero_t{}, relaxed{}, rows, 1))[1] == 10);
    v.store_masked(ct::full<tile<float, 4, 2>>(-1.0f), rows, 3);
    v.atomic_store_masked(ct::full<tile<float, 4, 2>>(-2.0f), relaxed{}, device{}, rows, 0);
    CHECK(x == std::array<float, 12>{-2, -2, 2, -1, 4, 5, 6, 7, -2, -2, 10, -1});
    CHECK(p.defects() == 0);
    // without a mask it is undefined
    CHECK(p.meets(finding_kind::view_bounds, [&] { v.load(rows, 0); }));
    CHECK(p.meets(finding_kind::view_bounds, [&] {
      v.load(loaded<4>(std::array{0, 1, 2, 2}), 3);
    }));
    CHECK(p.meets(finding_kind::view_bounds,
                  [&] { v.atomic_store(ct::zeros<tile<float, 4, 2>>(), relaxed{}, rows, 0); }));
    CHECK(p.meets(finding_kind::view_index, [&] { v.load_masked(rows, 4); }));
  });
}

TEST_CASE("gather scatter view / an index listed twice may be loaded, not stored", "[clauses]") {
  in_kernel([](const probe& p) {
    auto x = counted<int, 12>();
    const ct::tensor_span t{x.data(), ct::extents{3, 4}};
    const ct::gather_scatter_view v{t, ct::shape<2, 2>{}, 0_ic};
    const auto twice = ct::ones<tile<int, 2>>();
    const auto outside = loaded<2>(std::array{-1, -1});
    const auto zeros = ct::zeros<tile<int, 2, 2>>();
    constexpr auto kind = finding_kind::overlapping_store;
    CHECK_FALSE(p.is_undefined([&] { v.load(twice, 0); }));
    CHECK(p.meets(kind, [&] { v.store(zeros, twice, 0); }));
    CHECK(p.meets(kind, [&] { v.store_masked(zeros, twice, 0); }));
    CHECK_FALSE(p.is_undefined([&] { v.atomic_store(zeros, relaxed{}, twice, 0); }));
    CHECK_FALSE(p.is_undefined([&] { v.store_masked(zeros, outside, 0); }));
    CHECK_FALSE(p.is_undefined([&] { v.store(zeros, ct::iota<tile<int, 2>>(), 0); }));
  });
}

} // namespace tilesim::clauses
