// <heddle/heddle.h> and the names that verification competitions use for the same things.
#include <heddle/heddle.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "program/native/outcomes.hpp"
#include "program/native/real.hpp"
#include "program/native/runtime.hpp"
#include "program/native/section.hpp"

using namespace heddle;          // NOLINT: this file is nothing but definitions in C's own namespace
using namespace heddle::native;  // NOLINT

namespace {

constexpr int kMostValues = 256;

Outcome choose(int n, std::uint64_t site) {
  if (n < 1) fail(FindingKind::Assertion, "heddle_choose needs at least one value to choose from", site);
  if (n > kMostValues && !rt.settings.recorded_choices) {
    refuse(Refusal::Unsupported, "a choice of " + std::to_string(n) + " values is more than the " +
                                     std::to_string(kMostValues) + " that are explored one by one");
  }
  return reach({.kind = OpKind::Choose, .size = static_cast<std::uint32_t>(n), .site = site});
}

[[noreturn]] void too_many_values(const char* function) {
  refuse(Refusal::Unsupported,
         std::string(function) + " has more than " + std::to_string(kMostValues) +
             " values: they cannot be explored one by one; `heddle check --symbolic` covers all of them");
}

// An input of more values than are explored one by one. In replay it is recorded as choices of 65536, the upper ones
// first.
std::uint64_t recorded_input(unsigned bits, const char* function, std::uint64_t site) {
  if (!rt.settings.recorded_choices) too_many_values(function);
  std::uint64_t value = 0;
  for (unsigned taken = 0; taken < bits; taken += 16) value = (value << 16U) | choose(65536, site);
  return value;
}

}  // namespace

HEDDLE_INTERCEPT int heddle_choose(int n) { return rt.inside ? static_cast<int>(choose(n, HEDDLE_SITE)) : 0; }

HEDDLE_INTERCEPT void heddle_assume_that(int condition) {
  if (condition != 0) return;
  if (rt.inside) abandon();
  std::exit(0);
}

HEDDLE_INTERCEPT void heddle_assertion_failed(const char* expression, const char* file, int line) {
  if (rt.inside) {
    OutsideProgram outside;
    fail(FindingKind::Assertion, "assertion `" + std::string(expression) + "` failed", HEDDLE_SITE);
  }
  std::fprintf(stderr, "%s:%d: assertion `%s` failed\n", file, line, expression);
  std::abort();
}

HEDDLE_INTERCEPT void heddle_atomic_begin() {
  if (rt.inside) enter_section(HEDDLE_SITE);
}
HEDDLE_INTERCEPT void heddle_atomic_end() {
  if (!rt.inside) return;
  if (rt.current->atomic_depth == 0) {
    fail(FindingKind::LockMisuse, "heddle_atomic_end without heddle_atomic_begin", HEDDLE_SITE);
  }
  leave_section();
}

HEDDLE_INTERCEPT void __VERIFIER_assume(int condition) { heddle_assume_that(condition); }
HEDDLE_INTERCEPT void __VERIFIER_atomic_begin() { heddle_atomic_begin(); }
HEDDLE_INTERCEPT void __VERIFIER_atomic_end() { heddle_atomic_end(); }
HEDDLE_INTERCEPT bool __VERIFIER_nondet_bool() { return rt.inside && choose(2, HEDDLE_SITE) != 0; }
HEDDLE_INTERCEPT signed char __VERIFIER_nondet_char() {
  return rt.inside ? static_cast<signed char>(choose(kMostValues, HEDDLE_SITE)) : static_cast<signed char>(0);
}
HEDDLE_INTERCEPT unsigned char __VERIFIER_nondet_uchar() {
  return rt.inside ? static_cast<unsigned char>(choose(kMostValues, HEDDLE_SITE)) : static_cast<unsigned char>(0);
}

#define HEDDLE_LARGE_NONDET(type, name)                                                                  \
  HEDDLE_INTERCEPT type __VERIFIER_nondet_##name() {                                                     \
    if (!rt.inside) return 0;                                                                            \
    return static_cast<type>(recorded_input(8 * sizeof(type), "__VERIFIER_nondet_" #name, HEDDLE_SITE)); \
  }
HEDDLE_LARGE_NONDET(short, short)
HEDDLE_LARGE_NONDET(unsigned short, ushort)
HEDDLE_LARGE_NONDET(int, int)
HEDDLE_LARGE_NONDET(unsigned, uint)
HEDDLE_LARGE_NONDET(long, long)
HEDDLE_LARGE_NONDET(unsigned long, ulong)
