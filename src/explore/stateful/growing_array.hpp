// An array that grows in place, in memory shared with the processes forked later. Room for the most it may hold is
// reserved at once; memory is taken as it is touched.
#pragma once

#include <cstdint>
#include <type_traits>

#include "base/archive.hpp"
#include "base/contract.hpp"
#include "explore/stateful/processes.hpp"

namespace heddle {

template <typename T>
class GrowingArray {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  GrowingArray(const Processes& processes, std::uint64_t most_bytes)
      : processes_(processes), bytes_(most_bytes + kHeader), memory_(processes.map(bytes_)) {
    HEDDLE_REQUIRE(memory_ != nullptr, "no room for the states of a search: --max-memory reserves it");
  }
  ~GrowingArray() { processes_.unmap(memory_, bytes_); }
  GrowingArray(const GrowingArray&) = delete;
  GrowingArray& operator=(const GrowingArray&) = delete;

  [[nodiscard]] std::uint64_t size() const { return *static_cast<const volatile std::uint64_t*>(memory_); }
  [[nodiscard]] std::uint64_t bytes() const { return size() * sizeof(T); }
  [[nodiscard]] bool has_room(std::uint64_t more) const { return kHeader + bytes() + more * sizeof(T) <= bytes_; }
  [[nodiscard]] T* data() { return reinterpret_cast<T*>(static_cast<char*>(memory_) + kHeader); }
  [[nodiscard]] const T* data() const { return reinterpret_cast<const T*>(static_cast<char*>(memory_) + kHeader); }
  T& operator[](std::uint64_t at) { return data()[at]; }
  const T& operator[](std::uint64_t at) const { return data()[at]; }

  // Elements at the end, zeroed unless there were some before; the index of the first.
  std::uint64_t grow(std::uint64_t more) {
    HEDDLE_REQUIRE(has_room(more), "an array of a state search outgrew its reserve");
    const std::uint64_t first = size();
    *static_cast<std::uint64_t*>(memory_) = first + more;
    return first;
  }
  void push_back(const T& element) {
    const std::uint64_t at = grow(1);
    data()[at] = element;
  }
  void clear() { *static_cast<std::uint64_t*>(memory_) = 0; }

  // Read back by an array that is as it was made.
  void archive(Archive& archive) {
    const std::uint64_t wanted = archive.length(size(), sizeof(T));
    if (archive.reading()) {
      if (wanted < size() || !has_room(wanted - size())) return archive.refuse();
      grow(wanted - size());
    }
    archive.bytes(data(), wanted * sizeof(T));
  }

 private:
  static constexpr std::uint64_t kHeader = 64;
  const Processes& processes_;
  std::uint64_t bytes_;
  void* memory_;
};

}  // namespace heddle
