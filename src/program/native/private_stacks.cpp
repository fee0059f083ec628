#include "program/native/private_stacks.hpp"

#include <sys/mman.h>
#include <sys/syscall.h>

#include "base/contract.hpp"
#include "program/native/raw_syscall.hpp"

namespace heddle::native {

std::uint64_t* shared_stacks = nullptr;

void prepare_private_stacks() {
  const long at = raw_syscall(SYS_mmap, 0, kMaxThreads * sizeof(std::uint64_t), PROT_READ | PROT_WRITE,
                              MAP_SHARED | MAP_ANONYMOUS, ~std::uint64_t{0}, 0);
  HEDDLE_REQUIRE(at > 0, "cannot map memory for what is known about stacks");
  shared_stacks = reinterpret_cast<std::uint64_t*>(at);
  std::fill_n(shared_stacks, kMaxThreads, kNotShared);
}

}  // namespace heddle::native
