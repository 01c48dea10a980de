// What the stepper remembers of a run: every operation in a few bytes, and the last write of every
// byte.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

namespace tilesim::sim::step {

/// An operation that was begun.
struct journal_entry {
  const void* site;
  const char* operation;
  std::uint64_t thread; ///< its number
};

/// Operations by their number, from 1, in eight bytes each; the oldest are forgotten when there are
/// too many.
class journal {
public:
  explicit journal(std::size_t most_bytes) { bound(most_bytes); }

  /// From now on it takes at most so much, but the last 16384 operations are always known.
  void bound(std::size_t most_bytes);

  void add(const journal_entry& e) {
    const std::size_t in_chunk = count_ % chunk_size;
    if (in_chunk == 0) {
      next_chunk();
    }
    (*chunks_.back())[in_chunk] = {number_of(e.site, e.operation),
                                   static_cast<std::uint32_t>(e.thread)};
    ++count_;
  }

  /// Nothing for one that has not happened or is forgotten.
  [[nodiscard]] std::optional<journal_entry> find(std::uint64_t number) const noexcept;

  [[nodiscard]] std::uint64_t count() const noexcept { return count_; }
  [[nodiscard]] std::size_t bytes() const noexcept;

private:
  struct entry {
    std::uint32_t code; ///< which of codes_
    std::uint32_t thread;
  };
  /// An operation of the program's text.
  struct code {
    const void* site;
    const char* operation;
    friend bool operator==(const code&, const code&) = default;
  };
  struct code_hash {
    std::size_t operator()(const code& c) const noexcept {
      return (reinterpret_cast<std::uintptr_t>(c.site) >> 2U) ^
             (reinterpret_cast<std::uintptr_t>(c.operation) << 20U);
    }
  };
  static constexpr std::size_t chunk_size = 16384;
  using chunk = std::array<entry, chunk_size>;

  void next_chunk();

  std::uint32_t number_of(const void* site, const char* operation) {
    const code wanted{site, operation};
    auto& [known, number] = recent_[code_hash{}(wanted) % recent_.size()];
    if (known != wanted) {
      known = wanted;
      number = new_number_of(wanted);
    }
    return number;
  }
  std::uint32_t new_number_of(const code& c);

  std::size_t most_chunks_ = 2;
  std::uint64_t count_ = 0;
  std::uint64_t forgotten_chunks_ = 0;
  std::deque<std::unique_ptr<chunk>> chunks_;
  std::vector<code> codes_;
  std::unordered_map<code, std::uint32_t, code_hash> numbers_;
  std::array<std::pair<code, std::uint32_t>, 1024> recent_{};
};

/// The number of the operation that wrote each byte last; 0: none has.
class last_writers {
public:
  void wrote(std::uintptr_t address, std::size_t bytes, std::uint32_t operation);
  [[nodiscard]] std::uint32_t of(std::uintptr_t address) const noexcept;
  /// The last of those that wrote any of these bytes.
  [[nodiscard]] std::uint32_t last(std::uintptr_t address, std::size_t bytes) const noexcept;
  /// What it takes itself.
  [[nodiscard]] std::size_t bytes() const noexcept { return pages_.size() * sizeof(page); }

private:
  static constexpr std::size_t page_bytes = 4096;
  using page = std::array<std::uint32_t, page_bytes>;
  page& at(std::uintptr_t number);

  std::unordered_map<std::uintptr_t, std::unique_ptr<page>> pages_;
  std::uintptr_t recent_number_ = 0;
  page* recent_ = nullptr;
};

} // namespace tilesim::sim::step
