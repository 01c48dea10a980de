// The clauses on tiles, their creation and manipulation: examples, every element type, and the laws
// that rearrangements obey.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <cuda_fp8.h>
#include <cuda_tf32.h>
#include <limits>
#include <numeric>
#include <tests/clauses/kernel.hpp>

namespace tilesim::clauses {
namespace {

using namespace ct::literals;

using integer_types = list<bool,
                           char,
                           signed char,
                           unsigned char,
                           char8_t,
                           short,
                           unsigned short,
                           char16_t,
                           int,
                           unsigned,
                           char32_t,
                           wchar_t,
                           long,
                           unsigned long,
                           long long,
                           unsigned long long>;
using restricted_types = list<__nv_fp8_e4m3, __nv_fp8_e5m2, __nv_tf32>;

/// The bytes of an element.
template <class E>
std::uint64_t bits(const E& x) {
  std::uint64_t result = 0;
  std::memcpy(&result, &x, sizeof x);
  return result;
}

template <class E, std::size_t N>
std::array<std::uint64_t, N> bits(const std::array<E, N>& x) {
  std::array<std::uint64_t, N> result{};
  std::transform(x.begin(), x.end(), result.begin(), [](const E& e) { return bits(e); });
  return result;
}

template <std::size_t... Extents>
auto counted() {
  return ct::iota<tile<int, Extents...>>();
}

/// 0, 1, … below N.
template <std::size_t N>
std::array<int, N> numbers() {
  std::array<int, N> x{};
  std::iota(x.begin(), x.end(), 0);
  return x;
}

} // namespace

// ---------------------------------------------------------------------------------------- creation

TEST_CASE("tile operations / full, zeros, ones / every element of every type", "[clauses]") {
  in_kernel([](const probe& p) {
    mistakes m;
    const auto check = [&]<class E>(E one, std::uint64_t bits_of_one) {
      const auto full = bits(stored(ct::full<tile<E, 2, 2>>(one)));
      const auto ones = bits(stored(ct::ones<tile<E, 2, 2>>()));
      const auto zeros = bits(stored(ct::zeros<tile<E, 2, 2>>()));
      for (std::size_t i = 0; i < 4; ++i) {
        if (full[i] != bits_of_one || ones[i] != bits_of_one || zeros[i] != 0) {
          m.add(
              "one is ", bits_of_one, ": full ", full[i], ", ones ", ones[i], ", zeros ", zeros[i]);
        }
      }
      if (bits(ct::ones<E>()) != bits_of_one || bits(ct::zeros<E>()) != 0 ||
          bits(ct::full<E>(one)) != bits_of_one) {
        m.add("scalar whose one is ", bits_of_one);
      }
    };
    for_each_type(integer_types{}, [&]<class E>() { check(E(1), 1); });
    check(__half{1.0F}, 0x3c00);
    check(__nv_bfloat16{1.0F}, 0x3f80);
    check(1.0F, 0x3f800000);
    check(1.0, 0x3ff0000000000000);
    check(__nv_fp8_e4m3{1.0F}, 0x38);
    check(__nv_fp8_e5m2{1.0F}, 0x3c);
    check(static_cast<__nv_tf32>(ct::element_cast<__nv_tf32>(1.0F)), 0x3f800000);
    CHECK(m.text().empty());
    // The argument is converted as C++ converts one; table `creation` has the narrowing ones.
    CHECK(stored(ct::full<tile<int, 2>>(static_cast<short>(2))) == std::array{2, 2});
    int cell = 0;
    CHECK(stored(ct::full<tile<int*, 2>>(&cell)) == std::array{&cell, &cell});
    CHECK(stored(ct::full<tile<int*, 2>>(nullptr)) == std::array<int*, 2>{});
    CHECK(p.defects() == 0);
  });
}

TEST_CASE("tile operations / iota / 0 to N - 1 in row-major order, in every integer type",
          "[clauses]") {
  in_kernel([](const probe& p) {
    mistakes m;
    for_each_type(integer_types{}, [&]<class E>() {
      constexpr std::size_t n = std::is_same_v<E, bool> ? 2 : 128;
      const auto x = stored(ct::iota<tile<E, n>>());
      for (std::size_t i = 0; i < n; ++i) {
        if (x[i] != static_cast<E>(i)) {
          m.add(type_name<E>(), ": element ", i);
        }
      }
      if (ct::iota<E>() != E(0)) {
        m.add(type_name<E>(), ": scalar");
      }
    });
    CHECK(m.text().empty());
    const auto byte = stored(ct::iota<tile<unsigned char, 16, 16>>());
    CHECK(byte[255] == 255);
    CHECK(stored(counted<2, 2, 2>()) == numbers<8>());
    CHECK(p.defects() == 0);
  });
}

TEST_CASE("math operations / isnan, isinf / every floating-point format", "[clauses]") {
  in_kernel([](const probe& p) {
    // Patterns: 0, the least subnormal, 1, the largest finite, infinity, two NaNs.
    const auto check = [&]<class E, class Bits>(std::array<Bits, 8> patterns,
                                                std::array<bool, 8> nan,
                                                std::array<bool, 8> inf) {
      for (const Bits sign : {Bits{0}, static_cast<Bits>(Bits{1} << (8 * sizeof(Bits) - 1))}) {
        auto x = patterns;
        for (Bits& b : x) {
          b = static_cast<Bits>(b | sign);
        }
        const auto t = ct::element_bitcast<E>(loaded<8>(x));
        CHECK(stored(ct::isnan(t)) == nan);
        CHECK(stored(ct::isinf(t)) == inf);
      }
    };
    constexpr std::array ends{false, false, false, false, false, true, true, true};
    constexpr std::array infinity{false, false, false, false, true, false, false, false};
    check.operator()<__half, std::uint16_t>(
        {0, 1, 0x3c00, 0x7bff, 0x7c00, 0x7c01, 0x7e00, 0x7fff}, ends, infinity);
    check.operator()<__nv_bfloat16, std::uint16_t>(
        {0, 1, 0x3f80, 0x7f7f, 0x7f80, 0x7f81, 0x7fc0, 0x7fff}, ends, infinity);
    check.operator()<float, std::uint32_t>(
        {0, 1, 0x3f800000, 0x7f7fffff, 0x7f800000, 0x7f800001, 0x7fc00000, 0x7fffffff},
        ends,
        infinity);
    check.operator()<double, std::uint64_t>({0,
                                             1,
                                             0x3ff0000000000000,
                                             0x7fefffffffffffff,
                                             0x7ff0000000000000,
                                             0x7ff0000000000001,
                                             0x7ff8000000000000,
                                             0x7fffffffffffffff},
                                            ends,
                                            infinity);
    check.operator()<__nv_fp8_e5m2, std::uint8_t>(
        {0, 1, 0x3c, 0x7b, 0x7c, 0x7d, 0x7e, 0x7f}, ends, infinity);
    // No infinities, one NaN.
    check.operator()<__nv_fp8_e4m3, std::uint8_t>(
        {0, 1, 0x38, 0x78, 0x7c, 0x7d, 0x7e, 0x7f},
        {false, false, false, false, false, false, false, true},
        {});
    check.operator()<__nv_tf32, std::uint32_t>(
        {0, 0x2000, 0x3f800000, 0x7f7fe000, 0x7f800000, 0x7f802000, 0x7fc00000, 0x7fffe000},
        ends,
        infinity);
    CHECK(ct::isnan(std::nanf("")));
    CHECK_FALSE(ct::isinf(1.0));
    CHECK(p.defects() == 0);
  });
}

// ------------------------------------------------------------------------------------ manipulation

TEST_CASE("tile operations / reshape / row-major order is kept", "[clauses][property]") {
  in_kernel([](const probe& p) {
    const auto x = counted<64>();
    CHECK(stored(ct::reshape<ct::shape<8, 8>>(x)) == numbers<64>());
    CHECK(stored(ct::reshape(x, ct::shape<2, 4, 8>{})) == numbers<64>());
    CHECK(stored(ct::reshape<ct::shape<64>>(ct::reshape<ct::shape<1, 2, 32, 1>>(x))) ==
          numbers<64>());
    CHECK(stored(ct::reshape<ct::shape<4, 16>>(counted<2, 8, 4>())) == numbers<64>());
    // one element, in any rank
    CHECK(stored(ct::reshape<ct::shape<1, 1>>(7)) == std::array{7});
    CHECK(stored(ct::reshape<ct::shape<>>(ct::full<tile<int, 1, 1, 1>>(7))) == 7);
    CHECK(stored(ct::reshape<ct::shape<1>>(ct::full<tile<int>>(7))) == std::array{7});
    // every element type, pointers and the restricted ones too
    const auto same = [&]<class E>(const tile<E, 2, 8>& t) {
      return stored(ct::reshape<ct::shape<4, 4>>(ct::element_bitcast<std::uint8_t>(t))) ==
             stored(ct::element_bitcast<std::uint8_t>(ct::reshape<ct::shape<4, 4>>(t)));
    };
    CHECK(same(ct::element_cast<__nv_fp8_e4m3>(counted<2, 8>())));
    CHECK(same(ct::element_cast<__nv_fp8_e5m2>(counted<2, 8>())));
    CHECK(same(counted<2, 8>() > 5));
    int cells[4] = {};
    CHECK(stored(ct::reshape<ct::shape<2, 2>>(&cells[0] + counted<4>())) ==
          std::array{&cells[0], &cells[1], &cells[2], &cells[3]});
    CHECK(p.defects() == 0);
  });
}

TEST_CASE("tile operations / broadcast / the examples, new dimensions, scalars", "[clauses]") {
  in_kernel([](const probe& p) {
    // 4x1 {1..4} to 4x8, {1,2} to 4x2  [general principles: broadcast conversion]
    const auto column = stored(ct::broadcast<ct::shape<4, 8>>(counted<4, 1>() + 1));
    int wrong = 0;
    for (std::size_t i = 0; i < 32; ++i) {
      wrong += column[i] != static_cast<int>(i / 8) + 1;
    }
    CHECK(wrong == 0);
    CHECK(stored(ct::broadcast(counted<2>() + 1, ct::shape<4, 2>{})) ==
          std::array{1, 2, 1, 2, 1, 2, 1, 2});
    CHECK(stored(ct::broadcast<ct::shape<1, 4>>(2.5F)) == std::array{2.5F, 2.5F, 2.5F, 2.5F});
    CHECK(stored(ct::broadcast<ct::shape<2, 2, 2>>(counted<2, 1>())) ==
          std::array{0, 0, 1, 1, 0, 0, 1, 1});
    static_assert(std::is_same_v<decltype(ct::broadcast<ct::shape<>>(1)), tile<int>>);
    CHECK(p.defects() == 0);
  });
}

namespace {

/// permute by a map and then by its inverse gives the tile back, and moves element i to where the
/// page says.
template <std::size_t... Map, class T>
void permute_and_back(const T& x) {
  constexpr std::size_t rank = sizeof...(Map);
  constexpr std::array<std::size_t, rank> map{Map...};
  constexpr auto inverse = [&] {
    std::array<std::size_t, rank> i{};
    for (std::size_t k = 0; k < rank; ++k) {
      i[map[k]] = k;
    }
    return i;
  }();
  const auto y = ct::permute<ct::dimension_map<Map...>>(x);
  using to = typename std::remove_cv_t<decltype(y)>::shape_type;
  using from = typename T::shape_type;
  const auto got = stored(y);
  int wrong = 0;
  for (std::size_t i = 0; i < got.size(); ++i) {
    std::array<std::size_t, rank> at{}; // of the source
    for (std::size_t k = rank, rest = i; k-- > 0; rest /= to::static_extent(k)) {
      at[map[k]] = rest % to::static_extent(k);
    }
    std::size_t flat = 0;
    for (std::size_t k = 0; k < rank; ++k) {
      flat = flat * from::static_extent(k) + at[k];
    }
    wrong += got[i] != static_cast<int>(flat);
  }
  CHECK(wrong == 0);
  [&]<std::size_t... K>(std::index_sequence<K...>) {
    CHECK(stored(ct::permute(y, ct::dimension_map<inverse[K]...>{})) == stored(x));
  }
  (std::make_index_sequence<rank>{});
}

} // namespace

TEST_CASE("tile operations / permute / result dimension k is source dimension p_k, and back",
          "[clauses][property]") {
  in_kernel([](const probe& p) {
    const auto x = counted<2, 4, 8>();
    permute_and_back<0, 1, 2>(x);
    permute_and_back<0, 2, 1>(x);
    permute_and_back<1, 0, 2>(x);
    permute_and_back<1, 2, 0>(x);
    permute_and_back<2, 0, 1>(x); // the guide's
    permute_and_back<2, 1, 0>(x);
    permute_and_back<1, 0>(counted<16, 4>());
    permute_and_back<3, 1, 0, 2>(counted<2, 1, 4, 8>());
    permute_and_back<0>(counted<8>());
    static_assert(std::is_same_v<decltype(ct::permute(x, ct::dimension_map{2_ic, 0_ic, 1_ic})),
                                 tile<int, 8, 2, 4>>);
    CHECK(p.defects() == 0);
  });
}

TEST_CASE("tile operations / transpose / swaps the first two dimensions", "[clauses][property]") {
  in_kernel([](const probe& p) {
    CHECK(stored(ct::transpose(counted<2, 4>())) == std::array{0, 4, 1, 5, 2, 6, 3, 7});
    CHECK(stored(ct::transpose(counted<2, 4, 2>())) ==
          stored(ct::permute<ct::dimension_map<1, 0, 2>>(counted<2, 4, 2>())));
    CHECK(stored(ct::transpose(ct::transpose(counted<8, 4>()))) == numbers<32>());
    CHECK(stored(ct::transpose(counted<4>())) == numbers<4>());
    CHECK(ct::transpose(5) == 5);
    CHECK(p.defects() == 0);
  });
}

namespace {

/// extract of cat gives the parts back, along dimension D; and cat of the halves gives the whole.
template <int D, class T, class... Index>
void cat_and_extract(const T& a, const T& b, Index... second) {
  const auto both = ct::cat<D>(a, b);
  using part = typename T::shape_type;
  CHECK(stored(ct::extract(both, part{}, (static_cast<void>(second), 0)...)) == stored(a));
  CHECK(stored(ct::extract(both, part{}, second...)) == stored(b));
  CHECK(stored(ct::cat(ct::extract(both, part{}, (static_cast<void>(second), 0)...),
                       ct::extract(both, part{}, second...),
                       ct::integral_constant<D>{})) == stored(both));
}

} // namespace

TEST_CASE("tile operations / cat, extract / each undoes the other", "[clauses][property]") {
  in_kernel([](const probe& p) {
    cat_and_extract<0>(counted<8>(), counted<8>() + 8, 1);
    cat_and_extract<0>(counted<2, 4>(), counted<2, 4>() + 8, 1, 0);
    cat_and_extract<1>(counted<2, 4>(), counted<2, 4>() + 8, 0, 1);
    cat_and_extract<0>(counted<2, 4, 2>(), -counted<2, 4, 2>(), 1, 0, 0);
    cat_and_extract<1>(counted<2, 4, 2>(), -counted<2, 4, 2>(), 0, 1, 0);
    cat_and_extract<2>(counted<2, 4, 2>(), -counted<2, 4, 2>(), 0, 0, 1);
    CHECK(stored(ct::cat(counted<2, 2>(), counted<2, 2>() + 4, 1_ic)) ==
          std::array{0, 1, 4, 5, 2, 3, 6, 7});
    CHECK(stored(ct::cat(counted<2, 2>(), counted<2, 2>() + 4, 0_ic)) == numbers<8>());
    // Indices count sub-tiles.
    CHECK(stored(ct::extract(counted<4, 8>(), ct::shape<2, 2>{}, 1, 3)) ==
          std::array{22, 23, 30, 31});
    CHECK(stored(ct::extract(counted<4, 8>(), ct::shape<1, 8>{}, 2, 0)) ==
          std::array{16, 17, 18, 19, 20, 21, 22, 23});
    CHECK(stored(ct::extract(3.5, ct::shape<>{})) == 3.5);
    CHECK(p.defects() == 0);
    CHECK(p.meets(finding_kind::extract_index,
                  [] { ct::extract(counted<4, 8>(), ct::shape<2, 2>{}, 2, 0); }));
    CHECK(p.meets(finding_kind::extract_index,
                  [] { ct::extract(counted<4, 8>(), ct::shape<2, 2>{}, 0, -1); }));
  });
}

TEST_CASE("tile operations / select / by a condition of any scalar type", "[clauses]") {
  in_kernel([](const probe& p) {
    const auto i = counted<4>();
    // The guide's example: +1 where i < 2, else -1.
    CHECK(stored(ct::select(i < 2, ct::full<tile<int, 4>>(+1), ct::full<tile<int, 4>>(-1))) ==
          std::array{1, 1, -1, -1});
    CHECK(stored(ct::select(i, i, -i - 9)) == std::array{-9, 1, 2, 3});
    const std::array nans{0.0F, -0.0F, std::numeric_limits<float>::quiet_NaN(), 0.5F};
    CHECK(stored(ct::select(loaded<4>(nans), i, -i - 9)) == std::array{-9, -10, 2, 3});
    // the condition is broadcast
    CHECK(stored(ct::select(counted<2, 1>() > 0, counted<2, 2>(), counted<2, 2>() - 8)) ==
          std::array{-8, -7, 2, 3});
    CHECK(stored(ct::select(true, i, -i)) == numbers<4>());
    CHECK(ct::select(0, 3, 4) == 4);
    // as bits: NaN payloads, fp8 and pointers go through
    const auto odd = ct::element_bitcast<float>(ct::full<tile<std::uint32_t, 4>>(0xffabcdefU));
    CHECK(bits(stored(ct::select(i < 4, odd, odd))) == bits(stored(odd)));
    int a = 0;
    int b = 0;
    CHECK(stored(ct::select(i < 2, ct::full<tile<int*, 4>>(&a), ct::full<tile<int*, 4>>(&b))) ==
          std::array{&a, &a, &b, &b});
    CHECK(p.defects() == 0);
  });
}

TEST_CASE("tile operations / element_cast, element_bitcast / every number between all types",
          "[clauses]") {
  in_kernel([](const probe& p) {
    mistakes m;
    // 0, 1, 2 and 3 exist in every type but bool, where 2 and 3 are true.
    const auto from = [&]<class From>() {
      const auto to = [&]<class To>() {
        const auto x = ct::element_cast<To>(ct::element_cast<From>(counted<4>()));
        const auto got = stored(ct::element_cast<int>(x));
        constexpr bool truth = std::is_same_v<From, bool> || std::is_same_v<To, bool>;
        for (int i = 0; i < 4; ++i) {
          if (got[static_cast<std::size_t>(i)] != (truth && i > 1 ? 1 : i)) {
            m.add(i,
                  " became ",
                  got[static_cast<std::size_t>(i)],
                  ", by way of ",
                  sizeof(From),
                  " and ",
                  sizeof(To),
                  " bytes");
          }
        }
      };
      for_each_type(integer_types{}, to);
      for_each_type(basic_floating_point_types{}, to);
      for_each_type(restricted_types{}, to);
    };
    for_each_type(integer_types{}, from);
    for_each_type(basic_floating_point_types{}, from);
    for_each_type(restricted_types{}, from);
    CHECK(m.text().empty());
    const std::array<std::uint32_t, 2> patterns{0x7fc12345U, 0x80000000U};
    CHECK(stored(ct::element_bitcast<std::uint32_t>(
              ct::element_bitcast<float>(loaded<2>(patterns)))) == patterns);
    CHECK(p.defects() == 0);
  });
}

// -------------------------------------------------------------------------------------------- tile

TEST_CASE("tile / one element becomes a scalar of any type, or a condition", "[clauses]") {
  in_kernel([](const probe& p) {
    tile<float, 1, 1> t = ct::full<tile<float, 1, 1>>(2.5F);
    CHECK(static_cast<float>(t) == 2.5F);
    CHECK(static_cast<int>(t) == 2);
    CHECK(double(t) == 2.5);
    CHECK(static_cast<float>(static_cast<__half>(t)) == 2.5F);
    CHECK((t ? 1 : 2) == 1);
    CHECK((ct::zeros<tile<float>>() ? 1 : 2) == 2);
    int cell = 0;
    CHECK((ct::full<tile<int*, 1>>(&cell) ? 1 : 2) == 1);
    CHECK((ct::full<tile<int*, 1>>(nullptr) ? 1 : 2) == 2);
    CHECK(p.defects() == 0);
    tile<float, 1> big = ct::full<tile<float, 1>>(3e9F);
    CHECK(p.meets(finding_kind::conversion_out_of_range, [&] { static_cast<void>(int(big)); }));
  });
}

TEST_CASE("tile / values: copies are independent, conversions implicit where they widen",
          "[clauses]") {
  in_kernel([](const probe& p) {
    tile<int, 4> a;
    a = counted<4>();
    tile<int, 4> b = a;
    a = a + 1;
    CHECK(stored(b) == numbers<4>());
    CHECK(stored(a) == std::array{1, 2, 3, 4});
    const tile<long, 4> wide = b;
    CHECK(stored(wide) == std::array{0L, 1L, 2L, 3L});
    const tile<short, 4> narrow(a);
    CHECK(stored(narrow) == std::array<short, 4>{1, 2, 3, 4});
    const tile<double> scalar = 3.0F;
    CHECK(stored(scalar) == 3.0);
    static_assert(!std::is_convertible_v<tile<int, 4>, tile<short, 4>>);
    static_assert(!std::is_convertible_v<int, tile<int, 1>>);
    static_assert(!std::is_convertible_v<tile<int>, int>);
    CHECK(p.defects() == 0);
  });
}

} // namespace tilesim::clauses
