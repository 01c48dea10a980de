// Shared memory: what each block of threads has for itself as long as it lives.
//
// A block's variables lie in a region of its own, one behind the other with gaps between, in the
// order in which its threads come by their declarations. Regions lie far apart in a part of the
// address space that holds nothing else, and are used again when their block is over: a stale
// pointer is told by that. What they hold at first is a pattern that is no value a program would
// choose.  [CUDA C++ Programming Guide: __shared__]
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilesim/detail/shared_memory.hpp>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

namespace tilesim::sim {

/// A variable, in one block.
struct shared_object {
  std::uintptr_t begin = 0;
  std::size_t size = 0;
  const detail::shared_variable* declared = nullptr;
  const void* site = nullptr; ///< a return address at its declaration
  bool dynamic = false;       ///< its size is the launch's

  [[nodiscard]] bool contains(std::uintptr_t address, std::size_t bytes = 1) const noexcept {
    return address >= begin && address - begin <= size && size - (address - begin) >= bytes;
  }
};

/// A region, and whose it is.
struct block_memory {
  std::uintptr_t begin = 0;
  std::size_t mapped = 0;      ///< bytes that can be accessed
  std::size_t used = 0;        ///< bytes, gaps between variables among them
  std::uint64_t block = 0;     ///< its number, as detail::running_block has it; 0: nobody's
  std::string owner;           ///< "block (1,0,0) of sum": the last one's
  std::size_t fixed_bytes = 0; ///< of variables whose size the program says
  std::vector<shared_object> objects;
};

class block_memories {
public:
  /// What each byte holds at first: floats of it are NaN, pointers none that exist, indices
  /// negative.
  static constexpr std::byte fresh{0xff};

  block_memories() = default;
  ~block_memories();
  block_memories(const block_memories&) = delete;
  block_memories& operator=(const block_memories&) = delete;

  /// A region for a block. nullptr if there is no address space left.
  [[nodiscard]] block_memory* take(std::uint64_t block, std::string owner);
  /// The block is over.
  void give_back(block_memory& m) noexcept;

  /// Another variable of a block: `bytes` of the pattern. begin is 0 if the system gives no more.
  static shared_object add(block_memory& m,
                           const detail::shared_variable& v,
                           std::size_t bytes,
                           bool dynamic,
                           const void* site);

  /// True if nothing but shared memory is there, whoever's.
  [[nodiscard]] bool holds(std::uintptr_t address) const noexcept {
    return address - begin_ < region_bytes * most_regions && begin_ != 0;
  }
  /// The region that an address lies in; nullptr if there has been none.
  [[nodiscard]] const block_memory* region(std::uintptr_t address) const noexcept;
  /// The variable of a block that is alive there; nullptr: none.
  [[nodiscard]] const shared_object* find(std::uintptr_t address) const noexcept;

  /// Those that blocks have.
  template <class F>
  void each_alive(F&& f) const {
    for (const auto& r : regions_) {
      if (r.block != 0) {
        f(r);
      }
    }
  }

private:
  static constexpr std::size_t region_bytes = std::size_t{1} << 19;
  static constexpr std::size_t most_regions = std::size_t{1} << 15;

  std::uintptr_t begin_ = 0;
  std::deque<block_memory> regions_; ///< by address
  std::deque<block_memory*> free_;   ///< the one that has been free for longest first
};

} // namespace tilesim::sim
