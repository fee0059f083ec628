// Where on the heap locks, semaphores and the like have been, as a search has found out where all accesses are visible:
// an operation on one of them conflicts with no access to memory, and so not with freeing the block that it is in. The
// free of a block that has had one therefore depends on everything; that of any other only on accesses to its memory.
// As with shared_stacks.hpp, the search begins anew when it finds out, so that the same free is the same event in all
// that counts.
#pragma once

#include <cstddef>
#include <cstdint>

#include "model/operation.hpp"

namespace heddle::native {

// An operation is announced.
void learn_heap_objects(const Operation& op);
// Whether the end of this block's life, or the beginning of the next, may concern such an object.
[[nodiscard]] bool may_hold_objects(std::uint64_t block, std::size_t size);

}  // namespace heddle::native
