// Threads of programs whose states are compared: everything that the runtime needs for them is made beforehand, so that
// no state depends on whether an earlier execution had made it, and processes forked from this one agree on it.
#pragma once

namespace heddle::native {

// Makes room for all threads there can be. From here on processes give a new thread the same number.
void prepare_threads();

}  // namespace heddle::native
