// The elementary functions to about 100 bits: see accurate.hpp.
//
// Each reduces its argument with a table until a Taylor series of a few terms is enough. The last
// terms of a series, too small for their own rounding to count, are computed in double.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/fp/elementary/accurate.hpp"

#include "sim/fp/elementary/tables.hpp"

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace tilesim::sim::fp::elementary {
namespace {

using namespace tables;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

constexpr extended plain(double x) noexcept {
  return {{x, 0}, 0};
}

/// Adding and subtracting it rounds to an integer, below 2^51.
constexpr double to_integer = 0x1.8p52;

/// 2^n, n from -1022 to 1023.
double power(int n) noexcept {
  return as_double(static_cast<std::uint64_t>(n + 1023) << 52);
}

/// The exponent e and x / 2^e in [1, 2); x is positive and finite.
struct parts {
  double significand;
  int exponent;
};
parts split(double x) noexcept {
  int shift = 0;
  if (x < 0x1p-1022) {
    x *= 0x1p54;
    shift = -54;
  }
  const std::uint64_t bits = bits_of(x);
  const int exponent = static_cast<int>(bits >> 52) - 1023;
  return {as_double((bits & 0x000fffffffffffffU) | 0x3ff0000000000000U), exponent + shift};
}

/// coefficient(first) + z * (coefficient(first + 1) + z * (… coefficient(last))), the terms from
/// `rough` on in double.
template <class Coefficient>
[[gnu::always_inline]] inline dd
series(dd z, int first, int rough, int last, const Coefficient& coefficient) noexcept {
  double tail = coefficient(last).hi;
  for (int n = last - 1; n >= rough; --n) {
    tail = coefficient(n).hi + z.hi * tail;
  }
  dd sum = coefficient(rough - 1) + z * tail;
  for (int n = rough - 2; n >= first; --n) {
    sum = coefficient(n) + z * sum;
  }
  return sum;
}

dd with_sign(bool negative, dd x) noexcept {
  return negative ? -x : x;
}

// -------------------------------------------------------------------------------- e^x and 2^x

/// 2^(k/64) e^r, |r| < 0.0055.
extended exponential(std::int64_t k, dd r) noexcept {
  const dd p = r * series(r, 1, 6, 11, [](int n) { return inverse_factorial[n]; });
  const dd t = power_of_two[k & 63];
  return {t + t * p, static_cast<int>(k >> 6)};
}

extended exp_of(double x) noexcept { // |x| <= 1200
  const double k = (x * (64 * log2_e.hi) + to_integer) - to_integer;
  const dd r = exact_sum(x, -k * ln2_64th[0]) + -k * ln2_64th[1] + -k * ln2_64th[2];
  return exponential(static_cast<std::int64_t>(k), r);
}

extended exp2_of(dd x) noexcept { // |x| <= 3000
  const double k = (x.hi * 64 + to_integer) - to_integer;
  const dd r = quick_sum(x.hi - k / 64, x.lo) * ln2;
  return exponential(static_cast<std::int64_t>(k), r);
}

/// What lies beyond every format's range, in either direction.
template <int Limit>
bool out_of_range(double x, extended& result) noexcept {
  if (x > Limit) {
    result = plain(infinity);
  } else if (x < -Limit) {
    result = plain(0);
  } else if (x != x) {
    result = plain(not_a_number);
  } else {
    return false;
  }
  return true;
}

// --------------------------------------------------------------------------------- logarithms

/// x = 2^exponent * m and ln m; m is near 1, and the exponent 0 for x near 1.
struct logarithm {
  dd of_significand;
  int exponent;
};
logarithm log_of(double x) noexcept { // x positive and finite
  parts p = split(x);
  const auto i = static_cast<std::size_t>((bits_of(p.significand) >> 45) & 127U);
  if (i >= 53) {
    p.significand /= 2;
    ++p.exponent;
  }
  const dd product = exact_product(p.significand, reciprocal[i]); // below 63 bits
  const dd r = quick_sum(product.hi - 1, product.lo);
  const dd s = r / (r + 2.0); // ln(1 + r) = 2 atanh(s)
  const dd ln = s * 2.0 * series(s * s, 0, 3, 7, [](int n) { return inverse_odd[n]; });
  return {minus_log_reciprocal[i] + ln, p.exponent};
}

bool log_special(double x, extended& result) noexcept {
  if (x > 0 && x < infinity) {
    return false;
  }
  result = plain(x > 0 ? x : x == 0 ? -infinity : not_a_number);
  return true;
}

dd log2_of(double x) noexcept { // x positive and finite
  const logarithm l = log_of(x);
  return l.of_significand * log2_e + static_cast<double>(l.exponent);
}

// -------------------------------------------------------------------------------------- angles

/// x = (turns * 64 + n) * pi / 32 + r, |r| <= pi / 64.
struct angle {
  unsigned n;
  dd r;
};

/// A signed fraction of 256 bits, in [-1/2, 1/2), to the leading 106 of them.
dd from_fixed_point(std::uint64_t (&f)[4]) noexcept { // f[0] has the highest bits
  const bool negative = (f[0] >> 63) != 0;
  if (negative) {
    unsigned carry = 1;
    for (int i = 3; i >= 0; --i) {
      f[i] = ~f[i] + carry;
      carry = carry != 0 && f[i] == 0 ? 1 : 0;
    }
  }
  int first = 0;
  while (first < 3 && f[first] == 0) {
    ++first;
  }
  // No double is so near a multiple of pi / 32 that two words are zero; zero itself comes not here.
  const std::uint64_t next = first < 3 ? f[first + 1] : 0;
  const std::uint64_t third = first < 2 ? f[first + 2] : 0;
  const int shift = std::countl_zero(f[first]);
  const std::uint64_t a = shift == 0 ? f[first] : f[first] << shift | next >> (64 - shift);
  const std::uint64_t b = shift == 0 ? next : next << shift | third >> (64 - shift);
  // 53 bits and 53 bits
  const auto hi = static_cast<double>(a >> 11);
  const auto lo = static_cast<double>((a & 0x7ffU) << 42 | b >> 22);
  const double unit = power(-53 - shift - 64 * first);
  return with_sign(negative, quick_sum(hi * unit, lo * unit * 0x1p-53));
}

/// Payne and Hanek's reduction: of 32 / pi only the 256 bits that matter for x are multiplied.
angle reduce(double x) noexcept { // finite
  const double magnitude = std::fabs(x);
  if (magnitude < 0x1.921p-5) {
    return {0, {x, 0}};
  }
  const parts p = split(magnitude);
  const std::uint64_t m = (bits_of(p.significand) & 0x000fffffffffffffU) | 0x0010000000000000U;
  // x = m * 2^(exponent - 52). Bits of 32 / pi that make multiples of 64 of it are left out.
  const auto skipped = static_cast<unsigned>(p.exponent - 52 + 58);
  const std::uint64_t* from = inverse_pi_32nd + skipped / 64;
  const unsigned shift = skipped % 64;
  std::uint64_t product[4];
  std::uint64_t carry = 0;
  for (int i = 3; i >= 0; --i) {
    const std::uint64_t word =
        shift == 0 ? from[i] : from[i] << shift | from[i + 1] >> (64 - shift);
    __extension__ using wide = unsigned __int128;
    const wide sum = static_cast<wide>(word) * m + carry;
    product[i] = static_cast<std::uint64_t>(sum);
    carry = static_cast<std::uint64_t>(sum >> 64);
  }
  // 6 bits of integer, 250 of fraction, rounded to the nearest integer
  auto n = static_cast<unsigned>(product[0] >> 58) + static_cast<unsigned>(product[0] >> 57 & 1U);
  for (int i = 0; i < 4; ++i) {
    product[i] = product[i] << 6 | (i < 3 ? product[i + 1] >> 58 : 0);
  }
  const dd r = from_fixed_point(product) * pi_32nd;
  return x < 0 ? angle{-n & 63U, -r} : angle{n & 63U, r};
}

/// sin r and cos r, |r| <= pi / 64.
dd sin_near_zero(dd r, dd z) noexcept {
  return r + r * (z * series(z, 1, 4, 7, [](int n) {
                    return with_sign(n % 2 != 0, inverse_factorial[2 * n + 1]);
                  }));
}
dd cos_near_zero(dd z) noexcept {
  return dd{1, 0} + z * series(z, 1, 4, 8, [](int n) {
                      return with_sign(n % 2 != 0, inverse_factorial[2L * n]);
                    });
}

struct sine_and_cosine {
  dd sin, cos;
};
sine_and_cosine turn(const angle& a) noexcept {
  const dd z = a.r * a.r;
  const dd s = sin_near_zero(a.r, z);
  const dd c = cos_near_zero(z);
  if (a.n == 0) {
    return {s, c};
  }
  const dd sn = sine[a.n];
  const dd cn = sine[(a.n + 16) & 63U];
  return {sn * c + cn * s, cn * c - sn * s};
}

/// atan(u), |u| < 1/63.
dd atan_near_zero(dd u) noexcept {
  const dd z = u * u;
  return u +
         u * (z * series(z, 1, 4, 9, [](int n) { return with_sign(n % 2 != 0, inverse_odd[n]); }));
}

/// atan(a / b), 0 < a <= b, b in [1, 2), a above 2^-200.
dd arc_tangent_of(double a, double b) noexcept {
  const double j = (32 * (a / b) + to_integer) - to_integer;
  const double c = j / 32; // atan(a/b) = atan(c) + atan((a - c b) / (b + c a))
  const dd above = -exact_product(c, b) + a;
  const dd below = exact_product(c, a) + b;
  return arc_tangent[static_cast<int>(j)] + atan_near_zero(above / below);
}

// ---------------------------------------------------------------------------------- hyperbolic

/// Within this range e^x - e^-x would cancel.
constexpr double small = 0x1p-5;
/// From here on e^-2x is below 2^-115.
constexpr double large = 40;

dd sinh_near_zero(dd x, dd z) noexcept {
  return x + x * (z * series(z, 1, 4, 7, [](int n) { return inverse_factorial[2 * n + 1]; }));
}
dd cosh_near_zero(dd z) noexcept {
  return dd{1, 0} + z * series(z, 1, 4, 7, [](int n) { return inverse_factorial[2L * n]; });
}

dd in_range(const extended& x) noexcept {
  const double unit = power(x.exponent);
  return {x.value.hi * unit, x.value.lo * unit};
}

// -------------------------------------------------------------------------------------- powers

/// x^y if it fits 53 bits, else 0; x is positive and no power of two, both finite.
///
/// With x = m 2^e, m odd, and y = n 2^k, n odd, it does so if n > 0 and m is the 2^-k-th power of
/// an integer, and never otherwise: no fraction's power is an integer.
extended exact_power(double x, double y) noexcept {
  if (!(y > 0 && y <= 64)) {
    return plain(0);
  }
  const parts p = split(x);
  std::uint64_t m = (bits_of(p.significand) & 0x000fffffffffffffU) | 0x0010000000000000U;
  int e = p.exponent - 52 + std::countr_zero(m);
  m >>= std::countr_zero(m);
  while (y != std::floor(y)) {
    const auto root = static_cast<std::uint64_t>(std::sqrt(static_cast<double>(m)));
    if (root * root != m || e % 2 != 0) {
      return plain(0);
    }
    m = root;
    e /= 2;
    if (m == 1) {
      break; // not of the first m, which is no power of two
    }
    y *= 2;
  }
  std::uint64_t product = 1;
  for (int i = 0; i < y; ++i) {
    __extension__ using wide = unsigned __int128;
    if (static_cast<wide>(product) * m >> 53 != 0) {
      return plain(0);
    }
    product *= m;
  }
  return {{static_cast<double>(product), 0}, e * static_cast<int>(y)};
}

enum class parity : std::uint8_t { no_integer, even, odd };
parity parity_of(double y) noexcept {
  if (y != std::floor(y)) {
    return parity::no_integer;
  }
  return std::fabs(y) < 0x1p53 && std::fmod(y, 2) != 0 ? parity::odd : parity::even;
}

extended negated(bool negative, extended x) noexcept {
  x.value = with_sign(negative, x.value);
  return x;
}

} // namespace

// ------------------------------------------------------------------------------------ rounding

double round_to_double(const extended& x) noexcept {
  const dd v = x.value;
  if (v.hi == 0 || v.hi - v.hi != 0) {
    return v.hi;
  }
  const int exponent = split(std::fabs(v.hi)).exponent + x.exponent;
  if (x.exponent == 0 || exponent >= -1022) { // v.hi is nearest; the products are exact or overflow
    const int half = x.exponent / 2;
    return exponent > 1023 ? std::copysign(infinity, v.hi)
                           : v.hi * power(half) * power(x.exponent - half);
  }
  if (exponent < -1080) {
    return std::copysign(0.0, v.hi);
  }
  // The least double as a multiple of 2^x.exponent. Below 2^53 of it, a sum with 2^52 of it is
  // rounded there; the low part turns ties.
  const double unit = power(-1074 - x.exponent);
  const dd magnitude = with_sign(v.hi < 0, v);
  const dd s = exact_sum(unit * 0x1p52, magnitude.hi);
  double nearest = s.hi - unit * 0x1p52;
  if (std::fabs(s.lo) * 2 == unit && (s.lo > 0) == (magnitude.lo > 0) && v.lo != 0) {
    nearest += s.lo * 2;
  }
  return std::copysign(nearest / unit * power(-537) * power(-537), v.hi);
}

double round_to_odd(const extended& x) noexcept {
  if (x.value.hi == 0) {
    return x.value.hi;
  }
  constexpr int far = 400;
  const int exponent = x.exponent > far ? far : x.exponent < -far ? -far : x.exponent;
  return add_to_odd(x.value.hi, x.value.lo) * power(exponent);
}

// ------------------------------------------------------------------------------- the functions

extended accurate_exp(double x) noexcept {
  extended result;
  return out_of_range<1200>(x, result) ? result : exp_of(x);
}

extended accurate_exp2(double x) noexcept {
  extended result;
  return out_of_range<1700>(x, result) ? result : exp2_of({x, 0});
}

extended accurate_log(double x) noexcept {
  extended result;
  if (log_special(x, result)) {
    return result;
  }
  const logarithm l = log_of(x);
  if (l.exponent == 0) {
    return {l.of_significand};
  }
  const double e = l.exponent;
  return {exact_sum(e * ln2_split[0], e * ln2_split[1]) + e * ln2_split[2] + l.of_significand};
}

extended accurate_log2(double x) noexcept {
  extended result;
  return log_special(x, result) ? result : extended{log2_of(x)};
}

extended accurate_rsqrt(double x) noexcept {
  if (x == 0 || x == infinity || !(x > 0)) {
    return plain(x == 0 ? 1 / x : x == infinity ? 0 : not_a_number);
  }
  parts p = split(x);
  if (p.exponent % 2 != 0) {
    p.significand *= 2;
    --p.exponent;
  }
  // One step of Newton's iteration from a double: the error 2^-53 is squared.
  const double y = 1 / std::sqrt(p.significand);
  const dd error = -(exact_product(y, y) * p.significand) + 1.0;
  return {dd{y, 0} + error * (y / 2), -p.exponent / 2};
}

extended accurate_pow(double x, double y) noexcept {
  if (y == 0 || x == 1) {
    return plain(1);
  }
  if (x != x || y != y) {
    return plain(not_a_number);
  }
  const parity integer = parity_of(y);
  const double magnitude = std::fabs(x);
  const bool negative = std::signbit(x) && integer == parity::odd && std::fabs(y) != infinity;
  if (x == 0 || magnitude == infinity) {
    return negated(negative, plain((x == 0) == (y > 0) ? 0 : infinity));
  }
  if (std::fabs(y) == infinity) {
    return plain(magnitude == 1 ? 1 : (magnitude > 1) == (y > 0) ? infinity : 0);
  }
  if (x == -1) {
    return plain(integer == parity::no_integer ? not_a_number : negative ? -1 : 1);
  }
  if (x < 0 && integer == parity::no_integer) {
    return plain(not_a_number);
  }
  const dd l = log2_of(magnitude);
  extended result;
  if (out_of_range<2000>(l.hi * y, result)) {
    return negated(negative, result);
  }
  // All powers of a power of two come out right by themselves.
  const bool of_power_of_two = l.hi == std::floor(l.hi) && l.lo == 0;
  result = of_power_of_two ? plain(0) : exact_power(magnitude, y);
  return negated(negative, result.value.hi != 0 ? result : exp2_of(l * y));
}

extended accurate_sin(double x) noexcept {
  if (x == 0 || x - x != 0) {
    return plain(x == 0 ? x : not_a_number);
  }
  return {turn(reduce(x)).sin};
}

extended accurate_cos(double x) noexcept {
  return x - x != 0 ? plain(not_a_number) : extended{turn(reduce(x)).cos};
}

extended accurate_tan(double x) noexcept {
  if (x == 0 || x - x != 0) {
    return plain(x == 0 ? x : not_a_number);
  }
  const sine_and_cosine t = turn(reduce(x));
  return {t.sin / t.cos};
}

extended accurate_atan2(double y, double x) noexcept {
  if (x != x || y != y) {
    return plain(not_a_number);
  }
  const bool left = std::signbit(x);
  const bool below = std::signbit(y);
  const double ax = std::fabs(x);
  const double ay = std::fabs(y);
  if (ax == infinity && ay == infinity) {
    return {with_sign(below, left ? three_quarters_pi : quarter_pi)};
  }
  if (y == 0 || ax == infinity) {
    return {with_sign(below, left ? pi : dd{0, 0})};
  }
  if (x == 0 || ay == infinity) {
    return {with_sign(below, half_pi)};
  }
  const parts px = split(ax);
  const parts py = split(ay);
  const int difference = py.exponent - px.exponent;
  constexpr int far =
      120; // from here on atan(t) and t, or atan(1/t) and pi/2, agree to the last bit
  if (difference > far) {
    return {with_sign(below, half_pi)};
  }
  if (difference < -far) {
    dd ratio = dd{py.significand, 0} / dd{px.significand, 0};
    ratio.lo -= 0x1p-110; // the arc tangent is the smaller: where the ratio is a tie, it shows
    return left ? extended{with_sign(below, pi)} : extended{with_sign(below, ratio), difference};
  }
  const double a = py.significand * power(difference);
  const double b = px.significand;
  // Of a > b with b / a, brought to a denominator in [1, 2).
  const dd found = a <= b ? arc_tangent_of(a, b)
                          : half_pi - arc_tangent_of(b * power(-difference), py.significand);
  return {with_sign(below, left ? pi - found : found)};
}

extended accurate_sinh(double x) noexcept {
  const double magnitude = std::fabs(x);
  if (x == 0 || x != x || magnitude == infinity) {
    return plain(x == x ? x : not_a_number);
  }
  if (magnitude < small) {
    const dd z = exact_product(x, x);
    return {sinh_near_zero({x, 0}, z)};
  }
  if (magnitude > large) {
    extended result = accurate_exp(magnitude);
    --result.exponent;
    return negated(x < 0, result);
  }
  const dd e = in_range(exp_of(magnitude));
  return {with_sign(x < 0, (e - dd{1, 0} / e) * 0.5)};
}

extended accurate_cosh(double x) noexcept {
  const double magnitude = std::fabs(x);
  if (!(magnitude < infinity)) {
    return plain(x == x ? magnitude : not_a_number);
  }
  if (magnitude > large) {
    extended result = accurate_exp(magnitude);
    --result.exponent;
    return result;
  }
  const dd e = in_range(exp_of(magnitude));
  return {(e + dd{1, 0} / e) * 0.5};
}

extended accurate_tanh(double x) noexcept {
  const double magnitude = std::fabs(x);
  if (x == 0 || x != x) {
    return plain(x == 0 ? x : not_a_number);
  }
  if (magnitude > large) {
    return {with_sign(x < 0, {1, -0x1p-110})};
  }
  if (magnitude < small) {
    const dd z = exact_product(x, x);
    return {sinh_near_zero({x, 0}, z) / cosh_near_zero(z)};
  }
  const dd e = in_range(exp_of(2 * magnitude));
  return {with_sign(x < 0, (e + -1.0) / (e + 1.0))};
}

} // namespace tilesim::sim::fp::elementary
