// What a thread has written in its run so far, byte by byte: memory itself stays as it was at the
// launch.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

namespace tilesim::sim::exploring {

class private_memory {
public:
  /// `out` is what lies there to the thread: memory as it is, and its own writes over it.
  void read(std::uintptr_t address, void* out, std::size_t bytes) const;
  void write(std::uintptr_t address, const void* value, std::size_t bytes);
  void clear() { words_.clear(); }

  /// Calls f(address, byte) with each byte that was written.
  template <class F>
  void for_each(F f) const {
    for (const auto& [at, w] : words_) {
      for (unsigned b = 0; b < 8; ++b) {
        if ((w.written >> b & 1U) != 0) {
          f(at + b, static_cast<std::uint8_t>(w.value >> (8 * b)));
        }
      }
    }
  }

private:
  struct word {
    std::uint64_t value = 0;
    std::uint8_t written = 0; ///< a bit for each byte
  };
  std::unordered_map<std::uintptr_t, word> words_;
};

} // namespace tilesim::sim::exploring
