// Vectors that grow to many megabytes and are read at random: on huge pages, where there are some.
//
// Else each such read misses the processor's table of pages first, and a prefetch as well.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdlib>
#include <new>
#include <sys/mman.h>
#include <vector>

namespace tilesim::sim::detect {

template <class T>
struct large_allocator {
  using value_type = T;

  large_allocator() = default;
  template <class U>
  large_allocator(const large_allocator<U>& /*other*/) noexcept {} // NOLINT: as allocators are

  [[nodiscard]] T* allocate(std::size_t count) {
    const std::size_t bytes = count * sizeof(T);
    if (bytes < huge_page) {
      return static_cast<T*>(::operator new(bytes));
    }
    const std::size_t whole = (bytes + huge_page - 1) / huge_page * huge_page;
    void* const memory = std::aligned_alloc(huge_page, whole);
    if (memory == nullptr) {
      throw std::bad_alloc();
    }
    madvise(memory, whole, MADV_HUGEPAGE); // as well as may be
    return static_cast<T*>(memory);
  }
  void deallocate(T* memory, std::size_t count) noexcept {
    if (count * sizeof(T) < huge_page) {
      ::operator delete(memory);
    } else {
      std::free(memory); // NOLINT: of aligned_alloc
    }
  }
  friend bool operator==(const large_allocator& /*a*/, const large_allocator& /*b*/) noexcept {
    return true;
  }

private:
  static constexpr std::size_t huge_page = std::size_t{2} << 20;
};

template <class T>
using large_vector = std::vector<T, large_allocator<T>>;

} // namespace tilesim::sim::detect
