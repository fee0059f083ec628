// Interceptors at which a loop may be recognised as one that waits (await.hpp): the program's registers, as it calls
// them, are part of what must be equal. A compiled function cannot tell what they were on entry, so these have an entry
// of their own that keeps them, if anybody wants to know, and goes on to the function proper. Searches over states have
// the stack cleared there (runtime_entry_x86_64.cpp).
#pragma once

#define HEDDLE_KEEP_REGISTERS_TEXT(name, wanted)       \
  __asm__(                                             \
      ".pushsection .text\n"                           \
      ".p2align 4\n"                                   \
      ".globl " #name                                  \
      "\n"                                             \
      ".type " #name                                   \
      ", @function\n"                                  \
      ".hidden heddle_entered_" #name                  \
      "\n"                                             \
      ".hidden " #wanted                               \
      "\n"                                             \
      ".hidden heddle_entry_registers\n"               \
      ".hidden heddle_clear_at_entry\n"                \
      ".hidden __fentry__\n" #name                     \
      ":\n"                                            \
      ".cfi_startproc\n"                               \
      "  cmpb $0, " #wanted                            \
      "(%rip)\n"                                       \
      "  je heddle_entered_" #name                     \
      "\n"                                             \
      "  cmpb $0, heddle_clear_at_entry(%rip)\n"       \
      "  je 1f\n"                                      \
      "  call __fentry__\n"                            \
      "1:\n"                                           \
      "  movq %rsp, heddle_entry_registers(%rip)\n"    \
      "  movq %rbx, heddle_entry_registers+8(%rip)\n"  \
      "  movq %rbp, heddle_entry_registers+16(%rip)\n" \
      "  movq %r12, heddle_entry_registers+24(%rip)\n" \
      "  movq %r13, heddle_entry_registers+32(%rip)\n" \
      "  movq %r14, heddle_entry_registers+40(%rip)\n" \
      "  movq %r15, heddle_entry_registers+48(%rip)\n" \
      "  jmp heddle_entered_" #name                    \
      "\n"                                             \
      ".cfi_endproc\n"                                 \
      ".size " #name ", .-" #name                      \
      "\n"                                             \
      ".popsection\n")

// Begins the definition of an interceptor that keeps the registers: HEDDLE_ENTRY(int, sem_trywait, (sem_t* s)) {...}
#define HEDDLE_ENTRY_IF(wanted, result, name, parameters) \
  HEDDLE_KEEP_REGISTERS_TEXT(name, wanted);               \
  extern "C" __attribute__((used)) result heddle_entered_##name parameters
#define HEDDLE_ENTRY(result, name, parameters) HEDDLE_ENTRY_IF(heddle_entry_wanted, result, name, parameters)
