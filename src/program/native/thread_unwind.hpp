// pthread_exit: leaves every function of the thread, running cleanup handlers and destructors on the way.
#pragma once

namespace heddle::native {

[[noreturn]] void unwind_thread();

}  // namespace heddle::native
