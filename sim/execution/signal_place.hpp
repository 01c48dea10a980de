// Where a signal arrived: in whose code, at which line, by what kind of access.
//
// `raw` is what a handler of SA_SIGINFO is given as its third argument.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/memory/access_kind.hpp"
#include "sim/process/segments.hpp"

#include <cstddef>
#include <cstdint>
#include <span>

namespace tilesim::sim {

/// Of the instruction that was interrupted.
[[nodiscard]] std::uintptr_t program_counter(const void* raw);
[[nodiscard]] std::uintptr_t stack_pointer(const void* raw);

/// What the faulting instruction does to memory, as far as the processor says.
[[nodiscard]] access_kind interrupted_access(const void* raw);

/// The program itself, without its libraries: where an interrupted thread holds none of their
/// locks.
[[nodiscard]] const segment& program_code();

/// Is it code of the program's own: neither ours nor the C or C++ library's?
[[nodiscard]] bool in_user_code(const void* address);

/// The sites of this thread's frames, innermost first: as return addresses, one past an instruction
/// of the call, or of what a signal interrupted. How many there are, at most as many as fit.
std::size_t sites_of_frames(std::span<const void*> sites);

/// The innermost return address of the user's own code where a signal arrived: behind the
/// interrupted instruction, or in who called the library that it stands in.
[[nodiscard]] const void* user_site(const void* raw);

/// Where there is no code at the interrupted place: the return address of the call that led there.
/// On the stack, which has to be whole, or in a register.
[[nodiscard]] const void* site_of_call(const void* raw);

/// The innermost of these frames that has a line: what a program has of the C++ library in it
/// (-static-libstdc++) has none. For a report that ends the run; it reads debug information.
[[nodiscard]] const void* user_line(const void* raw);

/// The same for a function that the program has called: `return_address` is its own.
[[nodiscard]] const void* user_caller(const void* return_address);

} // namespace tilesim::sim
