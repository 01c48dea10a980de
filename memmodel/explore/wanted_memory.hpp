// What memory is to hold when all threads have ended, for whoever looks for an execution that ends
// so.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "memmodel/event.hpp"
#include "memmodel/explore/interleaving.hpp"

#include <cstdint>
#include <functional>
#include <optional>

namespace tilesim::memmodel::explore {

class wanted_memory {
public:
  wanted_memory() = default;
  virtual ~wanted_memory() = default;
  wanted_memory(const wanted_memory&) = delete;
  wanted_memory& operator=(const wanted_memory&) = delete;

  /// What these bytes are to hold, low byte first; nothing: that is not known.
  [[nodiscard]] virtual std::optional<std::uint64_t> at(const byte_range& bytes) const = 0;
  /// Whether is_so(address) of each byte that is to be another than before all threads.
  [[nodiscard]] virtual bool all_changes(const std::function<bool(std::uint64_t)>& is_so) const = 0;
  /// All threads have come to their ends: whether memory, all of it, is what it is to be.
  [[nodiscard]] virtual bool is_reached(const interleaving& by) = 0;
};

/// The same once more, made from its beginning: what was taken back has left nothing.
[[nodiscard]] inline bool
is_reached_twice(threads& program, wanted_memory& wanted, const interleaving& made) {
  if (!wanted.is_reached(made)) {
    return false;
  }
  interleaving again(program, made.choices());
  return again.repeat(made) && again.all_ended() && wanted.is_reached(again);
}

} // namespace tilesim::memmodel::explore
