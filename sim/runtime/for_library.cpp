// Memory that the program's operator new gets for the library.
//
// Nothing here may allocate by operator new, which has called it.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/runtime/for_library.hpp"

#include "sim/runtime/entry.hpp"

#include <atomic>
#include <cstdlib>
#include <functional>
#include <mutex>
#include <unordered_set>
#include <utility>
#include <vector>

namespace tilesim::sim::for_library {

namespace {

template <class T>
struct by_malloc {
  using value_type = T;
  by_malloc() = default;
  template <class U>
  by_malloc(const by_malloc<U>& /*other*/) noexcept {} // NOLINT: a conversion between allocators
  T* allocate(std::size_t n) {
    // NOLINTNEXTLINE(bugprone-sizeof-expression): nodes of a table, and pointers to them
    auto* const p = static_cast<T*>(std::malloc(n * sizeof(T)));
    if (p == nullptr) {
      std::abort();
    }
    return p;
  }
  void deallocate(T* p, std::size_t /*n*/) noexcept { std::free(p); }
  friend bool operator==(const by_malloc& /*a*/, const by_malloc& /*b*/) noexcept { return true; }
};

struct put_off {
  void* pointer;
  bool host;
  const void* site;
  releasing by;
};

struct own_memory {
  std::mutex mutex;
  std::unordered_set<void*, std::hash<void*>, std::equal_to<>, by_malloc<void*>> blocks;
  std::vector<put_off, by_malloc<put_off>> deferred;
};

/// Whether there is anything: calls of the program ask each time.
std::atomic<bool> any_blocks = false;
std::atomic<bool> any_deferred = false;

/// Never destroyed: memory is freed to the very end.
own_memory& own() {
  static auto& all = *new (by_malloc<own_memory>().allocate(1)) own_memory;
  return all;
}

} // namespace

cudaError_t allocate(void** out, std::size_t bytes) noexcept {
  constexpr std::size_t alignment = 256; // the runtime's
  if (out == nullptr) {
    return cudaErrorInvalidValue;
  }
  *out = bytes == 0
             ? nullptr
             : std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
  if (bytes != 0 && *out == nullptr) {
    return cudaErrorMemoryAllocation;
  }
  if (*out != nullptr) {
    const std::scoped_lock lock(own().mutex);
    own().blocks.insert(*out);
    any_blocks = true;
  }
  return cudaSuccess;
}

bool release(void* pointer) noexcept {
  if (!any_blocks || pointer == nullptr) {
    return false;
  }
  const std::scoped_lock lock(own().mutex);
  if (own().blocks.erase(pointer) == 0) {
    return false;
  }
  std::free(pointer);
  return true;
}

cudaError_t release_later(void* pointer, bool host, const void* site, releasing by) noexcept {
  if (pointer != nullptr && !release(pointer)) {
    const std::scoped_lock lock(own().mutex);
    own().deferred.push_back({pointer, host, site, by});
    any_deferred = true;
  }
  return cudaSuccess;
}

void release_deferred() {
  if (!any_deferred) {
    return;
  }
  decltype(own_memory::deferred) now;
  {
    const std::scoped_lock lock(own().mutex);
    now = std::exchange(own().deferred, {});
    any_deferred = false;
  }
  for (const put_off& p : now) {
    entry call(p.site);
    p.by(call, p.pointer, p.host, p.host ? "cudaFreeHost" : "cudaFree");
  }
}

} // namespace tilesim::sim::for_library
