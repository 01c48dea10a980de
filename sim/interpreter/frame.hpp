// A block's memory for its values.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/interpreter/code.hpp"

#include <tilesim/detail/machine.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace tilesim::interpreter {

class frame {
public:
  /// Memory that another block has left, or new. Blocks that wait have their own; one that is given
  /// up keeps it.
  explicit frame(std::size_t bytes);
  ~frame();
  frame(const frame&) = delete;
  frame& operator=(const frame&) = delete;

  [[nodiscard]] std::byte* cells(const slot& s) const noexcept {
    return s.fixed != nullptr ? const_cast<std::byte*>(s.fixed) : memory_ + s.offset;
  }
  [[nodiscard]] machine::in read(const slot& s) const noexcept { return {s.type, cells(s)}; }
  [[nodiscard]] machine::out write(const slot& s) const noexcept { return {s.type, cells(s)}; }
  [[nodiscard]] held_view& view(const slot& s) const noexcept {
    return *reinterpret_cast<held_view*>(memory_ + s.offset);
  }

  /// An integer of one element.
  [[nodiscard]] std::int64_t number(const slot& s, bool is_unsigned) const noexcept;

  void move(const carried& c);

  /// A hash of all that it holds.
  [[nodiscard]] std::uint64_t hash() const noexcept;

private:
  std::byte* memory_;
  std::size_t bytes_;
};

} // namespace tilesim::interpreter
