// The clauses on reductions, scans and matrix multiplication: examples, each against its loop,
// every spelling, every type. SPDX-License-Identifier: Apache-2.0
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

using arithmetic_types = list<bool,
                              char,
                              signed char,
                              unsigned char,
                              short,
                              unsigned short,
                              int,
                              unsigned,
                              wchar_t,
                              long,
                              unsigned long,
                              __half,
                              __nv_bfloat16,
                              float,
                              double>;
using integer_types = list<char,
                           signed char,
                           unsigned char,
                           short,
                           unsigned short,
                           int,
                           unsigned,
                           long,
                           unsigned long>;

template <class E>
constexpr bool has_sign = std::is_signed_v<E> || !std::is_integral_v<E>;

constexpr float nan = std::numeric_limits<float>::quiet_NaN();
constexpr float infinity = std::numeric_limits<float>::infinity();

/// Small numbers, some equal, some negative where `sign` says so; never more than 4, so that sums
/// and products of eight are exact in every type (products: of ones and twos).
template <std::size_t N>
std::array<int, N> small(bool sign, unsigned seed = 1) {
  std::array<int, N> x{};
  for (std::size_t i = 0; i < N; ++i) {
    seed = seed * 1664525U + 1013904223U;
    x[i] = static_cast<int>((seed >> 16) % 4) - (sign ? 1 : 0);
  }
  return x;
}

/// The tile of E with these numbers, which every E has.
template <class E, std::size_t... Extents, std::size_t N>
tile<E, Extents...> numbers(const std::array<int, N>& x) {
  return ct::element_cast<E>(loaded<Extents...>(x));
}
template <class E, std::size_t... Extents>
auto as_ints(const tile<E, Extents...>& x) {
  return stored(ct::element_cast<int>(x));
}

/// What an operation on the eight elements along dimension D of a 4x8x2 or its permutations gives:
/// `combine` applied in index order.
template <class Combine>
std::array<int, 8> along_the_middle(const std::array<int, 64>& x, Combine combine) {
  std::array<int, 8> result{};
  for (std::size_t lane = 0; lane < 8; ++lane) {
    const std::size_t first = (lane / 2 * 16) + (lane % 2);
    int total = x[first];
    for (std::size_t k = 1; k < 8; ++k) {
      total = combine(total, x[first + 2 * k]);
    }
    result[lane] = total;
  }
  return result;
}

template <class Combine>
std::array<int, 64>
scanned_along_the_middle(const std::array<int, 64>& x, bool backward, Combine combine) {
  auto result = x;
  for (std::size_t lane = 0; lane < 8; ++lane) {
    const std::size_t first = (lane / 2 * 16) + (lane % 2);
    for (std::size_t k = 1; k < 8; ++k) {
      const std::size_t at = first + 2 * (backward ? 7 - k : k);
      const std::size_t before = first + 2 * (backward ? 8 - k : k - 1);
      result[at] = combine(result[before], x[at]);
    }
  }
  return result;
}

} // namespace

// -------------------------------------------------------------------------------------- reductions

TEST_CASE("reductions and scans / sum / the guide's example: iota of 2x4 along 1",
          "[clauses][example]") {
  in_kernel([](const probe& p) {
    const auto rows = ct::sum(ct::iota<tile<int, 2, 4>>(), 1_ic);
    static_assert(std::is_same_v<decltype(rows), const tile<int, 2, 1>>);
    CHECK(stored(rows) == std::array{6, 22});
    CHECK(p.defects() == 0);
  });
}

TEST_CASE("reductions and scans / each reduction is its loop, in every type", "[clauses]") {
  in_kernel([](const probe& p) {
    for_each_type(arithmetic_types{}, [&]<class E>() {
      CAPTURE(type_name<E>());
      constexpr bool truth = std::is_same_v<E, bool>;
      constexpr bool sign = has_sign<E>;
      auto x = small<64>(sign);
      if (truth) {
        for (int& v : x) {
          v = v > 1 ? 1 : 0;
        }
      }
      const auto t = numbers<E, 4, 8, 2>(x);
      const auto modulo = [&](std::array<int, 8> y) {
        for (int& v : y) {
          v = truth ? v % 2 : v; // bool: modulo 2
        }
        return y;
      };
      CHECK(as_ints(ct::sum(t, 1_ic)) == modulo(along_the_middle(x, std::plus<>())));
      CHECK(as_ints(ct::reduce_max(t, 1_ic)) ==
            along_the_middle(x, [](int a, int b) { return std::max(a, b); }));
      CHECK(as_ints(ct::reduce_min<1>(t)) ==
            along_the_middle(x, [](int a, int b) { return std::min(a, b); }));
      auto factors = x;
      for (int& v : factors) { // so that products fit 7 bits
        v = std::clamp(v, truth ? 0 : 1, truth ? 1 : 2);
      }
      for (std::size_t i = 0; i < 64; i += 8) {
        factors[i] = 1;
        factors[i + 1] = 1;
      }
      CHECK(as_ints(ct::prod<1>(numbers<E, 4, 8, 2>(factors))) ==
            along_the_middle(factors, std::multiplies<>()));
      CHECK(stored(ct::any_of(t, 1_ic)) == [&] {
        std::array<bool, 8> any{};
        const auto sums =
            along_the_middle(x, [](int a, int b) { return a != 0 || b != 0 ? 1 : 0; });
        std::transform(sums.begin(), sums.end(), any.begin(), [](int v) { return v != 0; });
        return any;
      }());
      CHECK(stored(ct::all_of<1>(t)) == [&] {
        std::array<bool, 8> all{};
        const auto sums =
            along_the_middle(x, [](int a, int b) { return a != 0 && b != 0 ? 1 : 0; });
        std::transform(sums.begin(), sums.end(), all.begin(), [](int v) { return v != 0; });
        return all;
      }());
      if constexpr (std::is_integral_v<E>) {
        CHECK(as_ints(ct::reduce_bitand(t, 1_ic)) == along_the_middle(x, std::bit_and<>()));
        CHECK(as_ints(ct::reduce_bitor<1>(t)) == along_the_middle(x, std::bit_or<>()));
        CHECK(as_ints(ct::reduce_bitxor(t, 1_ic)) == along_the_middle(x, std::bit_xor<>()));
      }
      const auto index = [&](auto better) {
        std::array<std::uint32_t, 8> at{};
        for (std::size_t lane = 0; lane < 8; ++lane) {
          const std::size_t first = (lane / 2 * 16) + (lane % 2);
          for (std::uint32_t k = 1; k < 8; ++k) {
            at[lane] = better(x[first + 2 * k], x[first + 2 * at[lane]]) ? k : at[lane];
          }
        }
        return at;
      };
      CHECK(stored(ct::max_element(t, 1_ic)) == index(std::greater<>()));
      CHECK(stored(ct::min_element<1>(t)) == index(std::less<>()));
    });
    CHECK(p.defects() == 0);
  });
}

TEST_CASE("reductions and scans / all_of, any_of / elements as C++ converts them to bool",
          "[clauses]") {
  in_kernel([](const probe& p) {
    const std::array with_nan{nan, 0.5F, -infinity, 1.0F};
    const std::array with_zero{nan, 0.5F, -0.0F, 1.0F};
    CHECK(stored(ct::all_of(loaded<4>(with_nan), 0_ic)) == std::array{true});
    CHECK(stored(ct::all_of(loaded<4>(with_zero), 0_ic)) == std::array{false});
    CHECK(stored(ct::any_of(ct::zeros<tile<__nv_fp8_e4m3, 4>>(), 0_ic)) == std::array{false});
    CHECK(stored(ct::any_of(ct::ones<tile<__nv_tf32, 4>>(), 0_ic)) == std::array{true});
    int cell = 0;
    const std::array<int*, 2> pointers{nullptr, &cell};
    CHECK(stored(ct::any_of(loaded<2>(pointers), 0_ic)) == std::array{true});
    CHECK(stored(ct::all_of(loaded<2>(pointers), 0_ic)) == std::array{false});
    CHECK(p.defects() == 0);
  });
}

TEST_CASE("reductions and scans / reduce_max, reduce_min / a NaN is passed over, or kept",
          "[clauses]") {
  in_kernel([](const probe& p) {
    const auto check = [&]<class E>() {
      CAPTURE(type_name<E>());
      const auto t = ct::element_cast<E>(loaded<4>(std::array{2.0F, nan, 5.0F, -1.0F}));
      const auto all = ct::element_cast<E>(loaded<4>(std::array{nan, nan, nan, nan}));
      const auto value = [](auto x) { return stored(ct::element_cast<float>(x))[0]; };
      CHECK(value(ct::reduce_max(t, 0_ic)) == 5);
      CHECK(value(ct::reduce_min(t, 0_ic)) == -1);
      CHECK(value(ct::reduce_max(t, 0_ic, ct::suppress_nan_t{})) == 5);
      CHECK(std::isnan(value(ct::reduce_max(t, 0_ic, ct::propagate_nan_t{}))));
      CHECK(
          std::isnan(value(ct::reduce_min<0, ct::nan_propagation_mode::propagate_nan>(t, {}, {}))));
      CHECK(std::isnan(value(ct::reduce_max(all, 0_ic))));
      CHECK(stored(ct::max_element(t, 0_ic)) == std::array{2U});
      CHECK(stored(ct::min_element(t, 0_ic)) == std::array{3U});
    };
    for_each_type(basic_floating_point_types{}, check);
    CHECK(p.defects() == 0);
  });
}

TEST_CASE("reductions and scans / sum, prod / rounding and subnormals modes reach every step",
          "[clauses]") {
  in_kernel([](const probe& p) {
    const auto thirds = loaded<4>(std::array{0x1p24F, 1.0F, 1.0F, 1.0F});
    const auto value = [](auto x) { return stored(x)[0]; };
    // halves first: (2^24 + 1) + (1 + 1)
    CHECK(value(ct::sum(thirds, 0_ic)) == 0x1p24F + 2);
    CHECK(value(ct::sum(thirds, 0_ic, ct::round_ties_to_even_t{})) == 0x1p24F + 2);
    CHECK(value(ct::sum(thirds, 0_ic, ct::round_toward_positive_t{})) == 0x1p24F + 4);
    CHECK(value(ct::sum(thirds, 0_ic, ct::round_toward_negative_t{})) == 0x1p24F + 2);
    CHECK(value(ct::prod(loaded<2>(std::array{1.1F, 1.1F}), 0_ic, ct::round_toward_zero_t{})) <
          value(ct::prod(loaded<2>(std::array{1.1F, 1.1F}), 0_ic, ct::round_toward_positive_t{})));
    const auto tiny = loaded<2>(std::array{0x1p-149F, 0x1p-149F});
    CHECK(value(ct::sum(tiny, 0_ic)) == 0x1p-148F);
    CHECK(value(ct::sum(
              tiny, 0_ic, ct::round_ties_to_even_t{}, ct::round_subnormals_to_zero_t{})) == 0);
    CHECK(value(ct::sum<0,
                        ct::rounding_mode::round_ties_to_even,
                        ct::subnormals_rounding_mode::round_subnormals_to_zero>(
              tiny, {}, {}, {})) == 0);
    CHECK(p.defects() == 0);
  });
}

// ------------------------------------------------------------------------------------------- scans

TEST_CASE("reductions and scans / partial_sum, partial_prod / their loops, both ways, every type",
          "[clauses][property]") {
  in_kernel([](const probe& p) {
    for_each_type(arithmetic_types{}, [&]<class E>() {
      CAPTURE(type_name<E>());
      constexpr bool truth = std::is_same_v<E, bool>;
      auto x = small<64>(has_sign<E>, 7);
      for (int& v : x) {
        v = truth ? std::clamp(v, 0, 1) : v;
      }
      const auto plus = [](int a, int b) { return truth ? (a + b) % 2 : a + b; };
      const auto t = numbers<E, 4, 8, 2>(x);
      CHECK(as_ints(ct::partial_sum(t, 1_ic)) == scanned_along_the_middle(x, false, plus));
      CHECK(as_ints(ct::partial_sum<1>(t)) == scanned_along_the_middle(x, false, plus));
      CHECK(as_ints(ct::partial_sum(t, 1_ic, ct::scan_forward_t{})) ==
            scanned_along_the_middle(x, false, plus));
      CHECK(as_ints(ct::partial_sum(t, 1_ic, ct::scan_backward_t{})) ==
            scanned_along_the_middle(x, true, plus));
      CHECK(as_ints(ct::partial_sum<1, ct::scan_direction::backward>(t)) ==
            scanned_along_the_middle(x, true, plus));
      auto factors = x;
      for (std::size_t i = 0; i < 64; ++i) {
        factors[i] = truth || i % 3 == 0 ? std::clamp(x[i], 0, 1) : 1 + (i % 16 == 5 ? 1 : 0);
      }
      const auto f = numbers<E, 4, 8, 2>(factors);
      CHECK(as_ints(ct::partial_prod(f, 1_ic)) ==
            scanned_along_the_middle(factors, false, std::multiplies<>()));
      CHECK(as_ints(ct::partial_prod<1, ct::scan_direction::backward>(f)) ==
            scanned_along_the_middle(factors, true, std::multiplies<>()));
    });
    CHECK(p.defects() == 0);
  });
}

TEST_CASE("reductions and scans / partial_sum / the last of a scan is the sum, backward the first",
          "[clauses][property]") {
  in_kernel([](const probe& p) {
    for_each_type(integer_types{}, [&]<class E>() {
      CAPTURE(type_name<E>());
      const auto t = numbers<E, 2, 32>(small<64>(false, 3));
      const auto sums = stored(ct::sum(t, 1_ic));
      CHECK(stored(ct::extract(ct::partial_sum(t, 1_ic), ct::shape<2, 1>{}, 0, 31)) == sums);
      CHECK(stored(ct::extract(
                ct::partial_sum(t, 1_ic, ct::scan_backward_t{}), ct::shape<2, 1>{}, 0, 0)) == sums);
    });
    CHECK(p.defects() == 0);
  });
}

TEST_CASE("reductions and scans / partial_sum / modes, then the direction", "[clauses]") {
  in_kernel([](const probe& p) {
    const auto x = loaded<4>(std::array{1.0F, 1.0F, 1.0F, 0x1p24F});
    using ct::round_ties_to_even_t, ct::round_toward_positive_t, ct::preserve_subnormals_t;
    CHECK(stored(ct::partial_sum(x, 0_ic, round_toward_positive_t{})) ==
          std::array{1.0F, 2.0F, 3.0F, 0x1p24F + 4});
    CHECK(
        stored(ct::partial_sum(
            x, 0_ic, round_toward_positive_t{}, preserve_subnormals_t{}, ct::scan_backward_t{})) ==
        std::array{0x1p24F + 4, 0x1p24F + 2, 0x1p24F + 2, 0x1p24F});
    CHECK(stored(ct::partial_sum(
              x, 0_ic, round_ties_to_even_t{}, preserve_subnormals_t{}, ct::scan_backward_t{})) ==
          std::array{0x1p24F + 2, 0x1p24F + 2, 0x1p24F, 0x1p24F});
    const auto tiny = loaded<2>(std::array{0x1p-149F, 1.0F});
    CHECK(stored(ct::partial_sum(
              tiny, 0_ic, round_ties_to_even_t{}, ct::round_subnormals_to_zero_t{}))[1] == 1);
    CHECK(p.defects() == 0);
  });
}

// -----------------------------------------------------------------------------------------
// products

namespace {

/// Numbers k / 8, |k| <= 8, that every format but the integers has; those are given k.
template <class E>
constexpr int unit_of = std::is_integral_v<E> ? 1 : 8;

template <class E, std::size_t... Extents, std::size_t N>
tile<E, Extents...> eighths(const std::array<int, N>& x) {
  if constexpr (std::is_integral_v<E>) {
    return numbers<E, Extents...>(x);
  } else {
    return ct::element_cast<E>(ct::element_cast<float>(loaded<Extents...>(x)) *
                               (1.0F / unit_of<E>));
  }
}

/// Compares mma and matmul with exact sums of rationals, as numerators over 64. All fit every
/// accumulator, so any order and any rounding must give them.
template <class L,
          class R,
          class Acc,
          class Product,
          std::size_t B,
          std::size_t M,
          std::size_t K,
          std::size_t N>
void exact_products(bool lhs_sign, bool rhs_sign, unsigned seed) {
  CAPTURE(type_name<Acc>(), B, M, K, N);
  auto a = small<B * M * K>(lhs_sign, seed);
  auto b = small<B * K * N>(rhs_sign, seed + 1);
  auto c = small<B * M * N>(true, seed + 2);
  if (std::is_same_v<L, bool>) {
    for (int& v : a) {
      v = v > 1 ? 1 : 0;
    }
  }
  if (std::is_same_v<R, bool>) {
    for (int& v : b) {
      v = v > 1 ? 1 : 0;
    }
  }
  constexpr int over = unit_of<L> * unit_of<R>; // of a product
  std::array<int, B * M * N> sums{};            // times `over`
  for (std::size_t i = 0; i < sums.size(); ++i) {
    for (std::size_t k = 0; k < K; ++k) {
      sums[i] += a[i / N * K + k] * b[(i / (M * N) * K + k) * N + i % N];
    }
  }
  const auto check = [&](const auto& lhs, const auto& rhs, const auto& acc) {
    const auto got = stored(ct::element_cast<double>(ct::mma(lhs, rhs, acc)));
    const auto product = ct::matmul(lhs, rhs);
    static_assert(std::is_same_v<ct::tile_element_t<std::remove_cv_t<decltype(product)>>, Product>);
    const auto alone = stored(ct::element_cast<double>(product));
    int wrong = 0;
    for (std::size_t i = 0; i < sums.size(); ++i) {
      const double exact = static_cast<double>(sums[i]) / over;
      wrong += got[i] != exact + static_cast<double>(c[i]) / unit_of<Acc> ? 1 : 0;
      wrong += alone[i] != exact ? 1 : 0;
    }
    CHECK(wrong == 0);
  };
  if constexpr (B == 1) {
    check(eighths<L, M, K>(a), eighths<R, K, N>(b), eighths<Acc, M, N>(c));
  }
  check(eighths<L, B, M, K>(a), eighths<R, B, K, N>(b), eighths<Acc, B, M, N>(c));
}

template <class L, class R, class Acc, class Product = Acc>
void exact_products(bool lhs_sign = true, bool rhs_sign = true) {
  exact_products<L, R, Acc, Product, 1, 1, 1, 1>(lhs_sign, rhs_sign, 1);
  exact_products<L, R, Acc, Product, 1, 4, 8, 2>(lhs_sign, rhs_sign, 2);
  exact_products<L, R, Acc, Product, 1, 1, 16, 32>(lhs_sign, rhs_sign, 3);
  exact_products<L, R, Acc, Product, 2, 4, 2, 8>(lhs_sign, rhs_sign, 4);
}

} // namespace

TEST_CASE(
    "matrix multiplication / mma, matmul / exact rationals, every pair of types, rank 2 and 3",
    "[clauses][property]") {
  in_kernel([](const probe& p) {
    exact_products<double, double, double>();
    exact_products<float, float, float>();
    exact_products<__nv_tf32, __nv_tf32, float>();
    exact_products<__half, __half, __half>();
    exact_products<__half, __half, float, __half>();
    exact_products<__nv_bfloat16, __nv_bfloat16, float>();
    exact_products<__nv_fp8_e4m3, __nv_fp8_e4m3, __half>();
    exact_products<__nv_fp8_e4m3, __nv_fp8_e4m3, float, __half>();
    exact_products<__nv_fp8_e5m2, __nv_fp8_e5m2, __half>();
    exact_products<__nv_fp8_e5m2, __nv_fp8_e5m2, float, __half>();
    exact_products<signed char, signed char, int>();
    exact_products<unsigned char, unsigned char, int>(false, false);
    exact_products<unsigned char, signed char, int>(false, true);
    exact_products<char, unsigned char, int>(std::is_signed_v<char>, false);
    exact_products<char8_t, char, int>(false, std::is_signed_v<char>);
    exact_products<bool, signed char, int>(false, true);
    exact_products<bool, bool, int>(false, false);
    CHECK(p.defects() == 0);
  });
}

TEST_CASE("matrix multiplication / bytes keep their sign, each operand its own", "[clauses]") {
  in_kernel([](const probe& p) {
    const auto zero = ct::zeros<tile<int, 1, 1>>();
    const auto one = []<class E>(int v) { return ct::full<tile<E, 1, 1>>(static_cast<E>(v)); };
    const auto value = [](auto x) { return stored(x)[0]; };
    CHECK(value(ct::mma(one.operator()<signed char>(-128),
                        one.operator()<unsigned char>(255),
                        zero)) == -32640);
    CHECK(value(ct::mma(one.operator()<unsigned char>(255),
                        one.operator()<unsigned char>(255),
                        zero)) == 65025);
    CHECK(value(ct::mma(one.operator()<signed char>(-128),
                        one.operator()<signed char>(-128),
                        zero)) == 16384);
    CHECK(value(ct::matmul(one.operator()<char8_t>(255), one.operator()<signed char>(-1))) == -255);
    CHECK(p.defects() == 0);
  });
}

TEST_CASE("matrix multiplication / batches of one matrix serve all", "[clauses]") {
  in_kernel([](const probe& p) {
    const auto a = ct::element_cast<float>(ct::iota<tile<int, 1, 2, 2>>()); // [0 1; 2 3]
    const auto b =
        ct::element_cast<float>(ct::iota<tile<int, 2, 2, 2>>()); // [0 1; 2 3], [4 5; 6 7]
    CHECK(stored(ct::matmul(a, b)) == std::array{2.F, 3.F, 6.F, 11.F, 6.F, 7.F, 26.F, 31.F});
    CHECK(stored(ct::matmul(b, a)) == std::array{2.F, 3.F, 6.F, 11.F, 10.F, 19.F, 14.F, 27.F});
    const auto twice = stored(ct::mma(a, a, ct::zeros<tile<float, 2, 2, 2>>()));
    CHECK(twice == std::array{2.F, 3.F, 6.F, 11.F, 2.F, 3.F, 6.F, 11.F});
    CHECK(p.defects() == 0);
  });
}

TEST_CASE("matrix multiplication / an identity matrix changes nothing; products associate exactly",
          "[clauses][property]") {
  in_kernel([](const probe& p) {
    const auto row = ct::iota<tile<int, 8, 1>>();
    const auto column = ct::iota<tile<int, 1, 8>>();
    const auto identity = ct::element_cast<float>(row == column);
    const auto a = numbers<float, 8, 8>(small<64>(true, 11));
    const auto b = numbers<float, 8, 8>(small<64>(true, 12));
    const auto c = numbers<float, 8, 8>(small<64>(true, 13));
    CHECK(stored(ct::matmul(a, identity)) == stored(a));
    CHECK(stored(ct::matmul(identity, a)) == stored(a));
    CHECK(stored(ct::matmul(ct::matmul(a, b), c)) == stored(ct::matmul(a, ct::matmul(b, c))));
    CHECK(stored(ct::transpose(ct::matmul(a, b))) ==
          stored(ct::matmul(ct::transpose(b), ct::transpose(a))));
    CHECK(stored(ct::mma(a, b, c)) == stored(ct::matmul(a, b) + c));
    CHECK(p.defects() == 0);
  });
}

TEST_CASE("reductions and scans, matrix multiplication / the order of combining is an option",
          "[clauses]") {
  // Whether each sum differs from that of the fixed order, under ten seeds.
  int sums = 0;
  int scans = 0;
  int products = 0;
  const auto run = [](const sim::options& how) {
    std::array<float, 3> result{};
    in_kernel(
        [&](const probe& p) {
          const auto i = ct::element_cast<float>(ct::iota<tile<int, 256>>()) + 1;
          const auto x = 1.0F / i;
          result[0] = stored(ct::sum(x, 0_ic))[0];
          result[1] = stored(ct::partial_sum(x, 0_ic))[255];
          result[2] = stored(
              ct::matmul(ct::reshape<ct::shape<1, 256>>(x), ct::ones<tile<float, 256, 1>>()))[0];
          CHECK(p.defects() == 0);
        },
        how);
    return result;
  };
  const auto fixed = run({});
  CHECK(run({}) == fixed);
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    sim::options how;
    how.random_order = true;
    how.seed = seed;
    const auto other = run(how);
    CHECK(run(how) == other);
    sums += other[0] != fixed[0] ? 1 : 0;
    scans += other[1] != fixed[1] ? 1 : 0;
    products += other[2] != fixed[2] ? 1 : 0;
    for (int k = 0; k < 3; ++k) { // H(256) = 6.12434…
      CHECK(std::fabs(other[static_cast<std::size_t>(k)] - 6.1243449F) < 2e-5F);
    }
  }
  CHECK(sums > 2);
  CHECK(scans > 2);
  CHECK(products > 2);
}

} // namespace tilesim::clauses
