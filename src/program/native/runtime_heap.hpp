// The runtime's own heap; see runtime_heap.cpp.
#pragma once

#include <cstddef>

namespace heddle::native {

[[nodiscard]] void* runtime_allocate(std::size_t size) noexcept;
void runtime_free(void* pointer) noexcept;
[[nodiscard]] std::size_t runtime_usable_size(void* pointer) noexcept;
[[nodiscard]] bool in_runtime_heap(const void* pointer) noexcept;

}  // namespace heddle::native
