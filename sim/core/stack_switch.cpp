// Fibers of our own, for x86-64.
//
// A stack that is left holds the modes of floating point and the registers that calls preserve, and
// above them where to go on. Who goes on does so by a return from the very call that all leave by,
// which the processor predicts: where threads of a block follow one another at a barrier, to the
// same place. Modes are compared, as to set them takes longer than all the rest.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/core/fiber.hpp"

#ifdef TILESIM_OWN_FIBERS

#  include "sim/core/floating_modes.hpp"

#  include <cstddef>
#  include <cstdlib>

// The first switch to a fiber ends in tilesim_enter_fiber, with what it is to call in registers.
asm(R"(
  .text
  .p2align 4
  .hidden tilesim_switch_stack
  .globl tilesim_switch_stack
  .type tilesim_switch_stack, @function
tilesim_switch_stack:
  .cfi_startproc
  pushq %rbp
  .cfi_adjust_cfa_offset 8
  pushq %rbx
  .cfi_adjust_cfa_offset 8
  pushq %r12
  .cfi_adjust_cfa_offset 8
  pushq %r13
  .cfi_adjust_cfa_offset 8
  pushq %r14
  .cfi_adjust_cfa_offset 8
  pushq %r15
  .cfi_adjust_cfa_offset 8
  subq $8, %rsp
  .cfi_adjust_cfa_offset 8
  stmxcsr (%rsp)
  fnstcw 4(%rsp)
  andl $0xffffffc0, (%rsp)
  movl (%rsp), %eax
  movzwl 4(%rsp), %ecx
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  xorl (%rsp), %eax
  xorw 4(%rsp), %cx
  orl %ecx, %eax
  jne 2f
1:
  addq $8, %rsp
  .cfi_adjust_cfa_offset -8
  popq %r15
  .cfi_adjust_cfa_offset -8
  popq %r14
  .cfi_adjust_cfa_offset -8
  popq %r13
  .cfi_adjust_cfa_offset -8
  popq %r12
  .cfi_adjust_cfa_offset -8
  popq %rbx
  .cfi_adjust_cfa_offset -8
  popq %rbp
  .cfi_adjust_cfa_offset -8
  ret
2:
  .cfi_adjust_cfa_offset 56
  ldmxcsr (%rsp)
  fldcw 4(%rsp)
  jmp 1b
  .cfi_endproc
  .size tilesim_switch_stack, . - tilesim_switch_stack

  .p2align 4
  .hidden tilesim_enter_fiber
  .globl tilesim_enter_fiber
  .type tilesim_enter_fiber, @function
tilesim_enter_fiber:
  .cfi_startproc
  .cfi_undefined rip
  movq %r12, %rdi
  movq %r13, %rsi
  movq %r14, %rdx
  call *%r15
  ud2
  .cfi_endproc
  .size tilesim_enter_fiber, . - tilesim_enter_fiber
)");

extern "C" [[gnu::visibility("hidden")]] void tilesim_enter_fiber() noexcept;

namespace tilesim::sim {

namespace {

/// What a stack holds that was left, from its lowest address on.
struct left_stack {
  floating_modes modes;
  std::uintptr_t r15 = 0, r14 = 0, r13 = 0, r12 = 0, rbx = 0, rbp = 0;
  std::uintptr_t to = 0; ///< where it goes on, with the stack's end behind it
};
static_assert(sizeof(left_stack) == 64 && offsetof(floating_modes, mxcsr) == 0 &&
              offsetof(floating_modes, x87) == 4);

} // namespace

fiber::fiber(stack_memory stack, entry function, void* argument)
    : stack_(stack)
    , sections_(1) { // the library's
  left_at_ = begins_at() - sizeof(left_stack);
  *reinterpret_cast<left_stack*>(left_at_) = {
      .modes = kernel_floating_modes,
      .r15 = reinterpret_cast<std::uintptr_t>(&fiber::begin),
      .r14 = reinterpret_cast<std::uintptr_t>(argument),
      .r13 = reinterpret_cast<std::uintptr_t>(function),
      .r12 = reinterpret_cast<std::uintptr_t>(this),
      .rbx = 0,
      .rbp = 0,
      .to = reinterpret_cast<std::uintptr_t>(&tilesim_enter_fiber)};
}

void fiber::begin(fiber* self, entry function, void* argument) noexcept {
  function(argument);
  std::uintptr_t nowhere = 0;
  tilesim_switch_stack(&nowhere, self->outside_); // and left_at_ stays 0
  std::abort();                                   // nobody resumes it
}

void fiber::resume() {
  TILESIM_ASSERT(left_at_ != 0); // it has not ended, and does not run
  const unsigned outside = current_sections();
  set_sections(sections_);
  const std::uintptr_t to = left_at_;
  left_at_ = 0;
  tilesim_switch_stack(&outside_, to); // it may pass control on to another one
  set_sections(outside);
}

void fiber::suspend() {
  TILESIM_ASSERT(outside_ != 0); // it runs
  sections_ = current_sections();
  const std::uintptr_t to = outside_;
  outside_ = 0;
  tilesim_switch_stack(&left_at_, to);
}

} // namespace tilesim::sim

#endif // TILESIM_OWN_FIBERS
