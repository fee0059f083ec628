// Cycles for random programs: the generator's programs all end, these need not.
#pragma once

#include "differential/generator.hpp"

namespace heddle::differential {

// A program of the family with loops added: threads that begin again for ever or while a variable has some value, spins
// that wait for a value, spins on a try-lock or a compare-exchange. Loops contain a visible operation on every way
// round. Threads that create others are left as they are.
[[nodiscard]] toy::ToyCode generate_with_loops(Family family, std::uint64_t seed, GeneratorOptions options = {});

}  // namespace heddle::differential
