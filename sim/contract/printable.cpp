// Escapes what is no UTF-8, and control characters.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/contract/printable.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>

namespace tilesim::sim {

namespace {

/// A character: its code and how many bytes it takes; no bytes where none begins.
struct character {
  std::uint32_t code = 0;
  std::size_t bytes = 0;
};

/// As UTF-8 has them: the shortest form, no surrogates, at most U+10FFFF.
character first_character(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text.front());
  if (lead < 0x80) {
    return {lead, 1};
  }
  struct form {
    unsigned mask, mark;
    std::uint32_t least;
  };
  constexpr std::array<form, 3> forms{
      {{0xe0, 0xc0, 0x80}, {0xf0, 0xe0, 0x800}, {0xf8, 0xf0, 0x10000}}};
  for (std::size_t more = 1; more <= forms.size(); ++more) {
    const form& f = forms[more - 1];
    if ((lead & f.mask) != f.mark) {
      continue;
    }
    if (text.size() <= more) {
      return {};
    }
    std::uint32_t code = lead & ~f.mask;
    for (std::size_t i = 1; i <= more; ++i) {
      const auto next = static_cast<unsigned char>(text[i]);
      if ((next & 0xc0U) != 0x80U) {
        return {};
      }
      code = code << 6U | (next & 0x3fU);
    }
    const bool surrogate = code >= 0xd800 && code <= 0xdfff;
    return code < f.least || surrogate || code > 0x10ffff ? character{} : character{code, more + 1};
  }
  return {};
}

bool is_control(std::uint32_t code) {
  return code < 0x20 || (code >= 0x7f && code < 0xa0);
}

/// Does an escaped byte begin here?
bool is_escape(std::string_view text) {
  const auto digit = [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
  };
  return text.size() >= 4 && text.starts_with("\\x") && digit(text[2]) && digit(text[3]);
}

/// `kept`: control characters that stay. `exact`: what looks like an escape is escaped.
std::string escaped(std::string_view bytes, std::string_view kept, bool exact) {
  std::string text;
  text.reserve(bytes.size());
  while (!bytes.empty()) {
    const character c = first_character(bytes);
    const std::size_t taken = std::max<std::size_t>(c.bytes, 1);
    const bool stays = c.bytes == 1 && kept.find(bytes.front()) != std::string_view::npos;
    const bool plain =
        c.bytes != 0 && (!is_control(c.code) || stays) && !(exact && is_escape(bytes));
    for (const char byte : bytes.substr(0, taken)) {
      text +=
          plain ? std::string(1, byte) : fmt::format("\\x{:02x}", static_cast<unsigned char>(byte));
    }
    bytes.remove_prefix(taken);
  }
  return text;
}

} // namespace

std::string printable(std::string_view bytes) {
  return escaped(bytes, {}, true);
}

std::string printable_text(std::string_view bytes) {
  return escaped(bytes, "\n\t", false);
}

std::string bytes_of(std::string_view printed) {
  std::string bytes;
  while (!printed.empty()) {
    if (is_escape(printed)) {
      unsigned value = 0;
      std::from_chars(printed.data() + 2, printed.data() + 4, value, 16);
      bytes += static_cast<char>(value);
      printed.remove_prefix(4);
    } else {
      bytes += printed.front();
      printed.remove_prefix(1);
    }
  }
  return bytes;
}

} // namespace tilesim::sim
