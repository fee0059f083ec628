// The runtime's own heap; see runtime_heap.cpp.
#pragma once

#include <cstddef>
#include <cstdint>

namespace heddle::native {

[[nodiscard]] void* runtime_allocate(std::size_t size) noexcept;
void runtime_free(void* pointer) noexcept;
[[nodiscard]] std::size_t runtime_usable_size(void* pointer) noexcept;
[[nodiscard]] bool in_runtime_heap(const void* pointer) noexcept;

// While it lives, what is allocated has a place of its own, by number, that is the same in every process whatever was
// allocated before. For once each.
class FixedPlace {
 public:
  explicit FixedPlace(std::uint16_t number) noexcept;
  ~FixedPlace();
  FixedPlace(const FixedPlace&) = delete;
  FixedPlace& operator=(const FixedPlace&) = delete;
};

}  // namespace heddle::native
