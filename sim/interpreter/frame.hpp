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
  explicit frame(std::size_t bytes, std::size_t tokens = 1);
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

  /// What waits for an operation, as the engine calls it: 0 waits for nothing.
  [[nodiscard]] std::uint64_t& token(token_number n) noexcept {
    return reinterpret_cast<std::uint64_t*>(memory_ + values_)[n];
  }

  void move(const carried& c);

  /// A hash of all that it holds, but for tokens, which tell how it has come here.
  [[nodiscard]] std::uint64_t hash() const noexcept;

private:
  void move_tokens(const carried& c);

  std::byte* memory_;
  std::size_t values_; ///< bytes; behind them, tokens
  std::size_t bytes_;
};

} // namespace tilesim::interpreter
