// A place on a thread's stack from which its frames can be walked later, by whoever runs then on
// another stack of the thread's: to note it is a few moves, to walk takes microseconds.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/debug_info/preserved_registers.hpp"

#include <array>
#include <cstdint>

namespace tilesim::sim {

/// Where a function stands, and what its callers will find in registers. Good as long as the
/// function that has noted it has not returned.
struct stack_place {
  std::uintptr_t pc = 0; ///< behind the call of the note
  std::uintptr_t sp = 0; ///< there
  std::array<std::uintptr_t, preserved_registers.size()> preserved = {};
};

extern "C" {
/// Notes the place of its caller's.
void tilesim_note_stack_place(stack_place* place) noexcept;
/// Calls it, so that unwinders go on from there to the place and its callers.
void tilesim_call_at_stack_place(const stack_place* place, void (*f)(void*), void* argument);
}

/// Of the function that it is inlined into.
[[nodiscard, gnu::always_inline]] inline stack_place this_stack_place() noexcept {
  stack_place here;
  tilesim_note_stack_place(&here);
  return here;
}

} // namespace tilesim::sim
