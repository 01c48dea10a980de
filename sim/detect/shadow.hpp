// Shadow memory: 16 bytes for every element of the simulated memory that is accessed.
//
// A page of 4096 bytes is divided into cells as small as the smallest access to it so far. A page
// that was only ever accessed as a whole (copies, fills) needs a single cell.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

namespace tilesim::sim::detect {

/// What happened to a range of bytes that was always accessed as one.
struct cell {
  enum class mode : std::uint8_t {
    plain,   ///< a: the last weak write. b: the last weak reader since, or a set of them
    history, ///< a: number of a history
    racy,    ///< a and b: the two sides; the mark of b is the kind
  };

  static constexpr unsigned mark_shift = 30;
  static constexpr std::uint32_t element_mask = (std::uint32_t{1} << mark_shift) - 1;
  static constexpr std::uint32_t unknown_element = element_mask;

  std::uint32_t a = 0;
  std::uint32_t a_element = 0; ///< and, in the top two bits, the mode
  std::uint32_t b = 0;
  std::uint32_t b_element = 0; ///< and a mark in the top two bits: 1: b is a set of readers

  [[nodiscard]] mode state() const noexcept { return static_cast<mode>(a_element >> mark_shift); }
  [[nodiscard]] std::uint32_t a_index() const noexcept { return a_element & element_mask; }
  [[nodiscard]] std::uint32_t b_index() const noexcept { return b_element & element_mask; }
  [[nodiscard]] std::uint32_t b_mark() const noexcept { return b_element >> mark_shift; }
};
static_assert(sizeof(cell) == 16);

struct page {
  static constexpr unsigned bits = 12;
  static constexpr std::size_t bytes = std::size_t{1} << bits;

  unsigned grain_bits = bits; ///< a cell holds 1 << grain_bits bytes
  bool synchronizes = false;  ///< some location on it was released through
  cell whole;                 ///< while grain_bits == bits
  std::vector<cell> cells;

  [[nodiscard]] std::size_t count() const noexcept { return bytes >> grain_bits; }
  [[nodiscard]] cell* data() noexcept { return cells.empty() ? &whole : cells.data(); }
  [[nodiscard]] std::size_t grain() const noexcept { return std::size_t{1} << grain_bits; }
};

class shadow {
public:
  /// The page of an address; made if there is none.
  [[nodiscard]] page& at(std::uintptr_t address) {
    const std::uintptr_t number = address >> page::bits;
    if (number == last_number_ && last_ != nullptr) {
      return *last_;
    }
    last_number_ = number;
    std::unique_ptr<page>& p = region(number >> region_bits)[number & (region_pages - 1)];
    if (p == nullptr) {
      p = std::make_unique<page>();
    }
    last_ = p.get();
    return *last_;
  }

  /// The page of an address; null if there is none.
  [[nodiscard]] page* find(std::uintptr_t address) {
    const std::uintptr_t number = address >> page::bits;
    const auto found = regions_.find(number >> region_bits);
    return found == regions_.end() ? nullptr : found->second[number & (region_pages - 1)].get();
  }

  void drop(std::uintptr_t address) {
    last_ = nullptr;
    const std::uintptr_t number = address >> page::bits;
    if (const auto found = regions_.find(number >> region_bits); found != regions_.end()) {
      found->second[number & (region_pages - 1)].reset();
    }
  }

  template <class F>
  void for_each_page(F f) const {
    for (const auto& [number, pages] : regions_) {
      for (std::size_t i = 0; i < pages.size(); ++i) {
        if (pages[i] != nullptr) {
          f(((number << region_bits) + i) << page::bits, *pages[i]);
        }
      }
    }
  }

private:
  static constexpr unsigned region_bits = 14; ///< 64 MiB to a region
  static constexpr std::size_t region_pages = std::size_t{1} << region_bits;
  using page_table = std::vector<std::unique_ptr<page>>;

  page_table& region(std::uintptr_t number) {
    if (number != last_region_number_ || last_region_ == nullptr) {
      page_table& r = regions_[number];
      if (r.empty()) {
        r.resize(region_pages);
      }
      last_region_number_ = number;
      last_region_ = &r;
    }
    return *last_region_;
  }

  std::unordered_map<std::uintptr_t, page_table> regions_;
  std::uintptr_t last_number_ = 0;
  page* last_ = nullptr;
  std::uintptr_t last_region_number_ = 0;
  page_table* last_region_ = nullptr;
};

} // namespace tilesim::sim::detect
