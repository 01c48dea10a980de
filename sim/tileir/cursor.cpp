// Bytes of a file, read one after the other.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/tileir/cursor.hpp"

#include <fmt/format.h>

namespace tilesim::tileir {

bad_bytecode::bad_bytecode(const std::string& section, std::size_t offset, const std::string& what)
    : std::runtime_error(fmt::format("section {}, offset {:#x}: {}", section, offset, what))
    , section_(section)
    , offset_(offset) {}

void cursor::fail(const std::string& what) const {
  fail_at(offset(), what);
}

void cursor::fail_at(std::size_t offset, const std::string& what) const {
  throw bad_bytecode(section_, offset, what);
}

std::uint8_t cursor::byte(const char* what) {
  if (done()) {
    fail(fmt::format("the bytes end where {} is expected", what));
  }
  return bytes_[next_++];
}

std::span<const std::uint8_t> cursor::take(std::size_t count, const char* what) {
  if (count > left()) {
    fail(fmt::format("{} of {} bytes, but {} are left", what, count, left()));
  }
  const auto result = bytes_.subspan(next_, count);
  next_ += count;
  return result;
}

/// Of more than 64 bits the others are dropped.
std::uint64_t cursor::leb128(const char* what, unsigned most_bits) {
  const std::size_t begin = offset();
  std::uint64_t result = 0;
  for (unsigned shift = 0; shift < 64; shift += 7) {
    const std::uint8_t b = byte(what);
    const std::uint64_t bits = b & 0x7FU;
    if (bits >> (most_bits - shift < 7 ? most_bits - shift : 7) != 0) {
      break;
    }
    result |= bits << shift;
    if ((b & 0x80U) == 0) {
      return result;
    }
  }
  fail_at(begin, fmt::format("{} takes more than {} bits", what, most_bits));
}

std::uint64_t cursor::varint(const char* what) {
  return leb128(what, 64);
}

std::int64_t cursor::svarint(const char* what) {
  const std::uint64_t v = varint(what);
  return static_cast<std::int64_t>((v >> 1U) ^ (0 - (v & 1U)));
}

std::uint64_t cursor::zigzag_bits(const char* what) {
  const std::uint64_t v = leb128(what, 65);
  return (v >> 1U) ^ (0 - (v & 1U));
}

std::uint32_t cursor::count(const char* what, std::size_t each) {
  const std::size_t begin = offset();
  const std::uint64_t n = varint(what);
  if (n > left() / each) {
    fail_at(begin, fmt::format("{} {}, but {} bytes are left", n, what, left()));
  }
  return static_cast<std::uint32_t>(n);
}

std::uint32_t cursor::index(std::size_t limit, const char* what) {
  const std::size_t begin = offset();
  const std::uint64_t n = varint(what);
  if (n >= limit) {
    fail_at(begin, fmt::format("{} {}, but there are {}", what, n, limit));
  }
  return static_cast<std::uint32_t>(n);
}

std::uint64_t cursor::fixed(unsigned bytes, const char* what) {
  std::uint64_t result = 0;
  const auto all = take(bytes, what);
  for (unsigned i = 0; i < bytes; ++i) {
    result |= std::uint64_t{all[i]} << (8 * i);
  }
  return result;
}

void cursor::pad(std::size_t alignment, const char* what) {
  while (next_ % alignment != 0) {
    byte(what);
  }
}

cursor cursor::part(std::size_t count, const char* what) {
  const std::size_t begin = offset();
  return {take(count, what), begin, section_};
}

} // namespace tilesim::tileir
