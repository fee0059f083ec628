// Dead bytes in the runtime's own frames. An interceptor that waits for its turn leaves frames on the thread's stack,
// with words in them that it never writes: there is what an earlier call left. The runtime does not do the same each
// time (it remembers what it has looked up, for one), so those words would be different in states that are equal.
//
// The compiler is asked (-mfentry) to call this first in every function of the interceptors, before it makes its frame.
// In a search over states it clears the stretch of stack that the frames of the runtime are about to use. Nobody has
// anything there: what lies below the stack pointer of a caller is dead. Registers that may hold arguments stay.
#include <cstddef>

#include "program/native/runtime.hpp"
#include "program/native/runtime_entry.hpp"

std::uint8_t heddle_clear_at_entry = 0;

// The assembly looks at `rt.inside` where `rt` is.
static_assert(offsetof(heddle::native::Runtime, inside) == 0);

asm(R"(
    .text
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
    je 3f
    movq $-2048, %r11
2:  movq $0, (%rsp, %r11)
    addq $8, %r11
    jne 2b
3:  retq
    .cfi_endproc
    .size __fentry__, .-__fentry__
)");
