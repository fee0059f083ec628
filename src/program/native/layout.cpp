#include "program/native/layout.hpp"

#include <sys/mman.h>
#include <sys/syscall.h>

#include "program/native/raw_syscall.hpp"

namespace heddle::native {

bool reserve(std::uint64_t address, std::uint64_t size) noexcept {
  const long got = raw_syscall(SYS_mmap, address, size, PROT_READ | PROT_WRITE,
                               MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, ~std::uint64_t{0}, 0);
  return got == static_cast<long>(address);
}

}  // namespace heddle::native
