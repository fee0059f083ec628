// x86-64, System V calling convention. See context_switch.hpp for what it does.
#pragma once

#include <cstdint>

namespace heddle::native {

// Processors predict where a `ret` goes by counting calls and returns. So there is neither in a switch: it is inlined,
// and the resumed side is entered by `pop; jmp`. Then only the returns from functions that were under way on both sides
// are mispredicted, not all that follow.
//
// Frame, from the saved pointer upwards: mxcsr and x87 control word (8 bytes), resume address, rbx, rbp; above it the
// 128 bytes that a leaf function may use below its stack pointer. The compiler saves all other registers. Control words
// are loaded only when they differ from what is in force: loading them is slow.
__attribute__((always_inline)) inline void switch_stack(void** save, void* to) noexcept {
  asm volatile(R"(
      leaq -128(%%rsp), %%rsp
      pushq %%rbp
      pushq %%rbx
      leaq 1f(%%rip), %%rax
      pushq %%rax
      subq $8, %%rsp
      stmxcsr (%%rsp)
      fnstcw 4(%%rsp)
      movl (%%rsp), %%eax
      movzwl 4(%%rsp), %%edx
      movq %%rsp, (%%rdi)
      movq %%rsi, %%rsp
      cmpl (%%rsp), %%eax
      jne 3f
  2:  cmpw 4(%%rsp), %%dx
      jne 5f
  4:  addq $8, %%rsp
      popq %%rax
      jmpq *%%rax
  3:  ldmxcsr (%%rsp)
      jmp 2b
  5:  fldcw 4(%%rsp)
      jmp 4b
  1:  popq %%rbx
      popq %%rbp
      leaq 128(%%rsp), %%rsp
      )"
               : "+D"(save), "+S"(to)
               :
               : "rax", "rcx", "rdx", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "xmm0", "xmm1", "xmm2",
                 "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14",
                 "xmm15", "memory", "cc");
}

// A stretch of runtime code on a fibre that calculates, without a switch: rounding and traps are as usual meanwhile,
// and the program sees none of its exceptions. (Only mxcsr: nothing of ours uses the x87 unit.)
class OwnArithmetic {
 public:
  // Looking at the control word takes longer than all else here: `needed` false, and nobody does.
  explicit OwnArithmetic(bool needed) noexcept : needed_(needed) {
    if (!needed_) return;
    programs_ = control();
    if ((programs_ & ~kFlags) != kUsual) use(kUsual);
  }
  ~OwnArithmetic() {
    if (needed_ && control() != programs_) use(programs_);
  }
  OwnArithmetic(const OwnArithmetic&) = delete;
  OwnArithmetic& operator=(const OwnArithmetic&) = delete;

 private:
  static constexpr std::uint32_t kUsual = 0x1F80;  // to nearest, everything masked
  static constexpr std::uint32_t kFlags = 0x3F;    // exceptions that have occurred

  [[nodiscard]] static std::uint32_t control() noexcept {
    std::uint32_t mxcsr;
    asm volatile("stmxcsr %0" : "=m"(mxcsr));
    return mxcsr;
  }
  static void use(std::uint32_t mxcsr) noexcept { asm volatile("ldmxcsr %0" : : "m"(mxcsr)); }

  bool needed_;
  std::uint32_t programs_ = 0;
};

}  // namespace heddle::native
