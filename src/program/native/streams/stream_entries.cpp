// The functions of libstdc++ that use a stream, as entries in front of the library's own: see intercept_streams.cpp.
//
// They are a library of their own. The runtime contains a C++ library for itself, hidden, and the linker would hide
// functions of the same name with it. Nothing here is ever written, so that there is nothing to put back.
//
// All of them have the stream as their first argument. The rest is of many types, so that the entries are in assembly:
// they keep the registers that arguments are passed in.

#define HEDDLE_TEXT_OF(value) #value
#define HEDDLE_ENTRY_NUMBER(name, number) \
  asm(".pushsection .rodata\n"                   \
      "1: .asciz \"" #name                       \
      "\"\n"                                     \
      ".popsection\n"                            \
      ".p2align 4\n"                             \
      ".globl " #name                            \
      "\n"                                       \
      ".type " #name ", @function\n" #name       \
      ":\n"                                      \
      "  .cfi_startproc\n"                       \
      "  leaq 1b(%rip), %r10\n"                  \
      "  movl $" HEDDLE_TEXT_OF(number) ", %r11d\n" \
      "  jmp heddle_through_stream\n"            \
      "  .cfi_endproc\n"                         \
      ".size " #name ", .-" #name "\n")
#define HEDDLE_NUMBERED(name, number) HEDDLE_ENTRY_NUMBER(name, number)
#define HEDDLE_STREAM(name) HEDDLE_NUMBERED(name, __COUNTER__);

asm(R"(
    .text
    .p2align 4
    .type heddle_through_stream, @function
heddle_through_stream:
    .cfi_startproc
    pushq %rdi
    .cfi_adjust_cfa_offset 8
    pushq %rsi
    .cfi_adjust_cfa_offset 8
    pushq %rdx
    .cfi_adjust_cfa_offset 8
    pushq %rcx
    .cfi_adjust_cfa_offset 8
    pushq %r8
    .cfi_adjust_cfa_offset 8
    pushq %r9
    .cfi_adjust_cfa_offset 8
    subq $24, %rsp
    .cfi_adjust_cfa_offset 24
    movups %xmm0, (%rsp)
    movq 72(%rsp), %rsi
    movq %r10, %rdx
    movl %r11d, %ecx
    call *heddle_stream_used@GOTPCREL(%rip)
    movq %rax, %r11
    movups (%rsp), %xmm0
    addq $24, %rsp
    .cfi_adjust_cfa_offset -24
    popq %r9
    .cfi_adjust_cfa_offset -8
    popq %r8
    .cfi_adjust_cfa_offset -8
    popq %rcx
    .cfi_adjust_cfa_offset -8
    popq %rdx
    .cfi_adjust_cfa_offset -8
    popq %rsi
    .cfi_adjust_cfa_offset -8
    popq %rdi
    .cfi_adjust_cfa_offset -8
    jmp *%r11
    .cfi_endproc
    .size heddle_through_stream, .-heddle_through_stream
)");

// Output: numbers (operator<< of most types is in the headers and ends here), characters, text, flush, endl.
HEDDLE_STREAM(_ZNSolsEi)
HEDDLE_STREAM(_ZNSolsEs)
HEDDLE_STREAM(_ZNSo9_M_insertIlEERSoT_)
HEDDLE_STREAM(_ZNSo9_M_insertImEERSoT_)
HEDDLE_STREAM(_ZNSo9_M_insertIxEERSoT_)
HEDDLE_STREAM(_ZNSo9_M_insertIyEERSoT_)
HEDDLE_STREAM(_ZNSo9_M_insertIbEERSoT_)
HEDDLE_STREAM(_ZNSo9_M_insertIdEERSoT_)
HEDDLE_STREAM(_ZNSo9_M_insertIeEERSoT_)
HEDDLE_STREAM(_ZNSo9_M_insertIPKvEERSoT_)
HEDDLE_STREAM(_ZNSo3putEc)
HEDDLE_STREAM(_ZNSo5writeEPKcl)
HEDDLE_STREAM(_ZNSo5flushEv)
HEDDLE_STREAM(_ZSt16__ostream_insertIcSt11char_traitsIcEERSt13basic_ostreamIT_T0_ES6_PKS3_l)
HEDDLE_STREAM(_ZStlsISt11char_traitsIcEERSt13basic_ostreamIcT_ES5_PKc)
HEDDLE_STREAM(_ZStlsISt11char_traitsIcEERSt13basic_ostreamIcT_ES5_c)
HEDDLE_STREAM(_ZSt4endlIcSt11char_traitsIcEERSt13basic_ostreamIT_T0_ES6_)
// Input: the same.
HEDDLE_STREAM(_ZNSirsERi)
HEDDLE_STREAM(_ZNSirsERs)
HEDDLE_STREAM(_ZNSi10_M_extractIlEERSiRT_)
HEDDLE_STREAM(_ZNSi10_M_extractImEERSiRT_)
HEDDLE_STREAM(_ZNSi10_M_extractIjEERSiRT_)
HEDDLE_STREAM(_ZNSi10_M_extractItEERSiRT_)
HEDDLE_STREAM(_ZNSi10_M_extractIxEERSiRT_)
HEDDLE_STREAM(_ZNSi10_M_extractIyEERSiRT_)
HEDDLE_STREAM(_ZNSi10_M_extractIbEERSiRT_)
HEDDLE_STREAM(_ZNSi10_M_extractIfEERSiRT_)
HEDDLE_STREAM(_ZNSi10_M_extractIdEERSiRT_)
HEDDLE_STREAM(_ZNSi10_M_extractIeEERSiRT_)
HEDDLE_STREAM(_ZNSi10_M_extractIPvEERSiRT_)
HEDDLE_STREAM(_ZNSi3getEv)
HEDDLE_STREAM(_ZNSi3getERc)
HEDDLE_STREAM(_ZNSi4readEPcl)
HEDDLE_STREAM(_ZNSi7getlineEPcl)
HEDDLE_STREAM(_ZNSi7getlineEPclc)
HEDDLE_STREAM(_ZStrsIcSt11char_traitsIcEERSt13basic_istreamIT_T0_ES6_RS3_)
HEDDLE_STREAM(_ZStrsIcSt11char_traitsIcESaIcEERSt13basic_istreamIT_T0_ES7_RNSt7__cxx1112basic_stringIS4_S5_T1_EE)
HEDDLE_STREAM(_ZSt7getlineIcSt11char_traitsIcESaIcEERSt13basic_istreamIT_T0_ES7_RNSt7__cxx1112basic_stringIS4_S5_T1_EE)
HEDDLE_STREAM(
    _ZSt7getlineIcSt11char_traitsIcESaIcEERSt13basic_istreamIT_T0_ES7_RNSt7__cxx1112basic_stringIS4_S5_T1_EES4_)
