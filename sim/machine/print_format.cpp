// Reads formats, and hands each conversion to the C library.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/machine/print_format.hpp"

#include "sim/fp/cells.hpp"

#include <bit>
#include <cstdio>
#include <cstring>

namespace tilesim::sim {
namespace {

/// Takes characters of `set` off the front of `rest`.
std::string_view take(std::string_view& rest, std::string_view set) {
  const std::size_t end = std::min(rest.find_first_not_of(set), rest.size());
  const std::string_view taken = rest.substr(0, end);
  rest.remove_prefix(end);
  return taken;
}

constexpr std::string_view digits = "0123456789";

wanted wanted_by(std::string_view length, char letter) {
  const bool known =
      length.empty() || length == "hh" || length == "h" || length == "l" || length == "ll";
  if (!known) {
    return wanted::unknown;
  }
  switch (letter) {
  case 'd':
  case 'i':
  case 'u':
  case 'o':
  case 'x':
  case 'X':
    return length.substr(0, 1) == "l" ? wanted::integer8 : wanted::integer;
  case 'c':
    return wanted::integer;
  case 'f':
  case 'F':
  case 'e':
  case 'E':
  case 'g':
  case 'G':
  case 'a':
  case 'A':
    return length.size() < 2 ? wanted::number : wanted::unknown;
  case 's':
    return wanted::string;
  case 'p':
    return wanted::pointer;
  default:
    return wanted::unknown;
  }
}

/// The conversion at the front of `format`, which begins with a percent sign.
format_piece conversion_at(std::string_view format) {
  if (format.substr(0, 2) == "%%") {
    return {wanted::nothing, format.substr(0, 1)};
  }
  std::string_view rest = format.substr(1);
  take(rest, "-+ #0");
  take(rest, digits);
  if (!rest.empty() && rest.front() == '.') {
    rest.remove_prefix(1);
    take(rest, digits);
  }
  const std::string_view length = take(rest, "hl");
  // What else C and POSIX know: none of it is known here, but its letter belongs to it.
  const std::string_view strange = take(rest, "*'$jztLqI0123456789.");
  const char letter = rest.empty() ? '\0' : rest.front();
  const std::size_t size = format.size() - rest.size() + (rest.empty() ? 0 : 1);
  return {strange.empty() ? wanted_by(length, letter) : wanted::unknown, format.substr(0, size)};
}

std::string printed(const std::string& conversion, auto value) {
  char few[128];
  const int length = std::snprintf(few, sizeof few, conversion.c_str(), value);
  if (length < static_cast<int>(sizeof few)) {
    return {few, length > 0 ? static_cast<std::size_t>(length) : 0};
  }
  std::string text(static_cast<std::size_t>(length) + 1, '\0');
  std::snprintf(text.data(), text.size(), conversion.c_str(), value);
  text.pop_back();
  return text;
}

} // namespace

std::vector<format_piece> pieces_of(std::string_view format) {
  std::vector<format_piece> pieces;
  while (!format.empty()) {
    const std::size_t percent = std::min(format.find('%'), format.size());
    if (percent > 0) {
      pieces.push_back({wanted::nothing, format.substr(0, percent)});
      format.remove_prefix(percent);
      continue;
    }
    const format_piece next = conversion_at(format);
    pieces.push_back(next);
    format.remove_prefix(next.what == wanted::nothing ? 2 : next.text.size());
  }
  return pieces;
}

std::uint64_t printed_bits(element kind, const void* cell) noexcept {
  const auto read = [cell]<class T>(T x) {
    std::memcpy(&x, cell, sizeof x);
    return x;
  };
  const auto extended = [](std::int32_t x) { return std::uint64_t{static_cast<std::uint32_t>(x)}; };
  const auto number = [](double x) { return std::bit_cast<std::uint64_t>(x); };
  switch (kind) {
  case element::i1:
    return read(std::uint8_t{});
  case element::i8:
    return extended(read(std::int8_t{}));
  case element::i16:
    return extended(read(std::int16_t{}));
  case element::i32:
    return extended(read(std::int32_t{}));
  case element::i64:
  case element::f64:
  case element::ptr:
    return read(std::uint64_t{});
  case element::f32:
    return number(double{read(float{})});
  case element::f16:
    return number(double{fp::widen(read(fp::f16{}))});
  case element::bf16:
    return number(double{fp::widen(read(fp::bf16{}))});
  case element::tf32:
    return number(double{fp::widen(read(fp::tf32{}))});
  case element::f8e4m3:
    return number(double{fp::widen(read(fp::e4m3{}))});
  case element::f8e5m2:
    return number(double{fp::widen(read(fp::e5m2{}))});
  }
  return 0;
}

std::string formatted(const format_piece& conversion, std::uint64_t bits) {
  std::string text(conversion.text);
  if (conversion.what == wanted::nothing || conversion.what == wanted::unknown) {
    return text;
  }
  // The length is that of what is passed below; h and hh stay.
  std::erase(text, 'l');
  const char letter = text.back();
  switch (conversion.what) {
  case wanted::integer:
    return printed(text, static_cast<std::int32_t>(bits));
  case wanted::integer8:
    text.insert(text.size() - 1, "ll");
    return printed(text, static_cast<long long>(bits));
  case wanted::number:
    std::erase(text, 'h');
    return printed(text, std::bit_cast<double>(bits));
  case wanted::string:
    std::erase(text, 'h');
    return printed(text, reinterpret_cast<const char*>(bits));
  case wanted::pointer:
    std::erase(text, 'h');
    return printed(text, reinterpret_cast<const void*>(bits));
  default:
    break;
  }
  return {1, letter};
}

} // namespace tilesim::sim
