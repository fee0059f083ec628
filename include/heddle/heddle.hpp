// The C++ face of <heddle/heddle.h>.
#pragma once

#include <heddle/heddle.h>

namespace heddle {

// Every value from 0 to n-1 is explored.
inline int choose(int n) { return heddle_choose(n); }

// Only executions in which the condition holds count.
inline void assume(bool condition) { heddle_assume_that(condition ? 1 : 0); }

// One step as long as it lives.
class AtomicSection {
 public:
  AtomicSection() { heddle_atomic_begin(); }
  ~AtomicSection() { heddle_atomic_end(); }
  AtomicSection(const AtomicSection&) = delete;
  AtomicSection& operator=(const AtomicSection&) = delete;
};

}  // namespace heddle
