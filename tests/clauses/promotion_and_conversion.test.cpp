// Arithmetic Promotion, and the examples of the pages: of arithmetic operations, word for word, and
// those of general principles that are about the operands of arithmetic.
// SPDX-License-Identifier: Apache-2.0
#include <limits>
#include <tests/clauses/integers.hpp>

namespace tilesim::clauses {
namespace {

/// +x of T is a tile of Promoted with the same numbers.
template <class T, class Promoted>
void check_promotion(const probe& p) {
  CAPTURE(type_name<T>());
  const auto values = edges<T>();
  const auto promoted = +loaded<4, 4>(values);
  static_assert(std::is_same_v<decltype(promoted), const tile<Promoted, 4, 4>>);
  const auto got = stored(promoted);
  int wrong = 0;
  for (std::size_t i = 0; i < 16; ++i) {
    wrong += static_cast<wide>(got[i]) != static_cast<wide>(values[i]);
    wrong += stored(+tile<T>(values[i])) != got[i];
  }
  CHECK(wrong == 0);
  CHECK(p.defects() == 0);
}

} // namespace

TEST_CASE("arithmetic operations / Arithmetic Promotion / integers as C++ promotes them, numbers "
          "unchanged",
          "[clauses]") {
  in_kernel([](const probe& p) {
    check_promotion<bool, int>(p);
    check_promotion<char, int>(p);
    check_promotion<signed char, int>(p);
    check_promotion<unsigned char, int>(p);
    check_promotion<char8_t, int>(p);
    check_promotion<short, int>(p);
    check_promotion<unsigned short, int>(p);
    check_promotion<char16_t, int>(p);
    check_promotion<int, int>(p);
    check_promotion<wchar_t, decltype(+L'\0')>(p);
    check_promotion<unsigned, unsigned>(p);
    check_promotion<char32_t, unsigned>(p);
    check_promotion<long, long>(p);
    check_promotion<unsigned long, unsigned long>(p);
    check_promotion<long long, long long>(p);
    check_promotion<unsigned long long, unsigned long long>(p);
  });
}

TEST_CASE("arithmetic operations / Arithmetic Promotion / floating point stays", "[clauses]") {
  in_kernel([](const probe&) {
    for_each_type(basic_floating_point_types{}, []<class T>() {
      const auto x = loaded<2>(std::array{T(-0.0F), T(1.5F)});
      static_assert(std::is_same_v<decltype(+x), tile<T, 2>>);
      const auto got = stored(+x);
      CHECK(std::signbit(static_cast<float>(got[0])));
      CHECK(static_cast<float>(got[1]) == 1.5F);
    });
  });
}

// Without promotion: every operation but unary + keeps the type of two equal operands.
TEST_CASE("general principles / Arithmetic Common Type / no promotion", "[clauses]") {
  in_kernel([](const probe& p) {
    const auto a = tile<signed char>(static_cast<signed char>(100));
    static_assert(std::is_same_v<decltype(a + a), tile<signed char>>);
    CHECK(p.is_undefined([&] { static_cast<void>(a + a); }));
    CHECK_FALSE(p.is_undefined([&] { CHECK(stored(+a + +a) == 200); }));
    // A scalar takes the type of the tile, if that is not narrowing.
    const auto b = ct::full<tile<int, 2>>(1000000000);
    CHECK(stored(b + static_cast<short>(1))[0] == 1000000001);
    CHECK(p.is_undefined([&] { static_cast<void>(b * static_cast<signed char>(3)); }));
    CHECK_FALSE(p.is_undefined([&] { static_cast<void>(b * tile<long>(3L)); }));
  });
}

// ---------------------------------------------------------------------- the pages' own examples

TEST_CASE("example: addition of an int scalar and a 2x2 float tile", "[clauses][example]") {
  in_kernel([](const probe& p) {
    namespace ct = ::cuda::tiles;
    using i32x2x2 = ct::tile<int, ct::shape<2, 2>>;
    using f32x2x2 = ct::tile<float, ct::shape<2, 2>>;

    float data[2][2] = {
        {0.0, 1.5},
        {3.0, 3.5},
    };

    f32x2x2 x = ct::load(&data[0][0] + ct::iota<i32x2x2>());
    f32x2x2 result = 5 + x;

    CHECK(stored(result) == std::array{5.0F, 6.5F, 8.0F, 8.5F});
    CHECK(p.defects() == 0);
  });
}

TEST_CASE("example: addition rounded toward negative infinity", "[clauses][example]") {
  in_kernel([](const probe& p) {
    namespace ct = ::cuda::tiles;
    float eps = 0x0.000002p0f;
    float result = ct::add(8.0f, 5 * eps, ct::round_toward_negative_t{});

    CHECK(result == 8.0F);
    // ... where the default mode rounds up.
    CHECK(ct::add(8.0F, 5 * eps) == 0x1.000002p3F);
    CHECK(p.defects() == 0);
  });
}

TEST_CASE("example: promotion of a 2x2 char tile", "[clauses][example]") {
  in_kernel([](const probe& p) {
    namespace ct = ::cuda::tiles;
    using i8x2x2 = ct::tile<char, ct::shape<2, 2>>;
    using i32x2x2 = ct::tile<int, ct::shape<2, 2>>;

    char data[2][2] = {
        {0, 1},
        {2, 3},
    };

    i8x2x2 x = ct::load(&data[0][0] + ct::iota<i32x2x2>());
    i32x2x2 result = +x;

    CHECK(stored(result) == std::array{0, 1, 2, 3});
    CHECK(p.defects() == 0);
  });
}

TEST_CASE("example: subtraction flushed to zero", "[clauses][example]") {
  in_kernel([](const probe& p) {
    namespace ct = ::cuda::tiles;
    float result = ct::sub(
        0x1.1p-126f, 0x1.0p-126f, ct::round_ties_to_even_t{}, ct::round_subnormals_to_zero_t{});

    CHECK(result == 0.0F);
    // ... where the default mode preserves the subnormal.
    CHECK(ct::sub(0x1.1p-126F, 0x1.0p-126F) == 0x0.1p-126F);
    CHECK(p.defects() == 0);
  });
}

TEST_CASE("example: arithmetic conversion of a 1x2 float and a 2x1 double tile",
          "[clauses][example]") {
  in_kernel([](const probe&) {
    const auto l = loaded<1, 2>(std::array{2.0F, 6.0F});
    const auto r = loaded<2, 1>(std::array{4.0, 1.0});
    const auto result = l - r;
    static_assert(std::is_same_v<decltype(result), const tile<double, 2, 2>>);
    CHECK(stored(result) == std::array{-2.0, 2.0, 1.0, 5.0});
  });
}

TEST_CASE("example: 2.0 * tile<int> is ill-formed, 2.0 == tile<int> is not", "[clauses][example]") {
  const auto multiplies = []<class L, class R>(L, R) {
    return requires(L l, R r) {
      l* r;
    };
  };
  const auto equates = []<class L, class R>(L, R) {
    return requires(L l, R r) {
      l == r;
    };
  };
  static_assert(!multiplies(2.0, tile<int, 4>{}) && equates(2.0, tile<int, 4>{}));
  in_kernel([](const probe&) {
    CHECK(stored(2.0 == ct::iota<tile<int, 4>>()) == std::array{false, false, true, false});
  });
}

TEST_CASE("example: (2 + 9 * iota) % 16", "[clauses][example]") {
  in_kernel([](const probe&) {
    const auto offsets = (2 + 9 * ct::iota<tile<int, 2, 2>>()) % 16;
    CHECK(stored(offsets) == std::array{2, 11, 4, 13});
  });
}

TEST_CASE("example: an 8x2 and a 4x1x2 tile broadcast to 4x8x2", "[clauses][example]") {
  in_kernel([](const probe&) {
    const auto a = ct::iota<tile<int, 8, 2>>();
    const auto b = 100 * ct::iota<tile<int, 4, 1, 2>>();
    const auto r = a + b;
    static_assert(std::is_same_v<decltype(r), const tile<int, 4, 8, 2>>);
    const auto got = stored(r);
    int wrong = 0;
    for (int i = 0; i < 4; ++i) {
      for (int k = 0; k < 8; ++k) {
        for (int m = 0; m < 2; ++m) {
          wrong +=
              got[static_cast<std::size_t>(16 * i + 2 * k + m)] != 2 * k + m + 100 * (2 * i + m);
        }
      }
    }
    CHECK(wrong == 0);
  });
}

} // namespace tilesim::clauses
