// Whose code a thread of the host runs: the program's, or the library's.
//
// Hooks judge accesses of the program's own code only. But the library allocates through the
// program's operator new and malloc, and libstdc++, which the library uses, binds to functions that
// the program's objects define (std::string::_M_assign, say): code with hooks that runs on the
// library's behalf. So every way from the program into the library begins a library_section, in
// which hooks perform and judge nothing, and every call back, of a kernel, of a stream's host
// function, of what tilesim::check is given, is a program_section. Fibers have sections of their
// own (fiber.cpp).
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace tilesim::sim {

/// How deep the thread is in the library; 0: it runs code of the program. It is read and written
/// through functions where a fiber may have moved to another thread meanwhile.
[[gnu::tls_model("initial-exec")]] extern constinit thread_local unsigned sections;

[[nodiscard]] inline bool in_library() noexcept {
  return sections != 0;
}

/// The library's code runs while one lives.
class library_section {
public:
  library_section() noexcept { ++sections; }
  ~library_section() { leave(); }
  library_section(const library_section&) = delete;
  library_section& operator=(const library_section&) = delete;

private:
  static void leave() noexcept; ///< perhaps of another thread than that of the beginning
};

/// The program's code runs while one lives: it is called back.
class program_section {
public:
  program_section() noexcept;
  ~program_section();
  program_section(const program_section&) = delete;
  program_section& operator=(const program_section&) = delete;

private:
  unsigned outside_;
};

/// Is given the context of each SIGTRAP while kernels run [kernel_signals]; false: it is no step.
using step_taker = bool (*)(void* context);

/// The program's code is run one instruction after the other from the next end of a section on,
/// each with a SIGTRAP before it, which `taker` takes: who looks at its instructions. He ends that
/// by the flag of the context. nullptr: no more. x86-64 alone.
void step_through_program(step_taker taker) noexcept;
/// Whether it was one that somebody wanted.
[[nodiscard]] bool take_step(void* context) noexcept;

/// What a fiber takes with it when it is left.
[[nodiscard]] unsigned current_sections() noexcept;
void set_sections(unsigned s) noexcept;
/// Gives what it was.
unsigned exchange_sections(unsigned s) noexcept;

} // namespace tilesim::sim
