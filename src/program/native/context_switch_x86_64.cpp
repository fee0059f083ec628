// x86-64, System V calling convention.
//
// The resumed side is entered by `pop; jmp` rather than `ret`: a `ret` on a foreign stack is always mispredicted.
#include <cstdint>

#include "program/native/context_switch.hpp"

namespace heddle::native {

// Frame, from the saved pointer upwards: mxcsr and x87 control word (8 bytes), r15, r14, r13, r12, rbx, rbp, resume
// address. The control words are loaded only when they differ from what is in force: loading them is slow.
asm(R"(
    .text
    .p2align 4
    .hidden heddle_switch_stack
    .globl heddle_switch_stack
    .type heddle_switch_stack, @function
heddle_switch_stack:
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
    movl (%rsp), %eax
    movzwl 4(%rsp), %edx
    movq %rsp, (%rdi)
    movq %rsi, %rsp
    cmpl (%rsp), %eax
    jne 2f
1:  cmpw 4(%rsp), %dx
    jne 3f
4:  addq $8, %rsp
    popq %r15
    popq %r14
    popq %r13
    popq %r12
    popq %rbx
    popq %rbp
    popq %rcx
    jmpq *%rcx
2:  ldmxcsr (%rsp)
    jmp 1b
3:  fldcw 4(%rsp)
    jmp 4b
    .cfi_endproc
    .size heddle_switch_stack, .-heddle_switch_stack

    .p2align 4
    .hidden heddle_fibre_entry
    .globl heddle_fibre_entry
    .type heddle_fibre_entry, @function
heddle_fibre_entry:
    .cfi_startproc
    .cfi_undefined rip
    .cfi_undefined rbp
    callq *%rbx
    ud2
    .cfi_endproc
    .size heddle_fibre_entry, .-heddle_fibre_entry
)");

extern "C" void heddle_fibre_entry();

void* prepare_stack(void* stack_top, void (*entry)()) noexcept {
  struct Frame {
    std::uint32_t mxcsr;
    std::uint16_t x87_control;
    std::uint16_t unused;
    std::uint64_t r15, r14, r13, r12, rbx, rbp, resume;
  };
  // At the entry's call instruction the stack pointer must be a multiple of 16.
  auto top = reinterpret_cast<std::uintptr_t>(stack_top) & ~std::uintptr_t{15};
  auto* frame = reinterpret_cast<Frame*>(top - 64 - sizeof(Frame));
  *frame = {};
  asm volatile("stmxcsr %0" : "=m"(frame->mxcsr));
  asm volatile("fnstcw %0" : "=m"(frame->x87_control));
  frame->rbx = reinterpret_cast<std::uint64_t>(entry);
  frame->resume = reinterpret_cast<std::uint64_t>(&heddle_fibre_entry);
  return frame;
}

}  // namespace heddle::native
