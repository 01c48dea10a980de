// Buffers whose final contents are told.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/explore/observed.hpp"

#include "sim/contract/json_text.hpp"
#include "sim/contract/whole_bytes.hpp"
#include "sim/ops/element_text.hpp"

#include <array>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

namespace tilesim::sim::exploring {

using json = nlohmann::ordered_json;

json element_value(const observed& o, const std::uint8_t* at) {
  const element kind = o.type ? o.type->kind : element::i32;
  if (o.type && (is_floating(kind) || kind == element::ptr)) {
    const std::string text = ops::element_text(kind, false, at);
    const json number = read_json(text);
    return number.is_number() ? number : json(text);
  }
  std::uint64_t value = 0;
  std::memcpy(&value, at, o.bytes);
  if (o.type && o.type->is_unsigned) {
    return value;
  }
  const auto unused = static_cast<unsigned>(64 - (8 * o.bytes));
  return static_cast<std::int64_t>(value << unused) >> unused;
}

std::string contents(int file) {
  std::string text;
  std::array<char, 65536> piece{};
  off_t at = 0;
  for (ssize_t n = 0; (n = pread(file, piece.data(), piece.size(), at)) > 0; at += n) {
    text.append(piece.data(), static_cast<std::size_t>(n));
  }
  return text;
}

void write_anew(int file, std::string_view bytes) {
  static_cast<void>(ftruncate(file, 0));
  lseek(file, 0, SEEK_SET);
  static_cast<void>(write_whole(file, bytes));
}

void leave_with(std::string_view bytes, const std::string& name) {
  if (!name.empty()) {
    const int file = open(name.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    static_cast<void>(write_whole(file, bytes));
    close(file);
  }
  std::fflush(nullptr);
  _exit(0);
}

} // namespace tilesim::sim::exploring
