// Host code with operators new and delete of its own, in all forms, which count, align and keep a header, under a lock;
// -DOWN_MALLOC: with a malloc of its own. While the library works on the program's call they read managed memory that
// kernels write: an access of the library's allocations that is judged shows as a race.
//
// SPDX-License-Identifier: Apache-2.0
#include "host_code.h"

#include <atomic>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <memory_resource>
#include <mutex>
#include <new>
#include <string>
#include <vector>

namespace {

std::atomic<const int*> watched = nullptr;
std::atomic<std::size_t> made = 0;
std::size_t freed = 0;
std::mutex mutex;
std::vector<std::string>* kept = nullptr;

void look() {
  if (const int* managed = watched.load())
    static_cast<void>(*static_cast<const volatile int*>(managed));
}

struct header {
  void* block;
  std::size_t size;
  char tag[8];
};

void* allocate(std::size_t size, std::size_t alignment) {
  look();
  const std::scoped_lock lock(mutex);
  ++made;
  auto* block = static_cast<std::byte*>(std::malloc(size + sizeof(header) + alignment));
  if (block == nullptr)
    return nullptr;
  const auto at = (reinterpret_cast<std::size_t>(block) + sizeof(header) + alignment - 1) / alignment * alignment;
  auto* h = reinterpret_cast<header*>(at) - 1;
  *h = {block, size, {}};
  std::memcpy(h->tag, "program", sizeof h->tag);
  return reinterpret_cast<void*>(at);
}

void release(void* p) noexcept {
  look();
  if (p == nullptr)
    return;
  const std::scoped_lock lock(mutex);
  ++freed;
  auto* h = static_cast<header*>(p) - 1;
  if (std::memcmp(h->tag, "program", sizeof h->tag) != 0)
    std::abort(); // not of ours
  h->tag[0] = 0;
  std::free(h->block);
}

void* allocate_or_throw(std::size_t size, std::size_t alignment) {
  void* p = allocate(size, alignment);
  if (p == nullptr)
    throw std::bad_alloc();
  return p;
}

constexpr std::size_t usual = alignof(std::max_align_t);

struct alignas(256) wide {
  float x[64];
};

} // namespace

// clang-format off
void* operator new(std::size_t n) { return allocate_or_throw(n, usual); }
void* operator new[](std::size_t n) { return allocate_or_throw(n, usual); }
void* operator new(std::size_t n, const std::nothrow_t&) noexcept { return allocate(n, usual); }
void* operator new[](std::size_t n, const std::nothrow_t&) noexcept { return allocate(n, usual); }
void* operator new(std::size_t n, std::align_val_t a) { return allocate_or_throw(n, std::size_t(a)); }
void* operator new[](std::size_t n, std::align_val_t a) { return allocate_or_throw(n, std::size_t(a)); }
void* operator new(std::size_t n, std::align_val_t a, const std::nothrow_t&) noexcept { return allocate(n, std::size_t(a)); }
void* operator new[](std::size_t n, std::align_val_t a, const std::nothrow_t&) noexcept { return allocate(n, std::size_t(a)); }
void operator delete(void* p) noexcept { release(p); }
void operator delete[](void* p) noexcept { release(p); }
void operator delete(void* p, std::size_t) noexcept { release(p); }
void operator delete[](void* p, std::size_t) noexcept { release(p); }
void operator delete(void* p, const std::nothrow_t&) noexcept { release(p); }
void operator delete[](void* p, const std::nothrow_t&) noexcept { release(p); }
void operator delete(void* p, std::align_val_t) noexcept { release(p); }
void operator delete[](void* p, std::align_val_t) noexcept { release(p); }
void operator delete(void* p, std::size_t, std::align_val_t) noexcept { release(p); }
void operator delete[](void* p, std::size_t, std::align_val_t) noexcept { release(p); }
// clang-format on

#ifdef OWN_MALLOC
extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void __libc_free(void*);

std::size_t mallocs = 0;

void* malloc(std::size_t n) {
  look();
  ++mallocs;
  return __libc_malloc(n);
}
void* calloc(std::size_t n, std::size_t m) {
  look();
  ++mallocs;
  return __libc_calloc(n, m);
}
void* realloc(void* p, std::size_t n) {
  look();
  ++mallocs;
  return __libc_realloc(p, n);
}
void free(void* p) {
  look();
  __libc_free(p);
}
}
#endif

void host_code(const char* when) {
  const std::size_t before = made;
  if (kept == nullptr)
    kept = new std::vector<std::string>;
  for (int i = 0; i < 100; ++i)
    kept->push_back(std::string(static_cast<std::size_t>(i), 'x'));
  const auto aligned = std::make_unique<wide[]>(3);
  const auto nothrow = std::unique_ptr<int>(new (std::nothrow) int(3));
  std::pmr::monotonic_buffer_resource pool;
  std::pmr::vector<std::pmr::string> pooled(&pool);
  pooled.emplace_back("in the pool, and longer than a short string");
  std::printf("%s: %s%s\n", when, made - before > 50 ? "" : "not ",
              reinterpret_cast<std::size_t>(aligned.get()) % 256 == 0 && *nothrow == 3 ? "counted" : "wrong");
}

void watch_library(const int* managed) {
  watched = managed;
}
