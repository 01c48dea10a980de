// Whether there is anything that hooks could find.
//
// Most of a program's host code runs while no kernel does and before, or without, any memory that
// both can use. Device memory is closed to host code: an access faults. So a hook's first look is
// at one number.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>

namespace tilesim::sim::judging {

/// How many there are: kernels that run, live allocations that both kernels and host code can use.
extern std::atomic<unsigned> reasons;
/// Live allocations that host code cannot use.
extern std::atomic<unsigned> device_allocations;

/// Set as hooked objects are initialised: before main, or by dlopen.
extern std::atomic<bool> hooked;

inline void add(std::atomic<unsigned>& to) noexcept {
  to.fetch_add(1, std::memory_order_relaxed);
}
inline void remove(std::atomic<unsigned>& from) noexcept {
  from.fetch_sub(1, std::memory_order_relaxed);
}

/// One more reason while it lives.
class reason {
public:
  reason() noexcept { add(reasons); }
  ~reason() { remove(reasons); }
  reason(const reason&) = delete;
  reason& operator=(const reason&) = delete;
};

} // namespace tilesim::sim::judging

namespace tilesim::sim {

/// True if the program's code was compiled with hooks: raw accesses are seen.
[[nodiscard]] inline bool code_is_hooked() noexcept {
  return judging::hooked;
}

} // namespace tilesim::sim
