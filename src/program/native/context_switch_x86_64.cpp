#include <cstdint>

#include "program/native/context_switch.hpp"

namespace heddle::native {

// What the scheduler's side left in registers must not get onto the stack: it would make equal states differ.
asm(R"(
    .text
    .p2align 4
    .hidden heddle_fibre_entry
    .globl heddle_fibre_entry
    .type heddle_fibre_entry, @function
heddle_fibre_entry:
    .cfi_startproc
    .cfi_undefined rip
    .cfi_undefined rbp
    popq %rbx
    popq %rbp
    xorl %r12d, %r12d
    xorl %r13d, %r13d
    xorl %r14d, %r14d
    xorl %r15d, %r15d
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
    std::uint64_t resume, rbx, rbp;
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
