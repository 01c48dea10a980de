// Who wrote each byte last: block and place in the source.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/core/watcher.hpp"
#include "sim/watch/journal.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>

namespace tilesim::sim {

class write_log {
public:
  struct writer {
    const void* site = nullptr;
    std::string block;        ///< "tile block (1,0,0)"
    std::uint64_t launch = 0; ///< its id
  };

  /// An access that a watcher with `elements` was told of.
  void note(const memory_event& e);
  /// Nothing: no kernel has written there, or so long ago that it is forgotten.
  [[nodiscard]] std::optional<writer> last(std::uintptr_t address) const;

private:
  step::journal operations_{std::size_t{256} << 20U};
  step::last_writers bytes_;
  struct thread_name {
    std::string block;
    std::uint64_t launch = 0;
  };
  std::unordered_map<std::uint64_t, thread_name> names_; ///< of threads that have written
};

} // namespace tilesim::sim
