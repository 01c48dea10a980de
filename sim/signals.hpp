// What signal handlers share.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <csignal>
#include <cstddef>

namespace tilesim::sim {

// The report walks debug information: it needs more than the minimum.
constexpr std::size_t handler_stack_bytes = std::size_t{1} << 20;

/// Is it code of the program's own: neither ours nor the C or C++ library's?
[[nodiscard]] bool in_user_code(const void* address);

/// The innermost return address of the user's own code where a signal arrived: behind the
/// interrupted instruction, or in who called the library that it stands in.
[[nodiscard]] const void* user_site(const void* context);

/// The same for a function that the program has called: `return_address` is its own.
[[nodiscard]] const void* user_caller(const void* return_address);

/// The handler of SIGSEGV and SIGBUS.
void on_fault(int signal, siginfo_t* info, void* context);

/// Stops the run: the kernel that runs has raised a signal that ends the program.
[[noreturn]] void report_fatal_signal(int signal, const siginfo_t* info, const void* context);

} // namespace tilesim::sim
