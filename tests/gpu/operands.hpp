// Operands that find mistakes: all pairs of special values, then random ones from a fixed seed.
//
// Bit patterns, made with integers alone, so that every machine makes the same. Host code; nothing
// of CUDA. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

namespace operands {

using bits = std::uint64_t;
__extension__ using wide = __int128; // holds every product of two elements

/// What a pattern means: an integer of `width` bits, or a float of these fields.
struct format {
  int width; ///< 1 for bool
  bool is_signed = false;
  int exponent = 0, fraction = 0; ///< bits; 0 for integers
  bool has_infinity = true;

  constexpr bool is_float() const { return exponent != 0; }
  constexpr bits mask() const { return width == 64 ? ~bits{0} : (bits{1} << width) - 1; }
  constexpr bits bias() const { return (bits{1} << (exponent - 1)) - 1; }
  constexpr bits top() const { return (bits{1} << exponent) - 1; }
};

/// splitmix64.
class generator {
public:
  explicit generator(bits seed)
      : state_(seed) {}
  bits operator()() {
    bits z = (state_ += 0x9e3779b97f4a7c15U);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31);
  }

private:
  bits state_;
};

// ------------------------------------------------------------------------------------- values

/// The integer that a pattern stands for.
inline wide integer(const format& f, bits x) {
  const bool negative = f.is_signed && ((x >> (f.width - 1)) & 1) != 0;
  return negative ? static_cast<wide>(x) - (static_cast<wide>(1) << f.width) : static_cast<wide>(x);
}

inline bool fits(const format& f, wide x) {
  const wide above = static_cast<wide>(1) << (f.width - (f.is_signed ? 1 : 0));
  return x < above && x >= (f.is_signed ? -above : 0);
}

/// 64 patterns: both signs of zeros, subnormals, normals about 1 and about the ends, infinities and
/// NaNs, signalling ones too; of each exponent the first, second, middle and last.
inline std::vector<bits> special_floats(const format& f) {
  const bits unit = bits{1} << f.fraction;
  std::vector<bits> found;
  for (const bits exponent : {bits{0},
                              bits{1},
                              f.bias() - 1,
                              f.bias(),
                              f.bias() + 1,
                              (f.bias() + static_cast<bits>(f.fraction)) & f.top(),
                              f.top() - 1,
                              f.top()}) {
    for (const bits fraction : {bits{0}, bits{1}, unit / 2, unit - 1}) {
      for (const bits sign : {bits{0}, bits{1}}) {
        found.push_back((((sign << f.exponent) | exponent) << f.fraction) | fraction);
      }
    }
  }
  return found;
}

/// 32 patterns: small ones of both signs, the ends, powers of two and their neighbours.
inline std::vector<bits> special_integers(const format& f) {
  std::vector<bits> found;
  for (const bits x : {0U, 1U, 2U, 3U, 5U, 7U, 10U, 100U}) {
    found.push_back(x);
    found.push_back(~x); // -x - 1
  }
  const bits half = bits{1} << (f.width / 2);
  const bits top = bits{1} << (f.width - 1);
  for (const bits x : {bits{0}, bits{1}, half - 1, half, half + 1, top / 2, top - 2, top - 1}) {
    found.push_back(x);
    found.push_back(x + top);
  }
  for (bits& x : found) {
    x &= f.mask();
  }
  return found;
}

inline std::vector<bits> specials(const format& f) {
  return f.is_float() ? special_floats(f) : special_integers(f);
}

/// A pattern whose exponent is near that of `x`, half of them with few significant bits: sums that
/// cancel, quotients near 1, ties.
inline bits neighbour(const format& f, bits x, generator& next) {
  const bits exponent = ((x >> f.fraction) & f.top()) +
                        next() % static_cast<bits>(2 * f.fraction + 5) -
                        static_cast<bits>(f.fraction + 2);
  const bits coarse = next() % 2 == 0 ? ~bits{0} : ~bits{0} << (f.fraction - f.fraction / 3);
  const bits fraction = next() & coarse & ((bits{1} << f.fraction) - 1);
  return ((((next() & 1) << f.exponent) | (exponent & f.top())) << f.fraction) | fraction;
}

/// A random integer: of all lengths, so that quotients and products are not all alike.
inline bits any_integer(const format& f, generator& next) {
  const bits x = (next() & f.mask()) >> (next() % static_cast<bits>(f.width));
  return (next() % 2 == 0 ? x : ~x + 1) & f.mask();
}

/// The pattern of significand * 2^power, truncated to what the format holds.
inline bits pattern_of(const format& f, bool negative, bits significand, int power) {
  const bits sign = negative ? bits{1} << (f.width - 1) : 0;
  if (significand == 0) {
    return sign;
  }
  for (; (significand >> f.fraction) > 1; ++power) {
    significand >>= 1;
  }
  for (; (significand >> f.fraction) == 0; --power) {
    significand <<= 1;
  }
  const int exponent = power + f.fraction + static_cast<int>(f.bias());
  if (exponent < 1) { // subnormal, or below
    return sign | (exponent > -f.fraction ? significand >> (1 - exponent) : 0);
  }
  if (exponent >= static_cast<int>(f.top())) {
    return sign | (f.top() << f.fraction);
  }
  return sign | (static_cast<bits>(exponent) << f.fraction) |
         (significand & ((bits{1} << f.fraction) - 1));
}

/// A number of up to `most` bits, of all lengths alike.
inline bits of_any_length(int most, generator& next) {
  const int length = most > 0 ? static_cast<int>(next() % static_cast<bits>(most + 1)) : 0;
  return length > 0 ? next() >> (64 - length) : 0;
}

/// An element of `from` near a value halfway between two neighbours of the float format `to`: where
/// a conversion that rounds twice goes wrong.
inline bits near_tie(const format& from, const format& to, generator& next) {
  const bits t = next() & to.mask();
  const bits exponent = (t >> to.fraction) & to.top();
  const bits significand =
      (t & ((bits{1} << to.fraction) - 1)) | (exponent != 0 ? bits{1} << to.fraction : 0);
  const bits halfway = 2 * significand + 1;
  const bool negative = next() % 2 == 0;
  const bool less = next() % 2 == 0;
  if (from.is_float()) {
    const int power = static_cast<int>(exponent != 0 ? exponent : 1) - static_cast<int>(to.bias()) -
                      to.fraction - 1;
    const bits x = pattern_of(from, negative, halfway, power);
    const bits off = of_any_length(from.fraction - to.fraction - 2, next);
    return (less ? x - off : x + off) & from.mask();
  }
  // An integer: the halfway value times a power of two that still fits.
  const int room = from.width - (from.is_signed ? 1 : 0) - (to.fraction + 2);
  if (room < 0) {
    return t & from.mask();
  }
  const int shift = static_cast<int>(next() % static_cast<bits>(room + 1));
  const bits off = of_any_length(shift - 2, next);
  const bits x = less ? (halfway << shift) - off : (halfway << shift) + off;
  return (negative && from.is_signed ? ~x + 1 : x) & from.mask();
}

/// A float near an integer of the format `to`.
inline bits near_integer(const format& from, const format& to, generator& next) {
  const wide n = integer(to, any_integer(to, next));
  const bits x = pattern_of(from, n < 0, static_cast<bits>(n < 0 ? -n : n), 0);
  const bits off = next() % 4;
  return next() % 2 == 0 ? x + off : (x & (from.mask() >> 1)) >= off ? x - off : x;
}

// ------------------------------------------------------------------------------------- tuples

/// As many arrays as an operation has operands, of one length.
using arrays = std::vector<std::vector<bits>>;

/// Appends one element to every array.
inline void append(arrays& to, std::initializer_list<bits> element) {
  std::size_t k = 0;
  for (const bits x : element) {
    to[k++].push_back(x);
  }
}

/// In an order that mixes special and random ones: any prefix is a sample of both.
inline void shuffle(arrays& a, generator& next) {
  for (std::size_t i = a[0].size() - 1; i > 0; --i) {
    const std::size_t j = next() % (i + 1);
    for (auto& operand : a) {
      std::swap(operand[i], operand[j]);
    }
  }
}

/// All specials, then random patterns: `count` in all.
inline arrays singles(const format& f, std::size_t count) {
  generator next(1);
  arrays made(1);
  for (const bits x : specials(f)) {
    append(made, {x});
  }
  while (made[0].size() < count) {
    append(made, {f.is_float() ? next() & f.mask() : any_integer(f, next)});
  }
  shuffle(made, next);
  return made;
}

/// Elements to convert: all specials, random patterns, and as many that lie where rounding matters.
inline arrays to_convert(const format& from, const format& to, std::size_t count) {
  arrays made = singles(from, count / 2);
  generator next(5);
  while (made[0].size() < count) {
    append(made,
           {to.is_float()                     ? near_tie(from, to, next)
            : from.is_float() && to.width > 1 ? near_integer(from, to, next)
                                              : next() & from.mask()});
  }
  shuffle(made, next);
  return made;
}

/// All pairs of specials, then random pairs: raw patterns, and patterns near one another.
inline arrays pairs(const format& f, std::size_t count) {
  generator next(2);
  arrays made(2);
  for (const bits x : specials(f)) {
    for (const bits y : specials(f)) {
      append(made, {x, y});
    }
  }
  while (made[0].size() < count) {
    if (f.is_float()) {
      const bits x = next() & f.mask();
      append(made, {x, next() % 2 == 0 ? next() & f.mask() : neighbour(f, x, next)});
    } else {
      append(made, {any_integer(f, next), any_integer(f, next)});
    }
  }
  shuffle(made, next);
  return made;
}

/// For x * y + z in floating point: all triples of every fourth special, then random ones with z
/// near the product.
inline arrays triples(const format& f, std::size_t count) {
  generator next(3);
  arrays made(3);
  std::vector<bits> few;
  const std::vector<bits> all = specials(f);
  for (std::size_t i = 0; i < all.size(); ++i) {
    // One of the eight patterns of each exponent, another one each time.
    if (i % 8 == i / 8 || i % 8 == (i / 8 + 3) % 8) {
      few.push_back(all[i]);
    }
  }
  for (const bits x : few) {
    for (const bits y : few) {
      for (const bits z : few) {
        append(made, {x, y, z});
      }
    }
  }
  while (made[0].size() < count) {
    const bits x = next() & f.mask();
    const bits y = next() % 2 == 0 ? next() & f.mask() : neighbour(f, f.bias() << f.fraction, next);
    const bits exponent = ((x >> f.fraction) & f.top()) + ((y >> f.fraction) & f.top()) - f.bias();
    const bits product = (exponent & f.top()) << f.fraction;
    append(made, {x, y, next() % 4 == 0 ? next() & f.mask() : neighbour(f, product, next)});
  }
  shuffle(made, next);
  return made;
}

// --------------------------------------------------------------- operands that are defined

/// What an operation demands of its operands, so that the reference defines the result.
enum class demand {
  nothing,
  sum,        ///< a + b is representable
  difference, ///< a - b is
  product,    ///< a * b is
  quotient,   ///< b is not 0, a / b is representable
  count,      ///< b is at least 0 and less than the width of a
  opposite,   ///< -a is representable
  plus_minus, ///< -b is representable, and a + (-b): what atomic_sub demands
  rest,       ///< of floats: a and b are not both infinite
};

inline bool is_infinite(const format& f, bits x) {
  return f.is_float() && f.has_infinity && (x & (f.mask() >> 1)) == f.top() << f.fraction;
}

/// True if the reference defines the result for these elements of format `f`.
inline bool is_defined(demand d, const format& f, bits a, bits b) {
  if (f.is_float()) {
    return d != demand::rest || !is_infinite(f, a) || !is_infinite(f, b);
  }
  const wide x = integer(f, a);
  const wide y = integer(f, b);
  switch (d) {
  case demand::sum:
    return !f.is_signed || fits(f, x + y);
  case demand::difference:
    return !f.is_signed || fits(f, x - y);
  case demand::product:
    return !f.is_signed || fits(f, x * y);
  case demand::quotient:
    return y != 0 && fits(f, x / y);
  case demand::count:
    return y >= 0 && y < f.width;
  case demand::opposite:
    return !f.is_signed || fits(f, -x);
  case demand::plus_minus:
    return !f.is_signed || (fits(f, -y) && fits(f, x - y));
  case demand::nothing:
  case demand::rest:
    break;
  }
  return true;
}

/// Replaces elements that are not defined by such that are.
inline void make_defined(demand d, const format& f, arrays& operands) {
  for (std::size_t i = 0; i < operands[0].size(); ++i) {
    bits& a = operands[0][i];
    bits& b = operands.size() > 1 ? operands[1][i] : a;
    if (is_defined(d, f, a, b)) {
      continue;
    }
    switch (d) {
    case demand::sum:
    case demand::difference:
    case demand::plus_minus:
      b = 0;
      break;
    case demand::product:
    case demand::quotient:
      b = 1;
      break;
    case demand::count:
      b = b % static_cast<bits>(f.width);
      break;
    case demand::opposite:
      a = 1;
      break;
    case demand::nothing:
      break;
    case demand::rest:
      b = f.bias() << f.fraction; // 1.0
      break;
    }
  }
}

/// True if a float's value, truncated, is one of the integer format `to`.  [general: conversions]
inline bool truncates_to(const format& from, bits x, const format& to) {
  const bits fraction = x & ((bits{1} << from.fraction) - 1);
  const bits exponent = (x >> from.fraction) & from.top();
  const bool special =
      from.has_infinity ? exponent == from.top() : (x & (from.mask() >> 1)) == from.mask() >> 1;
  if (special) {
    return false;
  }
  // The significand is worth 2^(exponent - bias - fraction bits).
  const int power = static_cast<int>(exponent) - static_cast<int>(from.bias()) - from.fraction;
  const wide significand =
      static_cast<wide>(fraction | (exponent != 0 ? bits{1} << from.fraction : 0));
  const bool negative = ((x >> (from.width - 1)) & 1) != 0;
  if (power > 64) {
    return significand == 0;
  }
  const wide magnitude = power >= 0    ? significand << power
                         : power > -64 ? significand >> -power
                                       : 0;
  return fits(to, negative ? -magnitude : magnitude);
}

/// Numbers of all the format's bits with magnitudes from 2^least to 2^most, of either sign or
/// positive.
inline std::vector<bits>
numbers_between(const format& f, std::size_t count, int least, int most, bool positive, bits seed) {
  generator next(seed);
  std::vector<bits> made(count);
  for (bits& x : made) {
    const bits exponent =
        static_cast<bits>(static_cast<int>(f.bias()) + least +
                          static_cast<int>(next() % static_cast<bits>(most - least)));
    const bits sign = positive ? 0 : next() & 1;
    x = (((sign << f.exponent) | exponent) << f.fraction) |
        (next() & ((bits{1} << f.fraction) - 1));
  }
  return made;
}

} // namespace operands
