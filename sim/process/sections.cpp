// Whose code a thread of the host runs.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/process/sections.hpp"

#include "sim/process/thread_marks.hpp"

#include <tilesim/detail/checked_run.hpp>

#include <span>
#include <utility>

namespace tilesim::sim {

constinit thread_local unsigned sections = 0;

namespace {

const thread_mark mark([]() noexcept { return std::as_writable_bytes(std::span(&sections, 1)); });

step_taker steps = nullptr; // read in the threads that run kernels, which is one at a time

/// Sets the trap flag: the second instruction from here on is the first one that is told.
void step_on() noexcept {
#if defined(__x86_64__)
  asm volatile("lea -128(%%rsp), %%rsp\n\t" // whatever lies below the stack's end
               "pushfq\n\t"
               "orq $0x100, (%%rsp)\n\t"
               "popfq\n\t"
               "lea 128(%%rsp), %%rsp"
               :
               :
               : "memory", "cc");
#endif
}

} // namespace

void library_section::leave() noexcept {
  if (--sections == 0 && steps != nullptr) [[unlikely]] {
    step_on();
  }
}

void step_through_program(step_taker taker) noexcept {
  steps = taker;
}

bool take_step(void* context) noexcept {
  return steps != nullptr && steps(context);
}

program_section::program_section() noexcept
    : outside_(exchange_sections(0)) {
  if (steps != nullptr) [[unlikely]] {
    step_on();
  }
}

program_section::~program_section() {
  set_sections(outside_);
}

// Not inline: an address of a thread's own variable may be kept by the compiler within a function.
[[gnu::noinline]] unsigned current_sections() noexcept {
  return sections;
}

[[gnu::noinline]] void set_sections(unsigned s) noexcept {
  sections = s;
}

[[gnu::noinline]] unsigned exchange_sections(unsigned s) noexcept {
  return std::exchange(sections, s);
}

} // namespace tilesim::sim

namespace tilesim::detail {

unsigned enter_library() noexcept {
  const unsigned outside = sim::current_sections();
  sim::set_sections(outside + 1);
  return outside;
}

unsigned enter_program() noexcept {
  const unsigned outside = sim::current_sections();
  sim::set_sections(0);
  return outside;
}

void leave(unsigned outside) noexcept {
  sim::set_sections(outside);
}

} // namespace tilesim::detail
