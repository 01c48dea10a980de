// Noting a place on the stack, and calling as if from there.
//
// The call's frame has a description of its own: what it says of the caller's registers, and of
// where the call returns to, lies in the place, which a preserved register points to, and not where
// the call really came from.  [DWARF 5, 6.4.2; System V ABI for x86-64, 3.7; for AArch64, DWARF]
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/debug_info/stack_place.hpp"

#include <cstddef>

namespace tilesim::sim {

static_assert(offsetof(stack_place, pc) == 0);
static_assert(offsetof(stack_place, sp) == 8);
static_assert(offsetof(stack_place, preserved) == 16);

// In .cfi_escape: 0x0f is DW_CFA_def_cfa_expression, with its length and the operations of which
// the last, 0x06, is DW_OP_deref; 0x10 is DW_CFA_expression, with the register and what gives the
// place of its value; 0x73 and 0x83 are DW_OP_breg of rbx and of x19, with an offset.
#if defined(__x86_64__)
asm(R"(
  .text
  .p2align 4
  .hidden tilesim_note_stack_place
  .globl tilesim_note_stack_place
  .type tilesim_note_stack_place, @function
tilesim_note_stack_place:
  .cfi_startproc
  movq (%rsp), %rax
  movq %rax, (%rdi)
  leaq 8(%rsp), %rax
  movq %rax, 8(%rdi)
  movq %rbx, 16(%rdi)
  movq %rbp, 24(%rdi)
  movq %r12, 32(%rdi)
  movq %r13, 40(%rdi)
  movq %r14, 48(%rdi)
  movq %r15, 56(%rdi)
  ret
  .cfi_endproc
  .size tilesim_note_stack_place, . - tilesim_note_stack_place

  .p2align 4
  .hidden tilesim_call_at_stack_place
  .globl tilesim_call_at_stack_place
  .type tilesim_call_at_stack_place, @function
tilesim_call_at_stack_place:
  .cfi_startproc
  pushq %rbx
  .cfi_adjust_cfa_offset 8
  .cfi_offset %rbx, -16
  movq %rdi, %rbx
  .cfi_remember_state
  .cfi_escape 0x0f, 3, 0x73, 8, 0x06
  .cfi_escape 0x10, 16, 2, 0x73, 0
  .cfi_escape 0x10, 3, 2, 0x73, 16
  .cfi_escape 0x10, 6, 2, 0x73, 24
  .cfi_escape 0x10, 12, 2, 0x73, 32
  .cfi_escape 0x10, 13, 2, 0x73, 40
  .cfi_escape 0x10, 14, 2, 0x73, 48
  .cfi_escape 0x10, 15, 2, 0x73, 56
  movq %rdx, %rdi
  callq *%rsi
  .cfi_restore_state
  popq %rbx
  .cfi_adjust_cfa_offset -8
  .cfi_restore %rbx
  ret
  .cfi_endproc
  .size tilesim_call_at_stack_place, . - tilesim_call_at_stack_place
)");
#elif defined(__aarch64__)
asm(R"(
  .text
  .p2align 4
  .hidden tilesim_note_stack_place
  .globl tilesim_note_stack_place
  .type tilesim_note_stack_place, %function
tilesim_note_stack_place:
  .cfi_startproc
  mov x9, sp
  stp x30, x9, [x0]
  stp x19, x20, [x0, #16]
  stp x21, x22, [x0, #32]
  stp x23, x24, [x0, #48]
  stp x25, x26, [x0, #64]
  stp x27, x28, [x0, #80]
  str x29, [x0, #96]
  ret
  .cfi_endproc
  .size tilesim_note_stack_place, . - tilesim_note_stack_place

  .p2align 4
  .hidden tilesim_call_at_stack_place
  .globl tilesim_call_at_stack_place
  .type tilesim_call_at_stack_place, %function
tilesim_call_at_stack_place:
  .cfi_startproc
  stp x29, x30, [sp, #-32]!
  .cfi_adjust_cfa_offset 32
  .cfi_offset x29, -32
  .cfi_offset x30, -24
  str x19, [sp, #16]
  .cfi_offset x19, -16
  mov x29, sp
  mov x19, x0
  .cfi_remember_state
  .cfi_escape 0x0f, 3, 0x83, 8, 0x06
  .cfi_escape 0x10, 30, 2, 0x83, 0
  .cfi_escape 0x10, 19, 2, 0x83, 16
  .cfi_escape 0x10, 20, 2, 0x83, 24
  .cfi_escape 0x10, 21, 2, 0x83, 32
  .cfi_escape 0x10, 22, 2, 0x83, 40
  .cfi_escape 0x10, 23, 2, 0x83, 48
  .cfi_escape 0x10, 24, 2, 0x83, 56
  .cfi_escape 0x10, 25, 3, 0x83, 0xc0, 0
  .cfi_escape 0x10, 26, 3, 0x83, 0xc8, 0
  .cfi_escape 0x10, 27, 3, 0x83, 0xd0, 0
  .cfi_escape 0x10, 28, 3, 0x83, 0xd8, 0
  .cfi_escape 0x10, 29, 3, 0x83, 0xe0, 0
  mov x0, x2
  blr x1
  .cfi_restore_state
  ldr x19, [sp, #16]
  ldp x29, x30, [sp], #32
  .cfi_adjust_cfa_offset -32
  .cfi_restore x19
  .cfi_restore x29
  .cfi_restore x30
  ret
  .cfi_endproc
  .size tilesim_call_at_stack_place, . - tilesim_call_at_stack_place
)");
#else
#  error "the places of frames are known for x86-64 and AArch64"
#endif

} // namespace tilesim::sim
