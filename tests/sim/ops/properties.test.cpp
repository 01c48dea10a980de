// Laws that hold between operations, on random and special operands of every element kind: what no
// table of results can list.
// SPDX-License-Identifier: Apache-2.0
#include "apply.hpp"
#include "reference.hpp"
#include "samples.hpp"

#include <functional>
#include <support/catch.hpp>

namespace tilesim::test {
namespace {

using machine::overflow;
using machine::predicate;
using machine::rounding;
using machine::signedness;
__extension__ using wide = __int128;

constexpr int samples = 20000;
constexpr rounding four_modes[]{
    rounding::nearest_even, rounding::zero, rounding::negative_inf, rounding::positive_inf};

/// How many elements of two results differ.
template <class T>
int differing(const std::vector<T>& a, const std::vector<T>& b) {
  REQUIRE(a.size() == b.size());
  REQUIRE(!a.empty());
  int count = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    count += a[i] != b[i];
  }
  return count;
}

// ---------------------------------------------------------------------------------------- integers

/// Operations on one kind of integer, all elements at once; what is undefined gets a result too, so
/// the operands of a law are such that it need not be looked at.
template <class T>
struct integers {
  element kind;
  std::vector<T> a, b, c;
  static constexpr bool has_sign = T(-1) < T(0);
  static constexpr signedness sign = has_sign ? signedness::signed_ : signedness::unsigned_;
  int bits = kind == element::i1 ? 1 : 8 * static_cast<int>(sizeof(T));

  explicit integers(element k, std::uint64_t seed)
      : kind(k) {
    generator next(seed);
    const auto draw = [&] {
      const std::uint64_t any = next();
      // Half of them small or near an end.
      return static_cast<T>((any & 3U) == 0   ? next() % 7 - 3
                            : (any & 3U) == 1 ? (std::uint64_t{1} << (bits - 1)) + next() % 5 - 2
                                              : next()) &
             static_cast<T>(kind == element::i1 ? T(1) : T(-1));
    };
    for (int i = 0; i < samples; ++i) {
      a.push_back(static_cast<T>(draw()));
      b.push_back(static_cast<T>(draw()));
      c.push_back(static_cast<T>(draw()));
    }
  }

  using values = std::vector<T>;
  [[nodiscard]] values
  operator()(opcode op, const values& x, const values& y, rounding round = rounding::zero) const {
    return apply_all<T>(op, {.sign = sign, .round = round}, kind, kind, x, y.data());
  }
  [[nodiscard]] values operator()(opcode op, const values& x) const {
    return apply_all<T>(op, {.sign = sign}, kind, kind, x, x.data());
  }
  [[nodiscard]] std::vector<std::uint8_t>
  compare(predicate p, const values& x, const values& y) const {
    return apply_all<std::uint8_t>(
        opcode::cmpi, {.sign = sign, .pred = p}, element::i1, kind, x, y.data());
  }
  [[nodiscard]] values all(T x) const { return values(a.size(), x); }
  /// The value as a number.
  [[nodiscard]] wide number(T x) const { return static_cast<wide>(x); }
  [[nodiscard]] T ones() const { return kind == element::i1 ? T(1) : T(-1); }
};

template <class Check>
void for_each_integer(Check check) {
  check(integers<std::uint8_t>(element::i1, 1));
  check(integers<std::int8_t>(element::i8, 2));
  check(integers<std::uint8_t>(element::i8, 3));
  check(integers<std::int16_t>(element::i16, 4));
  check(integers<std::uint16_t>(element::i16, 5));
  check(integers<std::int32_t>(element::i32, 6));
  check(integers<std::uint32_t>(element::i32, 7));
  check(integers<std::int64_t>(element::i64, 8));
  check(integers<std::uint64_t>(element::i64, 9));
}

} // namespace

TEST_CASE("integers are a ring modulo 2^n", "[ops][arithmetic][property]") {
  for_each_integer([](const auto& x) {
    CAPTURE(name(x.kind), x.has_sign);
    using enum opcode;
    CHECK(differing(x(addi, x.a, x.b), x(addi, x.b, x.a)) == 0);
    CHECK(differing(x(muli, x.a, x.b), x(muli, x.b, x.a)) == 0);
    CHECK(differing(x(addi, x(addi, x.a, x.b), x.c), x(addi, x.a, x(addi, x.b, x.c))) == 0);
    CHECK(differing(x(muli, x.a, x(addi, x.b, x.c)),
                    x(addi, x(muli, x.a, x.b), x(muli, x.a, x.c))) == 0);
    CHECK(differing(x(subi, x(addi, x.a, x.b), x.b), x.a) == 0);
    CHECK(differing(x(subi, x.a, x.b), x(addi, x.a, x(negi, x.b))) == 0);
    CHECK(differing(x(negi, x(negi, x.a)), x.a) == 0);
  });
}

TEST_CASE("bits are a Boolean algebra, and complement is -x - 1", "[ops][arithmetic][property]") {
  for_each_integer([](const auto& x) {
    CAPTURE(name(x.kind), x.has_sign);
    using enum opcode;
    const auto invert = [&](const auto& v) { return x(xori, v, x.all(x.ones())); };
    CHECK(differing(invert(invert(x.a)), x.a) == 0);
    CHECK(differing(invert(x(andi, x.a, x.b)), x(ori, invert(x.a), invert(x.b))) == 0);
    CHECK(differing(x(xori, x.a, x.b), x(subi, x(ori, x.a, x.b), x(andi, x.a, x.b))) == 0);
    CHECK(differing(invert(x.a), x(subi, x(negi, x.a), x.all(1))) == 0);
  });
}

TEST_CASE("a == b * (a / b) + a % b, and the other quotients lie beside",
          "[ops][arithmetic][property]") {
  for_each_integer([](auto x) {
    CAPTURE(name(x.kind), x.has_sign);
    using enum opcode;
    for (std::size_t i = 0; i < x.b.size(); ++i) { // nothing undefined
      x.b[i] = x.b[i] == 0 || (x.has_sign && x.b[i] == x.ones()) ? 1 : x.b[i];
    }
    const auto quotient = x(divi, x.a, x.b);
    const auto rest = x(remi, x.a, x.b);
    const auto up = x(divi, x.a, x.b, rounding::positive_inf);
    const auto down = x(divi, x.a, x.b, rounding::negative_inf);
    CHECK(differing(x(addi, x(muli, x.b, quotient), rest), x.a) == 0);
    int wrong = 0;
    for (std::size_t i = 0; i < x.a.size(); ++i) {
      const wide a = x.number(x.a[i]), b = x.number(x.b[i]), r = a % b;
      wrong += x.number(rest[i]) != r || x.number(quotient[i]) != a / b;
      wrong += x.number(up[i]) != a / b + (r != 0 && (a < 0) == (b < 0) ? 1 : 0);
      wrong += x.number(down[i]) != a / b - (r != 0 && (a < 0) != (b < 0) ? 1 : 0);
    }
    CHECK(wrong == 0);
  });
}

TEST_CASE("mulhi and mul are the two halves of the unsigned product",
          "[ops][arithmetic][property]") {
  __extension__ using unsigned_wide = unsigned __int128;
  for_each_integer([](const auto& x) {
    CAPTURE(name(x.kind), x.has_sign);
    const auto high = x(opcode::mulhii, x.a, x.b);
    const auto low = x(opcode::muli, x.a, x.b);
    const unsigned_wide mask = (unsigned_wide{1} << static_cast<unsigned>(x.bits)) - 1;
    const auto cut = [mask](auto v) { return static_cast<unsigned_wide>(v) & mask; };
    int wrong = 0;
    for (std::size_t i = 0; i < x.a.size(); ++i) {
      wrong += ((cut(high[i]) << static_cast<unsigned>(x.bits)) | cut(low[i])) !=
               cut(x.a[i]) * cut(x.b[i]);
    }
    CHECK(wrong == 0);
  });
}

TEST_CASE("shifts multiply and divide by powers of two", "[ops][arithmetic][property]") {
  for_each_integer([](const auto& x) {
    CAPTURE(name(x.kind), x.has_sign);
    using enum opcode;
    auto count = x.a;
    auto power = x.a;
    for (std::size_t i = 0; i < count.size(); ++i) {
      const auto n = i % static_cast<unsigned>(x.bits);
      count[i] = static_cast<typename decltype(count)::value_type>(n);
      power[i] = static_cast<typename decltype(count)::value_type>(std::uint64_t{1} << n);
    }
    CHECK(differing(x(shli, x.a, count), x(muli, x.a, power)) == 0);
    const auto shifted = x(shri, x.a, count);
    int wrong = 0;
    for (std::size_t i = 0; i < count.size(); ++i) {
      const wide a = x.number(x.a[i]), p = wide{1} << static_cast<int>(count[i]);
      wrong += x.number(shifted[i]) != a / p - (a % p < 0 ? 1 : 0);
    }
    CHECK(wrong == 0);
  });
}

TEST_CASE("integers are totally ordered, and max and min are the lattice of that order",
          "[ops][arithmetic][property]") {
  for_each_integer([](const auto& x) {
    CAPTURE(name(x.kind), x.has_sign);
    using enum opcode;
    using enum predicate;
    const auto less = x.compare(less_than, x.a, x.b);
    const auto same = x.compare(equal, x.a, x.b);
    const auto more = x.compare(greater_than, x.a, x.b);
    const auto less_or_same = x.compare(less_than_or_equal, x.a, x.b);
    const auto more_or_same = x.compare(greater_than_or_equal, x.a, x.b);
    const auto other = x.compare(not_equal, x.a, x.b);
    const auto high = x(maxi, x.a, x.b);
    const auto low = x(mini, x.a, x.b);
    int wrong = 0;
    for (std::size_t i = 0; i < less.size(); ++i) {
      wrong += less[i] + same[i] + more[i] != 1 || other[i] != (same[i] ^ 1);
      wrong += less_or_same[i] != (more[i] ^ 1) || more_or_same[i] != (less[i] ^ 1);
      wrong += less[i] != (x.number(x.a[i]) < x.number(x.b[i]) ? 1 : 0);
      wrong += high[i] != (less[i] != 0 ? x.b[i] : x.a[i]);
      wrong += low[i] != (less[i] != 0 ? x.a[i] : x.b[i]);
    }
    CHECK(wrong == 0);
    CHECK(differing(x(maxi, high, x.c), x(maxi, x.a, x(maxi, x.b, x.c))) == 0);
    CHECK(differing(x(maxi, x.a, low), x.a) == 0);
    CHECK(differing(x(mini, x.a, high), x.a) == 0);
    CHECK(differing(x(addi, high, low), x(addi, x.a, x.b)) == 0);
  });
}

// ------------------------------------------------------------------------------------------ floats

namespace {

/// Operations on one floating-point kind. Results are compared as numbers, every NaN as one.
template <class Bits>
struct floats {
  element kind;
  int exponent_bits, fraction_bits;
  using values = std::vector<Bits>;
  values a, b, c;

  floats(element k, int e, int f, std::uint64_t seed)
      : kind(k)
      , exponent_bits(e)
      , fraction_bits(f) {
    generator next(seed);
    const auto special = special_patterns(e, f);
    const auto draw = [&](int i) {
      const std::uint64_t any = next();
      return static_cast<Bits>(i % 8 == 0  ? special[any % special.size()]
                               : i % 8 < 4 ? any
                                           : moderate_pattern(next, e, f));
    };
    for (int i = 0; i < samples; ++i) {
      a.push_back(draw(static_cast<int>(next() % 8)));
      b.push_back(draw(static_cast<int>(next() % 8)));
      c.push_back(draw(static_cast<int>(next() % 8)));
    }
  }

  [[nodiscard]] double number(Bits x) const { return decode(x, exponent_bits, fraction_bits); }
  [[nodiscard]] Bits sign_bit() const {
    return static_cast<Bits>(Bits{1} << (exponent_bits + fraction_bits));
  }
  [[nodiscard]] values operator()(opcode op,
                                  const attributes& modes,
                                  const values& x,
                                  const values& y = {},
                                  const values& z = {}) const {
    return apply_all<Bits>(op, modes, kind, kind, x, y.data(), z.data());
  }
  [[nodiscard]] std::vector<std::uint8_t>
  compare(predicate p, const values& x, const values& y) const {
    const auto order =
        p == predicate::not_equal ? machine::ordering::unordered : machine::ordering::ordered;
    return apply_all<std::uint8_t>(
        opcode::cmpf, {.pred = p, .order = order}, element::i1, kind, x, y.data());
  }
  [[nodiscard]] values negated(const values& x) const {
    values result = x;
    for (Bits& v : result) {
      v ^= sign_bit();
    }
    return result;
  }
  [[nodiscard]] values all(Bits x) const { return values(a.size(), x); }
  [[nodiscard]] Bits one() const {
    return static_cast<Bits>(((std::uint64_t{1} << (exponent_bits - 1)) - 1) << fraction_bits);
  }
  [[nodiscard]] int differing(const values& x, const values& y) const {
    REQUIRE(x.size() == a.size());
    REQUIRE(y.size() == a.size());
    int count = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      count += !same(number(x[i]), number(y[i]));
    }
    return count;
  }
};

template <class Check>
void for_each_float(Check check) {
  check(floats<std::uint16_t>(element::f16, 5, 10, 1));
  check(floats<std::uint16_t>(element::bf16, 8, 7, 2));
  check(floats<std::uint32_t>(element::f32, 8, 23, 3));
  check(floats<std::uint64_t>(element::f64, 11, 52, 4));
}

} // namespace

TEST_CASE("floating-point sums and products commute, and a - b is a + -b, in every mode",
          "[ops][arithmetic][property]") {
  for_each_float([](const auto& x) {
    using enum opcode;
    for (const rounding mode : four_modes) {
      CAPTURE(name(x.kind), static_cast<int>(mode));
      const attributes m{.round = mode};
      CHECK(x.differing(x(addf, m, x.a, x.b), x(addf, m, x.b, x.a)) == 0);
      CHECK(x.differing(x(mulf, m, x.a, x.b), x(mulf, m, x.b, x.a)) == 0);
      CHECK(x.differing(x(fma, m, x.a, x.b, x.c), x(fma, m, x.b, x.a, x.c)) == 0);
      CHECK(x.differing(x(subf, m, x.a, x.b), x(addf, m, x.a, x.negated(x.b))) == 0);
      CHECK(x.differing(x(fma, m, x.a, x.all(x.one()), x.c), x(addf, m, x.a, x.c)) == 0);
      CHECK(x.differing(x(mulf, m, x.a, x.all(x.one())), x.a) == 0);
      CHECK(x.differing(x(divf, m, x.a, x.all(x.one())), x.a) == 0);
      // The neutral zero: -0, but of rounding downward, where -0 + +0 is -0, too.
      const auto neutral = mode == rounding::negative_inf ? 0 : x.sign_bit();
      CHECK(x.differing(x(addf, m, x.a, x.all(static_cast<decltype(x.one())>(neutral))), x.a) == 0);
    }
  });
}

TEST_CASE("directed rounding is symmetric: down of -x is - up of x",
          "[ops][arithmetic][property]") {
  for_each_float([](const auto& x) {
    CAPTURE(name(x.kind));
    using enum opcode;
    const attributes up{.round = rounding::positive_inf}, down{.round = rounding::negative_inf};
    const auto minus_a = x.negated(x.a), minus_b = x.negated(x.b), minus_c = x.negated(x.c);
    CHECK(x.differing(x.negated(x(addf, up, x.a, x.b)), x(addf, down, minus_a, minus_b)) == 0);
    CHECK(x.differing(x.negated(x(mulf, up, x.a, x.b)), x(mulf, down, minus_a, x.b)) == 0);
    CHECK(x.differing(x.negated(x(divf, up, x.a, x.b)), x(divf, down, x.a, minus_b)) == 0);
    CHECK(x.differing(x.negated(x(fma, up, x.a, x.b, x.c)), x(fma, down, minus_a, x.b, minus_c)) ==
          0);
  });
}

TEST_CASE("directed modes bracket the nearest result, one unit apart at most",
          "[ops][arithmetic][property]") {
  for_each_float([](const auto& x) {
    for (const opcode op : {opcode::addf, opcode::subf, opcode::mulf, opcode::divf, opcode::fma}) {
      CAPTURE(name(x.kind), static_cast<int>(op));
      const auto in = [&](rounding mode) { return x(op, {.round = mode}, x.a, x.b, x.c); };
      const auto nearest = in(rounding::nearest_even), zero = in(rounding::zero);
      const auto down = in(rounding::negative_inf), up = in(rounding::positive_inf);
      int wrong = 0;
      for (std::size_t i = 0; i < nearest.size(); ++i) {
        const double n = x.number(nearest[i]), d = x.number(down[i]), u = x.number(up[i]);
        const double z = x.number(zero[i]);
        if (std::isnan(n)) {
          wrong += !std::isnan(d) || !std::isnan(u) || !std::isnan(z);
          continue;
        }
        wrong += !(d <= n && n <= u) || (n != d && n != u);
        wrong += z != (d >= 0 ? d : u);
        // Neighbours: as numbers of one sign, patterns differ by one at most.
        const bool one_sign = ((down[i] ^ up[i]) & x.sign_bit()) == 0;
        const auto gap = d < 0 ? down[i] - up[i] : up[i] - down[i];
        wrong += one_sign && d != u && gap != 1;
      }
      CHECK(wrong == 0);
    }
  });
}

TEST_CASE("rounding keeps order: a larger operand gives no smaller result",
          "[ops][arithmetic][property]") {
  for_each_float([](const auto& x) {
    // The neighbour of a further from zero, as far as there is one.
    auto further = x.a;
    const auto infinity = ((std::uint64_t{1} << x.exponent_bits) - 1) << x.fraction_bits;
    for (auto& v : further) {
      v = static_cast<std::remove_reference_t<decltype(v)>>(
          (v & static_cast<std::uint64_t>(~x.sign_bit())) < infinity ? v + 1U : v);
    }
    for (const rounding mode : four_modes) {
      CAPTURE(name(x.kind), static_cast<int>(mode));
      const attributes m{.round = mode};
      const auto sum = x(opcode::addf, m, x.a, x.b), sum_further = x(opcode::addf, m, further, x.b);
      const auto product = x(opcode::mulf, m, x.a, x.b);
      const auto product_further = x(opcode::mulf, m, further, x.b);
      int wrong = 0;
      for (std::size_t i = 0; i < sum.size(); ++i) {
        const bool grows = (x.a[i] & x.sign_bit()) == 0;
        const double s = x.number(sum[i]), t = x.number(sum_further[i]);
        wrong += !std::isnan(s) && !std::isnan(t) && (grows ? t < s : t > s);
        const double p = std::fabs(x.number(product[i])),
                     q = std::fabs(x.number(product_further[i]));
        wrong += !std::isnan(p) && !std::isnan(q) && q < p;
      }
      CHECK(wrong == 0);
    }
  });
}

TEST_CASE("flushing: no operand and no result is subnormal", "[ops][arithmetic][property]") {
  const floats<std::uint32_t> x(element::f32, 8, 23, 5);
  const auto subround = [](std::vector<std::uint32_t> v) {
    for (auto& bits : v) {
      bits = (bits & 0x7f800000U) == 0 ? bits & 0x80000000U : bits;
    }
    return v;
  };
  const auto a = subround(x.a), b = subround(x.b), c = subround(x.c);
  for (const auto how : {arithmetic::page, arithmetic::hardware}) {
    for (const rounding mode : four_modes) {
      for (const opcode op :
           {opcode::addf, opcode::subf, opcode::mulf, opcode::divf, opcode::fma}) {
        CAPTURE(static_cast<int>(how), static_cast<int>(mode), static_cast<int>(op));
        const attributes m{.round = mode, .flush_to_zero = true};
        const auto go = [&](const auto& l, const auto& r, const auto& s) {
          return apply_all<std::uint32_t>(
              op, m, element::f32, element::f32, l, r.data(), s.data(), nullptr, how);
        };
        const auto got = go(x.a, x.b, x.c);
        CHECK(x.differing(got, go(a, b, c)) == 0);
        CHECK(x.differing(got, subround(got)) == 0);
      }
    }
  }
  // x + -0 and max(x, x) flush x alone.
  const attributes flush{.flush_to_zero = true};
  CHECK(x.differing(x(opcode::addf, flush, x.a, x.all(x.sign_bit())), a) == 0);
  CHECK(x.differing(x(opcode::maxf, flush, x.a, x.a), a) == 0);
  CHECK(x.differing(x(opcode::minf, flush, x.a, x.a), a) == 0);
}

TEST_CASE("floating-point max and min are a lattice; a NaN is below or above it",
          "[ops][arithmetic][property]") {
  for_each_float([](const auto& x) {
    using enum opcode;
    for (const bool propagate : {false, true}) {
      CAPTURE(name(x.kind), propagate);
      const attributes m{.propagate_nan = propagate};
      for (const opcode op : {maxf, minf}) {
        CHECK(x.differing(x(op, m, x.a, x.a), x.a) == 0);
        CHECK(x.differing(x(op, m, x.a, x.b), x(op, m, x.b, x.a)) == 0);
        CHECK(x.differing(x(op, m, x(op, m, x.a, x.b), x.c), x(op, m, x.a, x(op, m, x.b, x.c))) ==
              0);
      }
      CHECK(x.differing(x(minf, m, x.a, x.b),
                        x.negated(x(maxf, m, x.negated(x.a), x.negated(x.b)))) == 0);
      const auto high = x(maxf, m, x.a, x.b), low = x(minf, m, x.a, x.b);
      const auto absorbed = x(maxf, m, x.a, low);
      int wrong = 0;
      for (std::size_t i = 0; i < high.size(); ++i) {
        const double a = x.number(x.a[i]), b = x.number(x.b[i]);
        const double h = x.number(high[i]), l = x.number(low[i]);
        if (std::isnan(a) || std::isnan(b)) {
          const bool both = std::isnan(a) && std::isnan(b);
          wrong += std::isnan(h) != (both || propagate) || std::isnan(l) != (both || propagate);
        } else {
          wrong += h < l || !same(x.number(absorbed[i]), a);
          wrong += !((same(h, a) && same(l, b)) || (same(h, b) && same(l, a)));
        }
      }
      CHECK(wrong == 0);
    }
  });
}

TEST_CASE("the floating-point remainder is smaller than the divisor and has the dividend's sign",
          "[ops][arithmetic][property]") {
  for_each_float([](const auto& x) {
    CAPTURE(name(x.kind));
    const auto rest = x(opcode::remf, {}, x.a, x.b);
    CHECK(x.differing(x(opcode::remf, {}, rest, x.b), rest) == 0);
    CHECK(x.differing(x(opcode::remf, {}, x.a, x.negated(x.b)), rest) == 0);
    CHECK(x.differing(x(opcode::remf, {}, x.negated(x.a), x.b), x.negated(rest)) == 0);
    int wrong = 0;
    for (std::size_t i = 0; i < rest.size(); ++i) {
      const double a = x.number(x.a[i]), b = x.number(x.b[i]), r = x.number(rest[i]);
      if (std::isnan(a) || std::isnan(b) || b == 0 || std::isinf(a)) {
        wrong += !std::isnan(r);
      } else {
        wrong += !(std::fabs(r) < std::fabs(b)) || std::signbit(r) != std::signbit(a);
        wrong += std::fabs(a) < std::fabs(b) && !same(r, a);
      }
    }
    CHECK(wrong == 0);
  });
}

TEST_CASE("floating-point comparisons: one of less, equal, greater, or a NaN",
          "[ops][arithmetic][property]") {
  for_each_float([](const auto& x) {
    CAPTURE(name(x.kind));
    using enum predicate;
    const auto less = x.compare(less_than, x.a, x.b), same = x.compare(equal, x.a, x.b);
    const auto more = x.compare(greater_than, x.a, x.b), other = x.compare(not_equal, x.a, x.b);
    const auto less_or_same = x.compare(less_than_or_equal, x.a, x.b);
    const auto more_or_same = x.compare(greater_than_or_equal, x.a, x.b);
    int wrong = 0;
    for (std::size_t i = 0; i < less.size(); ++i) {
      const bool nan = std::isnan(x.number(x.a[i])) || std::isnan(x.number(x.b[i]));
      wrong += less[i] + same[i] + more[i] != (nan ? 0 : 1) || other[i] != (same[i] ^ 1);
      wrong += less_or_same[i] != (less[i] | same[i]) || more_or_same[i] != (more[i] | same[i]);
    }
    CHECK(wrong == 0);
    CHECK(differing(less, x.compare(greater_than, x.b, x.a)) == 0);
    CHECK(differing(less, x.compare(greater_than, x.negated(x.a), x.negated(x.b))) == 0);
    CHECK(differing(same, x.compare(equal, x.b, x.a)) == 0);
  });
}

TEST_CASE("negation is an involution and abs forgets it", "[ops][arithmetic][property]") {
  for_each_float([](const auto& x) {
    CAPTURE(name(x.kind));
    const auto minus = x(opcode::negf, {}, x.a);
    CHECK(x.differing(minus, x.negated(x.a)) == 0);
    CHECK(x.differing(x(opcode::negf, {}, minus), x.a) == 0);
    CHECK(x.differing(x(opcode::absf, {}, minus), x(opcode::absf, {}, x.a)) == 0);
    CHECK(x.differing(x(opcode::absf, {}, x.a),
                      x(opcode::maxf, {.propagate_nan = true}, x.a, minus)) == 0);
  });
}

} // namespace tilesim::test
