// Memory that was not, before launches, what another machine had there; and whether they read it.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <vector>

namespace tilesim::sim {
struct memory_event;
}

namespace tilesim::sim::compare {

/// The inputs that differ of the launches under way. What a launch writes and nobody reads is none:
/// memory fresh from an allocator (`np.empty`) holds something else in every process.
class unlike_inputs {
public:
  using line = nlohmann::ordered_json;

  void clear() noexcept { list_.clear(); }
  /// As it is told; with the memory where accesses are to tell whether it is read.
  void add(line told, std::uintptr_t begin, std::size_t bytes);
  /// One that counts whoever reads it.
  void add(line told);

  void note(const memory_event& e);

  /// Those that are read, or, where accesses have not been noted, all. Leaves none.
  [[nodiscard]] line take(bool accesses_noted);

private:
  struct input {
    line told;
    std::uintptr_t begin = 0;
    std::uintptr_t end = 0;
    bool read = false;
  };
  std::vector<input> list_;
};

} // namespace tilesim::sim::compare
