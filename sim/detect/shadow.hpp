// Shadow memory: at most 16 bytes for every element of the simulated memory that is accessed.
//
// A page of 4096 bytes is divided into cells as small as the smallest access to it so far, where
// elements that one operation accesses one after the other count as one: a page of a vector that is
// processed tile by tile needs a cell for each tile.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "memmodel/assertion.hpp"

#include <array>
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
    racy,    ///< a: the last weak write. The mark of b: which races have been told, see below
    closed,  ///< has a race that was passed over, and of others nothing can be said
  };

  static constexpr unsigned mark_shift = 30;
  static constexpr std::uint32_t element_mask = (std::uint32_t{1} << mark_shift) - 1;
  static constexpr std::uint32_t unknown_element = element_mask;

  std::uint32_t a = 0;
  std::uint32_t a_element = 0; ///< and, in the top two bits, the mode
  std::uint32_t b = 0;
  std::uint32_t b_element = 0; ///< and a mark in the top two bits: 1: a set of readers, b its node

  /// Marks of racy cells: a race between the elements of one store, and one between two accesses.
  /// They need different repairs, so each is told once.
  static constexpr std::uint32_t told_duplicate = 1;
  static constexpr std::uint32_t told_other = 2;

  [[nodiscard]] mode state() const noexcept { return static_cast<mode>(a_element >> mark_shift); }
  /// Nobody needs to look at what else happens to it.
  [[nodiscard]] bool judged() const noexcept { return state() >= mode::racy; }
  [[nodiscard]] std::uint32_t a_index() const noexcept { return a_element & element_mask; }
  [[nodiscard]] std::uint32_t b_index() const noexcept { return b_element & element_mask; }
  [[nodiscard]] std::uint32_t b_mark() const noexcept { return b_element >> mark_shift; }
};
static_assert(sizeof(cell) == 16);

/// Memory for the cells of pages, which come and go in powers of two.
class cell_store {
public:
  cell_store() = default;
  ~cell_store();
  cell_store(const cell_store&) = delete;
  cell_store& operator=(const cell_store&) = delete;

  /// `count` cells, a power of two; their contents are unspecified.
  [[nodiscard]] cell* take(std::size_t count);
  void give_back(cell* cells, std::size_t count);

private:
  static constexpr std::size_t counts = 13; ///< powers of two up to a cell for each byte of a page

  std::array<std::vector<cell*>, counts> free_;
  std::vector<void*> chunks_;
  cell* next_ = nullptr;
  std::size_t left_ = 0; ///< cells behind `next_`
};

struct page {
  static constexpr unsigned bits = 12;
  static constexpr std::size_t bytes = std::size_t{1} << bits;

  cell* cells = nullptr;     ///< while it is divided
  cell whole;                ///< while it is not
  unsigned halvings = 0;     ///< all zero: as a page is that nobody has accessed
  bool synchronizes = false; ///< some location on it was released through
  bool followed = false;     ///< some cell of it is followed further

  /// A cell holds 1 << grain_bits() bytes.
  [[nodiscard]] unsigned grain_bits() const noexcept { return bits - halvings; }
  [[nodiscard]] std::size_t count() const noexcept { return std::size_t{1} << halvings; }
  [[nodiscard]] cell* data() noexcept { return halvings == 0 ? &whole : cells; }
  [[nodiscard]] const cell* data() const noexcept { return halvings == 0 ? &whole : cells; }
  [[nodiscard]] std::size_t grain() const noexcept { return std::size_t{1} << grain_bits(); }
  [[nodiscard]] bool untouched() const noexcept {
    return halvings == 0 && whole.a == 0 && whole.b == 0;
  }
};

/// `count` pages that nobody has accessed; the count is always the same.
[[nodiscard]] page* take_region(std::size_t count);
void give_region_back(page* pages) noexcept;

class shadow {
public:
  /// The page of an address; made if there is none.
  [[nodiscard, gnu::always_inline]] page& at(std::uintptr_t address) {
    const std::uintptr_t number = address >> page::bits;
    if (number >> region_bits != last_region_number_ || last_region_ == nullptr) {
      find_region(number >> region_bits);
    }
    return last_region_[number & (region_pages - 1)];
  }

  /// The page of an address, if it lies near the last one asked for; null if not.
  [[nodiscard]] const page* near(std::uintptr_t address) const noexcept {
    const std::uintptr_t number = address >> page::bits;
    return number >> region_bits == last_region_number_ && last_region_ != nullptr
               ? last_region_ + (number & (region_pages - 1))
               : nullptr;
  }

  /// Forgets what happened on a page.
  void drop(std::uintptr_t address) {
    page& p = at(address);
    if (p.halvings != 0) {
      store_.give_back(p.cells, p.count());
    }
    p = {};
  }

  /// The end of the pages behind `address` of which none was ever asked for; `address` if its own
  /// may have been.
  [[nodiscard]] std::uintptr_t skip_unknown(std::uintptr_t address) const {
    const std::uintptr_t region = address >> (page::bits + region_bits);
    return regions_.contains(region) ? address : (region + 1) << (page::bits + region_bits);
  }

  /// Cells for a page that is to be divided, and those that it had.
  [[nodiscard]] cell* cells(std::size_t count) {
    TILESIM_ASSERT(count != 0 && count <= page::bytes && (count & (count - 1)) == 0, count);
    return store_.take(count);
  }
  void give_back(cell* cells, std::size_t count) {
    TILESIM_ASSERT(cells != nullptr && count <= page::bytes, count);
    store_.give_back(cells, count);
  }

  template <class F>
  void for_each_page(F f) {
    for (auto& [number, pages] : regions_) {
      for (std::size_t i = 0; i < region_pages; ++i) {
        if (!pages[i].untouched()) {
          f(((number << region_bits) + i) << page::bits, pages[i]);
        }
      }
    }
  }

private:
  static constexpr unsigned region_bits = 12; ///< 16 MiB to a region
  static constexpr std::size_t region_pages = std::size_t{1} << region_bits;

  struct freed {
    void operator()(page* p) const noexcept { give_region_back(p); }
  };
  using region = std::unique_ptr<page[], freed>;

  [[gnu::noinline]] void find_region(std::uintptr_t number) {
    region& r = regions_[number];
    if (r == nullptr) {
      r.reset(take_region(region_pages));
    }
    last_region_number_ = number;
    last_region_ = r.get();
  }

  cell_store store_;
  std::unordered_map<std::uintptr_t, region> regions_;
  std::uintptr_t last_region_number_ = 0;
  page* last_region_ = nullptr;
};

} // namespace tilesim::sim::detect
