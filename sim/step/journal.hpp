// What the stepper remembers of a run: every operation in a few bytes, and the last write of every
// byte.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

namespace tilesim::sim::step {

/// An operation that was begun.
struct journal_entry {
  const void* site;
  const char* operation;
  std::uint64_t thread; ///< its number
};

/// Operations by their number, from 1; the oldest are forgotten when there are too many.
class journal {
public:
  explicit journal(std::size_t most_bytes)
      : most_chunks_(most_bytes / sizeof(chunk) + 2) {}

  void add(const journal_entry& e) {
    const std::size_t in_chunk = count_ % chunk_size;
    if (in_chunk == 0) {
      next_chunk();
    }
    (*chunks_.back())[in_chunk] = e;
    ++count_;
  }

  /// nullptr for one that has not happened or is forgotten.
  [[nodiscard]] const journal_entry* find(std::uint64_t number) const noexcept;

  [[nodiscard]] std::uint64_t count() const noexcept { return count_; }
  [[nodiscard]] std::size_t bytes() const noexcept;

private:
  static constexpr std::size_t chunk_size = 16384;
  using chunk = std::array<journal_entry, chunk_size>;

  void next_chunk();

  std::size_t most_chunks_;
  std::uint64_t count_ = 0;
  std::vector<std::unique_ptr<chunk>> chunks_;
};

/// The number of the operation that wrote each byte last; 0: none has.
class last_writers {
public:
  void wrote(std::uintptr_t address, std::size_t bytes, std::uint32_t operation);
  [[nodiscard]] std::uint32_t of(std::uintptr_t address) const noexcept;

private:
  static constexpr std::size_t page_bytes = 4096;
  using page = std::array<std::uint32_t, page_bytes>;
  page& at(std::uintptr_t number);

  std::unordered_map<std::uintptr_t, std::unique_ptr<page>> pages_;
  std::uintptr_t recent_number_ = 0;
  page* recent_ = nullptr;
};

} // namespace tilesim::sim::step
