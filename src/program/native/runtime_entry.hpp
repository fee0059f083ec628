// What happens on the stack when the program calls the runtime, and the other way round: see runtime_entry_x86_64.cpp.
#pragma once

#include <cstdint>

extern "C" {
extern std::uint8_t heddle_clear_at_entry;  // a search over states, or one that knows of loops
extern std::uint8_t heddle_clear_plain;     // the same for plain accesses that are no steps
extern std::uint8_t heddle_clear_wide;      // a search over states, and there are registers of AVX-512
void heddle_clear_before_call();
}

namespace heddle::native {

// To be called last before the program is: what the runtime has done so far leaves nothing on its stack.
inline void clear_before_call() {
  if (__builtin_expect(heddle_clear_at_entry, 0)) heddle_clear_before_call();
}

}  // namespace heddle::native
