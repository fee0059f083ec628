// What happens when the program calls the runtime: see runtime_entry_x86_64.cpp.
#pragma once

#include <cstdint>

extern "C" std::uint8_t heddle_clear_at_entry;  // a search over states
