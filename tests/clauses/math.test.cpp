// The clauses on math functions: every function through the headers, in every format and spelling,
// beside the exact value; special values as C has them. What tests/sim/ops proves of all arguments
// is not repeated here. SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <functional>
#include <limits>
#include <tests/clauses/kernel.hpp>

namespace tilesim::clauses {
namespace {

using namespace ct::literals;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

template <class E>
double number(const E& x) {
  return static_cast<double>(static_cast<float>(x));
}
template <>
double number(const double& x) {
  return x;
}

/// Relative distance between neighbours of E near 1.
template <class E>
constexpr double epsilon = std::is_same_v<E, double>   ? 0x1p-52
                           : std::is_same_v<E, float>  ? 0x1p-23
                           : std::is_same_v<E, __half> ? 0x1p-10
                                                       : 0x1p-7;

/// Arguments that every format has, inside the domain of every function but at its edges.
constexpr std::array arguments{0.0625, 0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0};

/// Compares f of a tile, and of a scalar, with the host's function in double, which is good to far
/// less than an ulp of the narrower formats; double is given two.
template <class F>
void near(const char* name, F f, double (*exact)(double)) {
  mistakes m;
  for_each_type(basic_floating_point_types{}, [&]<class E>() {
    const auto x = ct::element_cast<E>(loaded<2, 4>(arguments));
    const auto got = stored(f(x));
    static_assert(std::is_same_v<decltype(f(x)), tile<E, 2, 4>>);
    static_assert(std::is_same_v<decltype(f(std::declval<E&>())), E>);
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      const double expected = exact(arguments[i]);
      const double ulps = std::is_same_v<E, double> ? 2 : 0.5001;
      const double allowed =
          ulps * epsilon<E> * std::exp2(std::floor(std::log2(std::fabs(expected))));
      if (std::fabs(number(got[i]) - expected) > (expected == 0 ? 0 : allowed)) {
        m.add(name,
              " of ",
              type_name<E>(),
              " ",
              arguments[i],
              ": ",
              number(got[i]),
              ", exactly ",
              expected);
      }
      if (number(f(ct::element_cast<E>(arguments[i]))) != number(got[i])) {
        m.add(name, " of a scalar ", type_name<E>(), " differs");
      }
    }
  });
  CHECK(m.text().empty());
}

#define TILESIM_FUNCTION(name) [](const auto& x) { return ct::name(x); }

} // namespace

TEST_CASE("math operations / every function of tiles and scalars, in every format", "[clauses]") {
  in_kernel([](const probe& p) {
    near("ceil", TILESIM_FUNCTION(ceil), [](double x) { return std::ceil(x); });
    near("floor", TILESIM_FUNCTION(floor), [](double x) { return std::floor(x); });
    near("exp", TILESIM_FUNCTION(exp), [](double x) { return std::exp(x); });
    near("exp2", TILESIM_FUNCTION(exp2), [](double x) { return std::exp2(x); });
    near("log", TILESIM_FUNCTION(log), [](double x) { return std::log(x); });
    near("log2", TILESIM_FUNCTION(log2), [](double x) { return std::log2(x); });
    near("sqrt", TILESIM_FUNCTION(sqrt), [](double x) { return std::sqrt(x); });
    near("rsqrt", TILESIM_FUNCTION(rsqrt), [](double x) { return 1 / std::sqrt(x); });
    near("sin", TILESIM_FUNCTION(sin), [](double x) { return std::sin(x); });
    near("cos", TILESIM_FUNCTION(cos), [](double x) { return std::cos(x); });
    near("tan", TILESIM_FUNCTION(tan), [](double x) { return std::tan(x); });
    near("sinh", TILESIM_FUNCTION(sinh), [](double x) { return std::sinh(x); });
    near("cosh", TILESIM_FUNCTION(cosh), [](double x) { return std::cosh(x); });
    near("tanh", TILESIM_FUNCTION(tanh), [](double x) { return std::tanh(x); });
    CHECK(p.defects() == 0);
  });
}

TEST_CASE("math operations / special values are C's, and no finding", "[clauses]") {
  in_kernel([](const probe& p) {
    struct row {
      const char* name;
      std::function<double(double)> f;
      double at, value;
    };
    const auto rows = [&]<class E>() {
      const auto of = [](auto f) {
        return [f](double x) { return number(f(ct::element_cast<E>(x))); };
      };
      const std::vector<row> all{
          {"exp", of(TILESIM_FUNCTION(exp)), -infinity, 0},
          {"exp", of(TILESIM_FUNCTION(exp)), infinity, infinity},
          {"exp", of(TILESIM_FUNCTION(exp)), -0.0, 1},
          {"exp2", of(TILESIM_FUNCTION(exp2)), infinity, infinity},
          {"log", of(TILESIM_FUNCTION(log)), 0, -infinity},
          {"log", of(TILESIM_FUNCTION(log)), -1, nan},
          {"log2", of(TILESIM_FUNCTION(log2)), -0.0, -infinity},
          {"sqrt", of(TILESIM_FUNCTION(sqrt)), -0.0, -0.0},
          {"sqrt", of(TILESIM_FUNCTION(sqrt)), -1, nan},
          {"rsqrt", of(TILESIM_FUNCTION(rsqrt)), 0, infinity},
          {"rsqrt", of(TILESIM_FUNCTION(rsqrt)), infinity, 0},
          {"rsqrt", of(TILESIM_FUNCTION(rsqrt)), -1, nan},
          {"sin", of(TILESIM_FUNCTION(sin)), -0.0, -0.0},
          {"sin", of(TILESIM_FUNCTION(sin)), infinity, nan},
          {"cos", of(TILESIM_FUNCTION(cos)), -infinity, nan},
          {"tanh", of(TILESIM_FUNCTION(tanh)), -infinity, -1},
          {"sinh", of(TILESIM_FUNCTION(sinh)), -0.0, -0.0},
          {"cosh", of(TILESIM_FUNCTION(cosh)), -infinity, infinity},
          {"ceil", of(TILESIM_FUNCTION(ceil)), -0.5, -0.0},
          {"floor", of(TILESIM_FUNCTION(floor)), -0.5, -1},
          {"floor", of(TILESIM_FUNCTION(floor)), nan, nan},
      };
      for (const row& r : all) {
        CAPTURE(r.name, type_name<E>(), r.at);
        const double got = r.f(r.at);
        CHECK((std::isnan(r.value) ? std::isnan(got)
                                   : got == r.value && std::signbit(got) == std::signbit(r.value)));
      }
    };
    for_each_type(basic_floating_point_types{}, rows);
    CHECK(p.defects() == 0);
  });
}

TEST_CASE("math operations / modes as objects and as template arguments give one result",
          "[clauses]") {
  in_kernel([](const probe& p) {
    const auto x = loaded<4>(std::array{0x1p-140F, 0.3F, 2.0F, -126.5F});
    using enum ct::rounding_mode;
    using enum ct::subnormals_rounding_mode;
    const auto full = stored(ct::exp(x));
    CHECK(stored(ct::exp(x, ct::round_full_t{})) == full);
    CHECK(stored(ct::exp<round_full>(x)) == full);
    // The approximate modes give what the others do: within any bound.
    CHECK(stored(ct::exp(x, ct::round_approximate_t{})) == full);
    CHECK(stored(ct::tanh<round_approximate>(x)) == stored(ct::tanh(x, ct::round_full_t{})));
    const auto positive = ct::abs(x);
    CHECK(stored(ct::sqrt(positive, ct::round_approximate_t{})) == stored(ct::sqrt(positive)));

    const auto power = stored(ct::exp2(x));
    const auto flushed = stored(ct::exp2(x, ct::round_subnormals_to_zero_t{}));
    CHECK(stored(ct::exp2<round_subnormals_to_zero>(x)) == flushed);
    CHECK(power[3] != 0); // 2^-126.5 is subnormal
    CHECK(flushed[3] == 0);
    CHECK(flushed[2] == power[2]);
    CHECK(std::isinf(stored(ct::rsqrt(positive, ct::round_subnormals_to_zero_t{}))[0]));
    CHECK(stored(ct::rsqrt(positive))[0] == 0x1p70F);
    CHECK(stored(ct::sqrt(
              positive, ct::round_ties_to_even_t{}, ct::round_subnormals_to_zero_t{}))[0] == 0);
    const auto three = ct::full<tile<float, 1>>(3);
    const auto down = stored(ct::sqrt(three, ct::round_toward_negative_t{}))[0];
    const auto up = stored(ct::sqrt<round_toward_positive>(three))[0];
    CHECK(up == std::nextafter(down, 2.0F));
    CHECK(stored(ct::sqrt<round_toward_zero, preserve_subnormals>(three))[0] == down);
    CHECK(p.defects() == 0);
  });
}

TEST_CASE("math operations / pow, atan2 / operands are converted as arithmetic converts them",
          "[clauses]") {
  in_kernel([](const probe& p) {
    const auto base = loaded<2, 1>(std::array{2.0F, 3.0F});
    const auto exponent = loaded<1, 2>(std::array{2.0, -1.0});
    const auto powers = ct::pow(base, exponent);
    static_assert(std::is_same_v<decltype(powers), const tile<double, 2, 2>>);
    const auto got = stored(powers);
    CHECK(got[0] == 4);
    CHECK(got[1] == 0.5);
    CHECK(got[2] == 9);
    CHECK(std::fabs(got[3] - 1.0 / 3) < 1e-16);
    CHECK(ct::pow(2.0F, 10.0F) == 1024);
    CHECK(stored(ct::pow(ct::ones<tile<__half, 2>>(), loaded<2>(std::array{5.0F, 6.0F}))) ==
          std::array{1.0F, 1.0F});
    // one operand of atan2 may be an integer
    const auto angles = stored(ct::atan2(loaded<4>(std::array{0, 1, 0, -1}),
                                         loaded<4>(std::array{1.0F, 0.0F, -1.0F, 0.0F})));
    CHECK(angles == std::array{0.0F, 1.57079637F, 3.14159274F, -1.57079637F});
    CHECK(ct::atan2(-0.0, -1.0) == -3.141592653589793);
    CHECK(ct::atan2(1.0F, 1.0F) == 0.785398185F);
    CHECK(p.defects() == 0);
  });
}

} // namespace tilesim::clauses
