// The runtime's own heap, apart from the program's: what searches and the runtime allocate must survive when the
// program's memory is put back. Size classes with free lists over one growing window; one OS thread, so no locks.
#include "program/native/runtime_heap.hpp"

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <new>

#include "base/contract.hpp"
#include "base/ids.hpp"
#include "program/native/layout.hpp"

namespace heddle::native {
namespace {

constexpr std::uint64_t kWindow = 0x80'0000'0000;
constexpr std::uint64_t kFixedPlace = 0x40'0000;  // bytes of each
constexpr std::uint64_t kFixedPlaces = kRuntimeHeap + kWindow - kMaxThreads * kFixedPlace;
constexpr std::size_t kSmallest = 32;

struct Header {
  std::uint64_t size_class;
  Header* next;  // while on a free list
};
static_assert(sizeof(Header) == 16);

struct RuntimeHeap {
  std::uint64_t end = 0;
  std::uint64_t place = 0;  // in a fixed one; 0: in none
  std::array<Header*, 48> free_lists{};
};
constinit RuntimeHeap heap;

}  // namespace

void* runtime_allocate(std::size_t size) noexcept {
  const std::size_t wanted = std::bit_ceil((size < kSmallest ? kSmallest : size) + sizeof(Header));
  const auto size_class = static_cast<std::size_t>(std::countr_zero(wanted));
  if (Header* header = heap.free_lists[size_class]; header != nullptr && heap.place == 0) {
    heap.free_lists[size_class] = header->next;
    return header + 1;
  }
  if (heap.end == 0) {
    HEDDLE_REQUIRE(reserve(kRuntimeHeap, kWindow), "cannot reserve the runtime's heap");
    heap.end = kRuntimeHeap;
  }
  std::uint64_t& end = heap.place == 0 ? heap.end : heap.place;
  const std::uint64_t limit = heap.place == 0 ? kFixedPlaces : (heap.place / kFixedPlace + 1) * kFixedPlace;
  HEDDLE_REQUIRE(end + wanted <= limit, "the runtime's heap is exhausted");
  auto* header = reinterpret_cast<Header*>(end);
  end += wanted;
  header->size_class = size_class;
  return header + 1;
}

void runtime_free(void* pointer) noexcept {
  if (pointer == nullptr) return;
  Header* header = static_cast<Header*>(pointer) - 1;
  header->next = heap.free_lists[header->size_class];
  heap.free_lists[header->size_class] = header;
}

std::size_t runtime_usable_size(void* pointer) noexcept {
  return (std::size_t{1} << (static_cast<Header*>(pointer) - 1)->size_class) - sizeof(Header);
}

bool in_runtime_heap(const void* pointer) noexcept {
  const auto address = reinterpret_cast<std::uint64_t>(pointer);
  return address >= kRuntimeHeap && address < kRuntimeHeap + kWindow;
}

// Not all at the same offset: they would compete for the same lines of the cache.
FixedPlace::FixedPlace(std::uint16_t number) noexcept {
  constexpr std::uint64_t kLines = 71;
  heap.place = kFixedPlaces + number * kFixedPlace + number % 64 * kLines * 64;
}
FixedPlace::~FixedPlace() { heap.place = 0; }

}  // namespace heddle::native

// The linker diverts every `new`, `delete` and allocation of this library and of the C++ library inside it here
// (--wrap): the plain names are the program's.
using heddle::native::runtime_allocate;
using heddle::native::runtime_free;

extern "C" {

__attribute__((visibility("hidden"))) void* __wrap__Znwm(std::size_t size) { return runtime_allocate(size); }
__attribute__((visibility("hidden"))) void* __wrap__Znam(std::size_t size) { return runtime_allocate(size); }
__attribute__((visibility("hidden"))) void* __wrap__ZnwmRKSt9nothrow_t(std::size_t size, const std::nothrow_t&) {
  return runtime_allocate(size);
}
__attribute__((visibility("hidden"))) void __wrap__ZdlPv(void* pointer) { runtime_free(pointer); }
__attribute__((visibility("hidden"))) void __wrap__ZdaPv(void* pointer) { runtime_free(pointer); }
__attribute__((visibility("hidden"))) void __wrap__ZdlPvm(void* pointer, std::size_t) { runtime_free(pointer); }
__attribute__((visibility("hidden"))) void __wrap__ZdaPvm(void* pointer, std::size_t) { runtime_free(pointer); }
__attribute__((visibility("hidden"))) void __wrap__ZdlPvRKSt9nothrow_t(void* pointer, const std::nothrow_t&) {
  runtime_free(pointer);
}
__attribute__((visibility("hidden"))) void* __wrap_malloc(std::size_t size) { return runtime_allocate(size); }
__attribute__((visibility("hidden"))) void* __wrap_calloc(std::size_t count, std::size_t size) {
  void* block = runtime_allocate(count * size);
  std::memset(block, 0, count * size);
  return block;
}
__attribute__((visibility("hidden"))) void* __wrap_realloc(void* old, std::size_t size) {
  void* block = runtime_allocate(size);
  if (old != nullptr) {
    const std::size_t kept = heddle::native::runtime_usable_size(old);
    std::memcpy(block, old, kept < size ? kept : size);
    runtime_free(old);
  }
  return block;
}
// What libc allocated for us (before main, say) may come back here.
__attribute__((visibility("hidden"))) void __wrap_free(void* pointer) {
  if (heddle::native::in_runtime_heap(pointer)) runtime_free(pointer);
}
}
