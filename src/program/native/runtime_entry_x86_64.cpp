// Dead bytes that the runtime leaves on a thread's stack. An interceptor that waits for its turn has frames there, with
// words in them that it never writes: they hold what an earlier call left. One that returns leaves its frames behind,
// and the next function that the program calls has words in its frame (for alignment, for a register that it saves and
// nobody uses) that hold what was there. The runtime does not do the same each time: it remembers what it has looked
// up, and its lists lie where its own heap has put them. So such words would be different in states that are equal.
//
// Therefore, in a search over states (and where loops are known: await.hpp), the stretch of stack that the
// frames of the runtime use is cleared
//   - when an interceptor is entered: the compiler is asked (-mfentry) to call __fentry__ first in every function of
//   the
//     interceptors, before it makes its frame. Registers that may hold arguments stay;
//   - when it returns: the compiler is asked (-minstrument-return) to call __return__ last. Registers that calls do not
//     preserve are cleared, too, but for those of results (no interceptor's is a floating-point number): functions push
//     them to align the stack, and those with a variable number of arguments store all that may hold one. A function
//     that ends with a jump to another (the compiler makes one of two that are alike) has arguments for it there: only
//     before a `ret` are they cleared. So are, for searches over states, the registers of AVX-512 (mask 0xe0:
//     k0-7, upper halves, zmm16-31): where the C library enters the kernel, SIGSYS puts all of them on the stack;
//   - before the runtime calls back into the program (clear_before_call).
// Nobody has anything there: what lies below the stack pointer of a caller is dead.
#include <cstddef>

#include "program/native/runtime.hpp"
#include "program/native/runtime_entry.hpp"

std::uint8_t heddle_clear_at_entry = 0;
std::uint8_t heddle_clear_plain = 0;
std::uint8_t heddle_clear_wide = 0;

// For xrstor: all that it is asked for as it is at first.
extern "C" {
alignas(64) extern const std::uint8_t heddle_no_registers[576];
const std::uint8_t heddle_no_registers[576] = {};
}

// The assembly looks at `rt.inside` where `rt` is.
static_assert(offsetof(heddle::native::Runtime, inside) == 0);

asm(R"(
    .text
    .macro heddle_clear_below
    movq $-2048, %r11
7:
    .irp offset, 0, 8, 16, 24, 32, 40, 48, 56
    movq $0, \offset(%rsp, %r11)
    .endr
    addq $64, %r11
    jne 7b
    .endm
    .macro heddle_clear_registers
    xorl %ecx, %ecx
    xorl %esi, %esi
    xorl %edi, %edi
    xorl %r8d, %r8d
    xorl %r9d, %r9d
    .irp number, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
    xorps %xmm\number, %xmm\number
    .endr
    cmpb $0, heddle_clear_wide(%rip)
    je 8f
    vzeroupper
    movq %rax, %rsi
    movq %rdx, %rdi
    movl $0xe0, %eax
    xorl %edx, %edx
    xrstor heddle_no_registers(%rip)
    movq %rsi, %rax
    movq %rdi, %rdx
    xorl %esi, %esi
    xorl %edi, %edi
8:
    .endm

    .p2align 4
    .hidden __fentry__
    .globl __fentry__
    .type __fentry__, @function
__fentry__:
    .cfi_startproc
    cmpb $0, heddle_clear_at_entry(%rip)
    jne 1f
    retq
1:  cmpb $0, _ZN6heddle6native2rtE(%rip)
    je 2f
    heddle_clear_below
2:  retq
    .cfi_endproc
    .size __fentry__, .-__fentry__

    .p2align 4
    .hidden __return__
    .globl __return__
    .type __return__, @function
__return__:
    .cfi_startproc
    cmpb $0, heddle_clear_at_entry(%rip)
    jne 1f
    retq
1:  cmpb $0, _ZN6heddle6native2rtE(%rip)
    je 2f
    popq %r10
    .cfi_adjust_cfa_offset -8
    .cfi_register %rip, %r10
    heddle_clear_below
    cmpb $0xc3, (%r10)
    jne 3f
    heddle_clear_registers
3:  jmpq *%r10
    .cfi_adjust_cfa_offset 8
    .cfi_offset %rip, -8
2:  retq
    .cfi_endproc
    .size __return__, .-__return__

    .p2align 4
    .hidden heddle_clear_before_call
    .globl heddle_clear_before_call
    .type heddle_clear_before_call, @function
heddle_clear_before_call:
    .cfi_startproc
    heddle_clear_below
    heddle_clear_registers
    xorl %eax, %eax
    xorl %edx, %edx
    retq
    .cfi_endproc
    .size heddle_clear_before_call, .-heddle_clear_before_call
)");
