// Memory for NumPy's arrays as a device gives it: NumPy lets a host program bring an allocator
// [NEP 49], and its own begins arrays 16 bytes behind what a page or a cache line does.
//
// So kernels are compiled for the alignment that they have on a GPU, and a tile of an array is as
// few cells of the race detector's as one of device memory.
//
// SPDX-License-Identifier: Apache-2.0
#include <tilesim/detail/machine.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>

namespace tilesim::driver_stand_in {
namespace {

/// Lies before what NumPy is given.
struct header {
  void* taken;
  std::size_t size;
};

std::size_t alignment_for(std::size_t size) {
  constexpr std::size_t page = 4096;
  constexpr std::size_t device = 256;
  return size >= page ? page : size >= device ? device : alignof(std::max_align_t);
}

header* header_of(void* memory) {
  return static_cast<header*>(memory) - 1;
}

void* take(std::size_t size, bool zeroed) {
  const std::size_t alignment = alignment_for(size);
  const std::size_t all = size + sizeof(header) + alignment;
  if (all < size) {
    return nullptr;
  }
  void* const taken = zeroed ? std::calloc(all, 1) : std::malloc(all);
  if (taken == nullptr) {
    return nullptr;
  }
  const auto begin = (reinterpret_cast<std::uintptr_t>(taken) + sizeof(header) + alignment - 1) /
                     alignment * alignment;
  void* const memory =
      static_cast<std::byte*>(taken) + (begin - reinterpret_cast<std::uintptr_t>(taken));
  *header_of(memory) = {taken, size};
  return memory;
}

void* allocate(void* /*context*/, std::size_t size) {
  return take(size, false);
}

void* allocate_zeroed(void* /*context*/, std::size_t count, std::size_t size) {
  std::size_t all = 0;
  return __builtin_mul_overflow(count, size, &all) ? nullptr : take(all, true);
}

void release(void* /*context*/, void* memory, std::size_t /*size*/) {
  if (memory != nullptr) {
    std::free(header_of(memory)->taken);
  }
}

void* change_size(void* context, void* memory, std::size_t size) {
  void* const moved = take(size, false);
  if (moved != nullptr && memory != nullptr) {
    std::memcpy(moved, memory, std::min(size, header_of(memory)->size));
    release(context, memory, 0);
  }
  return moved;
}

/// PyDataMem_Handler
struct numpy_handler {
  char name[127];
  std::uint8_t version;
  void* context;
  void* (*allocate)(void*, std::size_t);
  void* (*allocate_zeroed)(void*, std::size_t, std::size_t);
  void* (*change_size)(void*, void*, std::size_t);
  void (*release)(void*, void*, std::size_t);
};

} // namespace
} // namespace tilesim::driver_stand_in

/// What PyDataMem_SetHandler wants in a capsule.
extern "C" TILESIM_EXPORT void* tilesim_host_numpy_handler() {
  using namespace tilesim::driver_stand_in;
  static numpy_handler handler{
      "tilesim", 1, nullptr, &allocate, &allocate_zeroed, &change_size, &release};
  return &handler;
}
