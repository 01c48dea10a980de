// From a format and its arguments to the memory that printf touches.
//
// glibc says of which types the arguments are, so that they can be taken from the list; which of
// them is a string's, and which its precision, a look at the format tells.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/access/format_strings.hpp"

#include <climits>
#include <cstdlib>
#include <cstring>
#include <cwchar>
#include <optional>
#include <printf.h>

namespace tilesim::sim {

namespace {

struct argument {
  long long number = 0;
  const void* pointer = nullptr;
};

/// The arguments in their order; fewer if one has a type that somebody has added to printf.
std::vector<argument> take(const char* format, va_list list) {
  std::vector<int> types(parse_printf_format(format, 0, nullptr));
  parse_printf_format(format, types.size(), types.data());
  va_list rest;
  va_copy(rest, list);
  std::vector<argument> taken;
  for (const int type : types) {
    argument a;
    const int base = type & ~PA_FLAG_MASK;
    const bool longer = (type & PA_FLAG_LONG_LONG) != 0;
    if ((type & PA_FLAG_PTR) != 0 || base == PA_STRING || base == PA_WSTRING ||
        base == PA_POINTER) {
      a.pointer = va_arg(rest, const void*);
    } else if (base == PA_FLOAT || base == PA_DOUBLE) {
      static_cast<void>(longer ? va_arg(rest, long double) : va_arg(rest, double));
    } else if (base == PA_INT || base == PA_CHAR || base == PA_WCHAR) {
      a.number = longer                       ? va_arg(rest, long long)
                 : (type & PA_FLAG_LONG) != 0 ? va_arg(rest, long)
                                              : va_arg(rest, int);
    } else {
      break;
    }
    taken.push_back(a);
  }
  va_end(rest);
  return taken;
}

/// Reads conversions from a format.
class reader {
public:
  reader(const char* format, const std::vector<argument>& arguments)
      : at_(format)
      , arguments_(arguments) {}

  std::vector<format_access> all() {
    std::vector<format_access> found;
    while ((at_ = std::strchr(at_, '%')) != nullptr) {
      ++at_;
      if (const auto a = conversion(); a && a->address != nullptr) {
        found.push_back(*a);
      }
    }
    return found;
  }

private:
  std::optional<format_access> conversion() {
    const std::optional<std::size_t> position = take_position();
    at_ += std::strspn(at_, "-+ #0'I");
    static_cast<void>(take_number());
    auto precision = static_cast<std::size_t>(-1);
    if (*at_ == '.') {
      ++at_;
      const long long given = take_number().value_or(0);
      precision = given < 0 ? precision : static_cast<std::size_t>(given); // as if there were none
    }
    const char* modifier = at_;
    at_ += std::strspn(at_, "hlLqjzt");
    const auto modifiers = static_cast<std::size_t>(at_ - modifier);
    const char kind = *at_;
    if (kind == '\0') {
      return {};
    }
    ++at_;
    if (kind == '%' || kind == 'm') {
      return {};
    }
    const argument a = nth(position ? *position : next_++);
    const bool wide = kind == 'S' || (modifiers > 0 && *modifier == 'l');
    if (kind == 's' || kind == 'S') {
      return format_access{
          .address = a.pointer, .unit = wide ? sizeof(wchar_t) : 1, .most = precision};
    }
    if (kind == 'n') {
      const std::size_t bytes = size_of_count(modifier, modifiers);
      return format_access{.address = a.pointer, .unit = bytes, .writes = true};
    }
    return {};
  }

  [[nodiscard]] static std::size_t size_of_count(const char* modifier, std::size_t length) {
    if (length == 0) {
      return sizeof(int);
    }
    if (*modifier == 'h') {
      return length == 1 ? sizeof(short) : sizeof(char);
    }
    return *modifier == 'l' && length == 1 ? sizeof(long) : sizeof(long long);
  }

  /// "2$": the second argument.
  std::optional<std::size_t> take_position() {
    const std::size_t digits = std::strspn(at_, "0123456789");
    if (digits == 0 || at_[digits] != '$') {
      return {};
    }
    const auto n = static_cast<std::size_t>(std::strtoull(at_, nullptr, 10));
    at_ += digits + 1;
    return n - 1;
  }

  /// A width or precision: digits, or an argument.
  std::optional<long long> take_number() {
    if (*at_ == '*') {
      ++at_;
      const auto position = take_position();
      return nth(position ? *position : next_++).number;
    }
    const std::size_t digits = std::strspn(at_, "0123456789");
    if (digits == 0) {
      return {};
    }
    const long long n = std::strtoll(at_, nullptr, 10);
    at_ += digits;
    return n;
  }

  [[nodiscard]] argument nth(std::size_t n) const {
    return n < arguments_.size() ? arguments_[n] : argument{};
  }

  const char* at_;
  const std::vector<argument>& arguments_;
  std::size_t next_ = 0;
};

} // namespace

std::size_t format_access::bytes() const noexcept {
  if (writes) {
    return unit;
  }
  if (unit == 1) {
    const std::size_t length = strnlen(static_cast<const char*>(address), most);
    return length < most ? length + 1 : most;
  }
  // Of wide characters the precision counts what they become.
  const auto* text = static_cast<const wchar_t*>(address);
  std::mbstate_t state{};
  char buffer[MB_LEN_MAX];
  std::size_t printed = 0;
  std::size_t read = 0;
  while (printed < most) {
    const wchar_t c = text[read++];
    const std::size_t length = std::wcrtomb(buffer, c, &state);
    if (c == 0 || length == static_cast<std::size_t>(-1)) {
      break; // of what cannot be converted nothing more is read
    }
    printed += length;
  }
  return read * unit;
}

std::vector<format_access> accesses_of_format(const char* format, va_list arguments) {
  if (std::strchr(format, '%') == nullptr) {
    return {};
  }
  return reader(format, take(format, arguments)).all();
}

} // namespace tilesim::sim
