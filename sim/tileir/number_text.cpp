// Numbers as the disassembler prints them.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/tileir/number_text.hpp"

#include "sim/tileir/constants.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <vector>

namespace tilesim::tileir {
namespace {

/// Digits that tell any two numbers of the type apart.
unsigned most_digits(number of) {
  switch (of) {
  case number::f64:
    return 17;
  case number::f32:
    return 9;
  case number::bf16:
    return 4;
  default:
    return 5;
  }
}

/// Six digits tell all numbers of the smaller types apart.
bool reads_back(number of, double value, const std::string& text) {
  if (of != number::f32 && of != number::f64) {
    return true;
  }
  const double read = std::strtod(text.c_str(), nullptr);
  return of == number::f64 ? read == value : static_cast<float>(read) == static_cast<float>(value);
}

/// A natural number of any size.
class natural {
public:
  explicit natural(std::uint64_t n)
      : words_{static_cast<std::uint32_t>(n), static_cast<std::uint32_t>(n >> 32U)} {
    trim();
  }

  [[nodiscard]] bool zero() const { return words_.empty(); }

  [[nodiscard]] unsigned bit_length() const {
    return words_.empty() ? 0
                          : static_cast<unsigned>(32 * (words_.size() - 1)) +
                                static_cast<unsigned>(std::bit_width(words_.back()));
  }

  void multiply(std::uint32_t by) {
    std::uint64_t carry = 0;
    for (std::uint32_t& w : words_) {
      carry += std::uint64_t{w} * by;
      w = static_cast<std::uint32_t>(carry);
      carry >>= 32U;
    }
    if (carry != 0) {
      words_.push_back(static_cast<std::uint32_t>(carry));
    }
  }

  /// Divides by 10; gives the remainder.
  unsigned divide_by_ten() {
    std::uint64_t rest = 0;
    for (std::size_t i = words_.size(); i-- > 0;) {
      rest = rest << 32U | words_[i];
      words_[i] = static_cast<std::uint32_t>(rest / 10);
      rest %= 10;
    }
    trim();
    return static_cast<unsigned>(rest);
  }

private:
  void trim() {
    while (!words_.empty() && words_.back() == 0) {
      words_.pop_back();
    }
  }

  std::vector<std::uint32_t> words_;
};

struct decimal {
  std::string digits; ///< no zero at its end
  int last = 0;       ///< the power of ten of the last one
};

/// A positive number's digits, at most `most`: cut off to somewhat more bits than those take, then
/// rounded, halves up, as the framework does that the disassembler is made with.
decimal digits_of(double magnitude, unsigned most) {
  int power = 0;
  constexpr int bits = 53;
  auto significand = static_cast<std::uint64_t>(std::ldexp(std::frexp(magnitude, &power), bits));
  power -= bits;
  const int zeros = std::countr_zero(significand);
  significand >>= static_cast<unsigned>(zeros);
  power += zeros;
  natural n(significand);
  for (int i = 0; i < power; ++i) {
    n.multiply(2);
  }
  for (int i = power; i < 0; ++i) {
    n.multiply(5);
  }
  decimal d;
  d.last = std::min(power, 0);
  const unsigned wanted = (most * 196 + 58) / 59;
  if (n.bit_length() > wanted) {
    const unsigned removable = (n.bit_length() - wanted) * 59 / 196;
    for (unsigned i = 0; i < removable; ++i) {
      n.divide_by_ten();
    }
    d.last += static_cast<int>(removable);
  }
  while (!n.zero()) {
    d.digits.insert(d.digits.begin(), static_cast<char>('0' + n.divide_by_ten()));
  }
  if (d.digits.size() > most) {
    const bool up = d.digits[most] >= '5';
    d.last += static_cast<int>(d.digits.size() - most);
    d.digits.resize(most);
    std::size_t i = most;
    while (up && i > 0 && d.digits[i - 1] == '9') {
      d.digits[--i] = '0';
    }
    if (up && i > 0) {
      ++d.digits[i - 1];
    } else if (up) {
      d.digits.insert(d.digits.begin(), '1');
    }
  }
  while (d.digits.size() > 1 && d.digits.back() == '0') {
    d.digits.pop_back();
    ++d.last;
  }
  return d;
}

/// "1.500000e+00"
std::string six_digits(double magnitude) {
  constexpr unsigned most = 6;
  const decimal d = magnitude == 0 ? decimal{"0", 0} : digits_of(magnitude, most);
  std::string fraction = d.digits.substr(1);
  fraction.resize(most, '0');
  const int exponent = d.last + static_cast<int>(d.digits.size()) - 1;
  return fmt::format(
      "{}.{}e{}{:02}", d.digits[0], fraction, exponent < 0 ? '-' : '+', std::abs(exponent));
}

std::string as_many_digits(double magnitude, unsigned most) {
  const auto [digits, last] = digits_of(magnitude, most);
  const int count = static_cast<int>(digits.size());
  const int exponent = last + count - 1;
  constexpr int most_zeros = 3;
  const bool scientific = last >= 0 ? last > most_zeros || count + last > static_cast<int>(most)
                                    : exponent < 0 && -exponent > most_zeros;
  if (scientific) {
    return fmt::format("{}.{}E{}{}",
                       digits[0],
                       count == 1 ? "0" : digits.substr(1),
                       exponent < 0 ? '-' : '+',
                       std::abs(exponent));
  }
  if (last >= 0) {
    return digits + std::string(static_cast<std::size_t>(last), '0');
  }
  if (exponent >= 0) {
    const std::size_t whole = static_cast<std::size_t>(exponent) + 1;
    return digits.substr(0, whole) + "." + digits.substr(whole);
  }
  return "0." + std::string(static_cast<std::size_t>(-exponent) - 1, '0') + digits;
}

} // namespace

std::int64_t to_signed(number of, std::uint64_t b) noexcept {
  const unsigned unused = 64 - bits(of);
  return static_cast<std::int64_t>(b << unused) >> unused;
}

std::string integer_text(number of, std::uint64_t bits) {
  if (of == number::i1) {
    return (bits & 1U) != 0 ? "true" : "false";
  }
  return fmt::format("{}", to_signed(of, bits));
}

std::string float_text(number of, std::uint64_t bits) {
  const double value = to_double(of, bits);
  const std::string in_hex = fmt::format("{:#X}", bits);
  std::string hex = "0x" + in_hex.substr(2);
  if (!std::isfinite(value)) {
    return hex;
  }
  const std::string sign = std::signbit(value) ? "-" : "";
  std::string text = six_digits(std::fabs(value));
  if (reads_back(of, std::fabs(value), text)) {
    return sign + text;
  }
  text = as_many_digits(std::fabs(value), most_digits(of));
  return text.find('.') != std::string::npos ? sign + text : hex;
}

std::string number_text(number of, std::uint64_t bits) {
  return is_integer(of) ? integer_text(of, bits) : float_text(of, bits);
}

} // namespace tilesim::tileir
