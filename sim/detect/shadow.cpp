// Shadow memory: where the cells come from.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/detect/shadow.hpp"

#include <bit>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <new>
#include <sys/mman.h>
#include <utility>

namespace tilesim::sim::detect {

namespace {

constexpr std::size_t small_chunk = std::size_t{1} << 16; // bytes: for programs that need little
constexpr std::size_t large_chunk = std::size_t{1} << 24;
constexpr std::size_t huge_page = std::size_t{1} << 21;

/// Which list keeps cells in pieces of `count`, a power of two.
std::size_t list_of(std::size_t count) {
  if (count == 0) {
    __builtin_unreachable(); // else g++ 14 warns of a list 64
  }
  return static_cast<std::size_t>(std::countr_zero(count));
}

/// Memory of a detector that is gone, for the next: of runs in one process, one after the other.
class spare_memory {
public:
  /// False: there is enough.
  bool put(void* memory) {
    const std::lock_guard lock(mutex_);
    if (kept_ != nullptr) {
      return false;
    }
    kept_ = memory;
    return true;
  }
  /// nullptr: there is none.
  void* take() {
    const std::lock_guard lock(mutex_);
    return std::exchange(kept_, nullptr);
  }

private:
  std::mutex mutex_;
  void* kept_ = nullptr;
};

spare_memory& spare_chunk() {
  static auto& one = *new spare_memory;
  return one;
}

spare_memory& spare_region() {
  static auto& one = *new spare_memory;
  return one;
}

} // namespace

page* take_region(std::size_t count) {
  if (void* const spare = spare_region().take()) {
    std::memset(spare, 0, count * sizeof(page));
    return static_cast<page*>(spare);
  }
  // Zeros, which the system gives as they are first looked at.
  void* const pages = std::calloc(count, sizeof(page));
  if (pages == nullptr) {
    throw std::bad_alloc();
  }
  return static_cast<page*>(pages);
}

void give_region_back(page* pages) noexcept {
  if (pages != nullptr && !spare_region().put(pages)) {
    std::free(pages);
  }
}

cell_store::~cell_store() {
  for (std::size_t i = 0; i < chunks_.size(); ++i) {
    if (i != 0 || !spare_chunk().put(chunks_[i])) { // the first is a small one
      std::free(chunks_[i]);
    }
  }
}

cell* cell_store::take(std::size_t count) {
  std::vector<cell*>& free = free_[list_of(count)];
  if (!free.empty()) {
    cell* const cells = free.back();
    free.pop_back();
    return cells;
  }
  if (left_ < count) {
    // A scatter goes from one to another: large ones lie on huge pages, if there are such.
    const bool large = !chunks_.empty();
    const std::size_t bytes = large ? large_chunk : small_chunk;
    void* chunk = large ? nullptr : spare_chunk().take();
    if (chunk == nullptr) {
      chunk = std::aligned_alloc(large ? huge_page : sizeof(cell), bytes);
    }
    if (chunk == nullptr) {
      throw std::bad_alloc();
    }
    if (large) {
      madvise(chunk, bytes, MADV_HUGEPAGE);
    }
    chunks_.push_back(chunk);
    next_ = static_cast<cell*>(chunk);
    left_ = bytes / sizeof(cell);
  }
  cell* const cells = next_;
  next_ += count;
  left_ -= count;
  return cells;
}

void cell_store::give_back(cell* cells, std::size_t count) {
  free_[list_of(count)].push_back(cells);
}

} // namespace tilesim::sim::detect
