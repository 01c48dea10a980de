// Bytes of a file, read one after the other and never beyond their end.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>

namespace tilesim::tileir {

/// What is wrong with a file, and where.
class bad_bytecode : public std::runtime_error {
public:
  bad_bytecode(const std::string& section, std::size_t offset, const std::string& what);

  [[nodiscard]] const std::string& section() const noexcept { return section_; }
  [[nodiscard]] std::size_t offset() const noexcept { return offset_; }

private:
  std::string section_;
  std::size_t offset_;
};

class cursor {
public:
  /// `at`: where the bytes begin in the file.
  cursor(std::span<const std::uint8_t> bytes, std::size_t at, const char* section)
      : bytes_(bytes)
      , at_(at)
      , section_(section) {}

  [[nodiscard]] std::size_t offset() const noexcept { return at_ + next_; }
  [[nodiscard]] std::size_t left() const noexcept { return bytes_.size() - next_; }
  [[nodiscard]] bool done() const noexcept { return next_ == bytes_.size(); }
  [[nodiscard]] const char* section() const noexcept { return section_; }

  [[noreturn]] void fail(const std::string& what) const;
  [[noreturn]] void fail_at(std::size_t offset, const std::string& what) const;

  std::uint8_t byte(const char* what);
  std::span<const std::uint8_t> take(std::size_t count, const char* what);
  /// LEB128.
  std::uint64_t varint(const char* what);
  /// Zigzag.
  std::int64_t svarint(const char* what);
  /// The bits of a number, with zigzag. cuTile puts a sign bit in front of all 64 bits of one that
  /// has them all, which makes it 65; the last is dropped, as NVIDIA's reader drops it.
  std::uint64_t zigzag_bits(const char* what);
  /// A number of things of at least `each` bytes: no more than can follow.
  std::uint32_t count(const char* what, std::size_t each = 1);
  /// A number below `limit`.
  std::uint32_t index(std::size_t limit, const char* what);
  /// Little-endian.
  std::uint64_t fixed(unsigned bytes, const char* what);
  /// To a multiple of `alignment` from the bytes' beginning.
  void pad(std::size_t alignment, const char* what);
  /// The next `count` bytes as a cursor of their own.
  cursor part(std::size_t count, const char* what);

private:
  std::uint64_t leb128(const char* what, unsigned most_bits);

  std::span<const std::uint8_t> bytes_;
  std::size_t at_;
  std::size_t next_ = 0;
  const char* section_;
};

} // namespace tilesim::tileir
