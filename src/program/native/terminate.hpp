// std::terminate: an exception nobody catches, or one of the other ways in which a C++ program gives up.
#pragma once

namespace heddle::native {

// Puts our handler where the program's C++ library has its default one; called before the snapshot.
void install_terminate_handler();

}  // namespace heddle::native
