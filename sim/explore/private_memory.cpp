// What a thread has written in its run so far.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/explore/private_memory.hpp"

#include <cstring>

namespace tilesim::sim::exploring {

void private_memory::read(std::uintptr_t address, void* out, std::size_t bytes) const {
  std::memcpy(out, reinterpret_cast<const void*>(address), bytes);
  if (words_.empty()) {
    return;
  }
  for (std::uintptr_t at = address & ~std::uintptr_t{7}; at < address + bytes; at += 8) {
    const auto found = words_.find(at);
    if (found == words_.end()) {
      continue;
    }
    for (unsigned b = 0; b < 8; ++b) {
      if ((found->second.written >> b & 1U) != 0 && at + b >= address && at + b < address + bytes) {
        static_cast<std::uint8_t*>(out)[at + b - address] =
            static_cast<std::uint8_t>(found->second.value >> (8 * b));
      }
    }
  }
}

void private_memory::write(std::uintptr_t address, const void* value, std::size_t bytes) {
  for (std::size_t i = 0; i < bytes; ++i) {
    const std::uintptr_t at = address + i;
    word& w = words_[at & ~std::uintptr_t{7}];
    const auto b = static_cast<unsigned>(at & 7U);
    w.value = (w.value & ~(std::uint64_t{0xff} << (8 * b))) |
              std::uint64_t{static_cast<const std::uint8_t*>(value)[i]} << (8 * b);
    w.written = static_cast<std::uint8_t>(w.written | 1U << b);
  }
}

} // namespace tilesim::sim::exploring
