// [PTX: integer arithmetic, logic and shift, comparison and selection, data movement]
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/ptx/scalar.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <type_traits>

namespace tilesim::sim::ptx {

namespace {

using operands = std::span<const std::uint64_t>;
using result = std::optional<std::uint64_t>;

bool is_float(std::string_view type) {
  return type == "f32" || type == "f64";
}
bool is_signed(std::string_view type) {
  return type.starts_with('s');
}

std::uint64_t mask(unsigned bits) {
  return bits >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
}

template <class T>
T float_of(std::uint64_t bits) {
  if constexpr (sizeof(T) == 4) {
    return std::bit_cast<T>(static_cast<std::uint32_t>(bits));
  } else {
    return std::bit_cast<T>(bits);
  }
}
std::uint64_t bits_of(float f) {
  return std::bit_cast<std::uint32_t>(f);
}
std::uint64_t bits_of(double d) {
  return std::bit_cast<std::uint64_t>(d);
}

template <class T>
result float_operation(std::string_view name, operands o) {
  const T a = float_of<T>(o[0]);
  const T b = o.size() > 1 ? float_of<T>(o[1]) : T{};
  if (name == "add") {
    return bits_of(a + b);
  }
  if (name == "sub") {
    return bits_of(a - b);
  }
  if (name == "mul") {
    return bits_of(a * b);
  }
  if (name == "min") {
    return bits_of(std::fmin(a, b));
  }
  if (name == "max") {
    return bits_of(std::fmax(a, b));
  }
  if (name == "neg") {
    return bits_of(-a);
  }
  if (name == "abs") {
    return bits_of(std::fabs(a));
  }
  if (name == "fma" && o.size() == 3) {
    return bits_of(std::fma(a, b, float_of<T>(o[2])));
  }
  return std::nullopt;
}

__extension__ using wide_signed = __int128;
__extension__ using wide_unsigned = unsigned __int128;

template <class T>
std::uint64_t high_half(T a, T b, unsigned bits) {
  using wide = std::conditional_t<std::is_signed_v<T>, wide_signed, wide_unsigned>;
  return static_cast<std::uint64_t>((static_cast<wide>(a) * static_cast<wide>(b)) >> bits);
}

/// Numbers of the type, in 64 bits: unsigned ones behind zeros, signed ones behind their sign.
template <class T>
result integer_operation(const instruction& i, std::string_view type, T a, T b, T c) {
  const std::string& name = i.words.front();
  const unsigned bits = bytes_of(type) * 8;
  const auto wrapped = [](T v) { return static_cast<std::uint64_t>(v); };
  const auto unsigned_of = [](T v) { return static_cast<std::uint64_t>(v); };
  if (name == "add") {
    return unsigned_of(a) + unsigned_of(b);
  }
  if (name == "sub") {
    return unsigned_of(a) - unsigned_of(b);
  }
  if (name == "mul" || name == "mad") {
    const std::uint64_t product =
        i.has("hi") ? high_half(a, b, bits) : unsigned_of(a) * unsigned_of(b);
    return product + (name == "mad" ? unsigned_of(c) : 0);
  }
  if (name == "div" && b != 0) {
    return wrapped(b == static_cast<T>(-1) ? static_cast<T>(0 - unsigned_of(a))
                                           : static_cast<T>(a / b));
  }
  if (name == "rem" && b != 0) {
    return wrapped(b == static_cast<T>(-1) && is_signed(type) ? T{} : static_cast<T>(a % b));
  }
  if (name == "min") {
    return wrapped(std::min(a, b));
  }
  if (name == "max") {
    return wrapped(std::max(a, b));
  }
  if (name == "neg") {
    return 0 - unsigned_of(a);
  }
  if (name == "abs") {
    return a < 0 ? 0 - unsigned_of(a) : unsigned_of(a);
  }
  if (name == "shr") {
    const std::uint64_t by = std::min<std::uint64_t>(unsigned_of(b) & mask(32), bits);
    return by >= bits ? (a < 0 ? ~std::uint64_t{0} : 0) : wrapped(static_cast<T>(a >> by));
  }
  return std::nullopt;
}

/// A field of `length` bits from bit `from` on.  [PTX: bfe]
std::uint64_t
extract(std::string_view type, std::uint64_t a, std::uint64_t from, std::uint64_t length) {
  const unsigned bits = bytes_of(type) * 8;
  from &= 0xff;
  length &= 0xff;
  const std::uint64_t field =
      from >= bits ? 0 : (a & mask(bits)) >> from & mask(static_cast<unsigned>(length));
  if (!is_signed(type) || length == 0) {
    return field;
  }
  const std::uint64_t top = std::min<std::uint64_t>(from + length, bits) - 1;
  const bool negative = (a >> top & 1) != 0;
  const std::uint64_t there = std::min<std::uint64_t>(length, from >= bits ? 0 : bits - from);
  return negative ? field | ~mask(static_cast<unsigned>(there)) : field;
}

/// [PTX: bfi]
std::uint64_t insert(unsigned bits, operands o) {
  const std::uint64_t from = o[2] & 0xff;
  const std::uint64_t field =
      from >= bits ? 0 : mask(static_cast<unsigned>(o[3] & 0xff)) << from & mask(bits);
  return (o[1] & ~field) | (from >= bits ? 0 : o[0] << from & field);
}

/// Bytes of two words by the selector's numbers.  [PTX: prmt, the default mode]
std::uint64_t permute(operands o) {
  const std::uint64_t bytes = (o[1] & mask(32)) << 32 | (o[0] & mask(32));
  std::uint64_t out = 0;
  for (unsigned i = 0; i < 4; ++i) {
    const std::uint64_t which = o[2] >> (4 * i) & 0xf;
    std::uint64_t byte = bytes >> ((which & 7) * 8) & 0xff;
    if ((which & 8) != 0) {
      byte = (byte & 0x80) != 0 ? 0xff : 0;
    }
    out |= byte << (8 * i);
  }
  return out;
}

/// [PTX: lop3]
std::uint64_t look_up(operands o) {
  std::uint64_t out = 0;
  for (unsigned bit = 0; bit < 32; ++bit) {
    const std::uint64_t row = (o[0] >> bit & 1) << 2 | (o[1] >> bit & 1) << 1 | (o[2] >> bit & 1);
    out |= (o[3] >> row & 1) << bit;
  }
  return out;
}

template <class T>
std::optional<bool> compare(std::string_view how, const T& a, const T& b) {
  if (how == "eq") {
    return a == b;
  }
  if (how == "ne") {
    return a != b;
  }
  if (how == "lt" || how == "lo") {
    return a < b;
  }
  if (how == "le" || how == "ls") {
    return a <= b;
  }
  if (how == "gt" || how == "hi") {
    return a > b;
  }
  if (how == "ge" || how == "hs") {
    return a >= b;
  }
  return std::nullopt;
}

result set_predicate(const instruction& i, std::string_view type, operands o) {
  if (i.words.size() != 3 || o.size() != 2) {
    return std::nullopt; // combined with another predicate
  }
  const std::string& how = i.words[1];
  std::optional<bool> holds;
  if (type == "f32") {
    holds = compare(how, float_of<float>(o[0]), float_of<float>(o[1]));
  } else if (type == "f64") {
    holds = compare(how, float_of<double>(o[0]), float_of<double>(o[1]));
  } else if (is_signed(type)) {
    holds = compare(how, static_cast<std::int64_t>(o[0]), static_cast<std::int64_t>(o[1]));
  } else {
    holds = compare(how, o[0], o[1]);
  }
  return holds ? result(*holds ? 1 : 0) : std::nullopt;
}

/// Bits alone, whatever type.
result bit_operation(const instruction& i, std::string_view type, operands o) {
  const std::string& name = i.words.front();
  const unsigned bits = bytes_of(type) * 8;
  const std::uint64_t a = o.empty() ? 0 : o[0] & mask(bits);
  const auto is = [&](std::string_view wanted, std::size_t count) {
    return name == wanted && o.size() == count;
  };
  if (is("mov", 1) || is("cvta", 1)) {
    return o[0];
  }
  if (is("and", 2)) {
    return o[0] & o[1];
  }
  if (is("or", 2)) {
    return o[0] | o[1];
  }
  if (is("xor", 2)) {
    return o[0] ^ o[1];
  }
  if (is("not", 1)) {
    return type == "pred" ? o[0] ^ 1 : ~o[0];
  }
  if (is("shl", 2)) {
    return (o[1] & mask(32)) >= bits ? 0 : o[0] << (o[1] & mask(32));
  }
  if (is("popc", 1)) {
    return static_cast<unsigned>(std::popcount(a));
  }
  if (is("clz", 1)) {
    return static_cast<unsigned>(std::countl_zero(a)) - (64 - bits);
  }
  if (is("brev", 1)) {
    std::uint64_t out = 0;
    for (unsigned bit = 0; bit < bits; ++bit) {
      out |= (a >> bit & 1) << (bits - 1 - bit);
    }
    return out;
  }
  if (is("bfe", 3)) {
    return extract(type, o[0], o[1], o[2]);
  }
  if (is("bfi", 4)) {
    return insert(bits, o);
  }
  if (is("prmt", 3) && i.words.size() == 2) {
    return permute(o);
  }
  if (is("lop3", 4)) {
    return look_up(o);
  }
  if (is("selp", 3)) {
    return o[2] != 0 ? o[0] : o[1];
  }
  return std::nullopt;
}

/// [PTX: cvt] between integers alone.
result convert(const instruction& i, operands o) {
  const std::string& from = i.words.back();
  if (i.words.size() != 3 || is_float(from) || is_float(i.words[1]) || o.size() != 1) {
    return std::nullopt;
  }
  return as_type(i.words[1], as_type(from, o[0]));
}

} // namespace

unsigned bytes_of(std::string_view type) {
  if (type == "pred") {
    return 1;
  }
  if (type.size() < 2 || std::string_view("usbf").find(type[0]) == std::string_view::npos) {
    return 0;
  }
  const std::string_view bits = type.substr(1);
  return bits == "8" ? 1U : bits == "16" ? 2U : bits == "32" ? 4U : bits == "64" ? 8U : 0U;
}

std::uint64_t as_type(std::string_view type, std::uint64_t bits) {
  const unsigned bytes = bytes_of(type);
  if (bytes == 0 || bytes == 8) {
    return bits;
  }
  const unsigned width = bytes * 8;
  const std::uint64_t low = bits & mask(width);
  return is_signed(type) && (low >> (width - 1)) != 0 ? low | ~mask(width) : low;
}

std::optional<std::uint64_t> scalar(const instruction& i, std::span<const std::uint64_t> given) {
  if (i.starts("cvt")) {
    return convert(i, given);
  }
  const std::string& type = i.words.back();
  if (bytes_of(type) == 0 || given.empty()) {
    return std::nullopt;
  }
  std::vector<std::uint64_t> o(given.begin(), given.end());
  for (std::uint64_t& one : o) {
    one = as_type(type, one);
  }
  if (i.starts("selp") || i.starts("lop3")) {
    o.back() = given.back();
  }
  if (i.starts("setp")) {
    return set_predicate(i, type, o);
  }
  if (const result r = bit_operation(i, type, o)) {
    return r;
  }
  if (is_float(type)) {
    return type == "f32" ? float_operation<float>(i.words.front(), o)
                         : float_operation<double>(i.words.front(), o);
  }
  o.resize(3);
  return is_signed(type) ? integer_operation<std::int64_t>(i,
                                                           type,
                                                           static_cast<std::int64_t>(o[0]),
                                                           static_cast<std::int64_t>(o[1]),
                                                           static_cast<std::int64_t>(o[2]))
                         : integer_operation<std::uint64_t>(i, type, o[0], o[1], o[2]);
}

} // namespace tilesim::sim::ptx
