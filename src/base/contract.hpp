// Contracts. A broken one is a defect of Heddle itself, never of the program under test: it stays on in release builds,
// because a search that goes on after a broken invariant could pass over a bug in silence.
#pragma once

namespace heddle {

// Called with the place and the sentence of a broken contract; must not return. Replaced by the worker process, which
// reports over its channel; the default prints to stderr and exits with status 70.
using ContractHandler = void (*)(const char* file, int line, const char* sentence);
void set_contract_handler(ContractHandler handler) noexcept;

[[noreturn, gnu::cold]] void broken_contract(const char* file, int line, const char* sentence) noexcept;

}  // namespace heddle

#define HEDDLE_REQUIRE(condition, sentence)                                        \
  do {                                                                             \
    if (__builtin_expect(!(condition), 0)) {                                       \
      ::heddle::broken_contract(__FILE__, __LINE__, sentence " [" #condition "]"); \
    }                                                                              \
  } while (false)
