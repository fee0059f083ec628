// The bytes of a checkpoint: written in one order and read back in the same. Grows to the largest checkpoint there was
// and is then used again, so that taking one allocates nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <type_traits>
#include <vector>

#include "base/contract.hpp"

namespace heddle::native {

class CheckpointBuffer {
 public:
  // Begins anew, with room for this much.
  void clear(std::size_t room) {
    if (room > capacity_) {
      capacity_ = room + room / 4;
      bytes_.reset(new unsigned char[capacity_]);
    }
    end_ = 0;
  }
  void shrink() {
    constexpr std::size_t kWorthKeeping = std::size_t{1} << 16U;
    if (capacity_ <= kWorthKeeping) return;
    bytes_.reset();
    capacity_ = end_ = 0;
  }
  [[nodiscard]] std::size_t size() const noexcept { return end_; }
  [[nodiscard]] const unsigned char* data() const noexcept { return bytes_.get(); }

  void put_bytes(const void* from, std::size_t size) {
    HEDDLE_REQUIRE(size <= capacity_ - end_, "a checkpoint is larger than what was counted for it");
    std::memcpy(bytes_.get() + end_, from, size);
    end_ += size;
  }
  template <typename T>
  void put(const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    put_bytes(&value, sizeof value);
  }
  template <typename T>
  void put(const std::vector<T>& values) {
    static_assert(std::is_trivially_copyable_v<T>);
    put(values.size());
    put_bytes(values.data(), values.size() * sizeof(T));
  }
  template <typename T>
  [[nodiscard]] static std::size_t room_for(const std::vector<T>& values) noexcept {
    return sizeof(std::size_t) + values.size() * sizeof(T);
  }

 private:
  std::unique_ptr<unsigned char[]> bytes_;
  std::size_t capacity_ = 0;
  std::size_t end_ = 0;
};

class CheckpointReader {
 public:
  explicit CheckpointReader(const CheckpointBuffer& buffer) noexcept
      : next_(buffer.data()), end_(buffer.data() + buffer.size()) {}

  void get_bytes(void* to, std::size_t size) { std::memcpy(to, take(size), size); }
  // The next bytes, where they stand.
  const unsigned char* take(std::size_t size) {
    HEDDLE_REQUIRE(size <= static_cast<std::size_t>(end_ - next_), "a checkpoint ends before what should be in it");
    const unsigned char* at = next_;
    next_ += size;
    return at;
  }
  template <typename T>
  void get(T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    get_bytes(&value, sizeof value);
  }
  template <typename T>
  void get(std::vector<T>& values) {
    std::size_t count = 0;
    get(count);
    values.resize(count);
    get_bytes(values.data(), count * sizeof(T));
  }
  [[nodiscard]] bool at_end() const noexcept { return next_ == end_; }

 private:
  const unsigned char* next_;
  const unsigned char* end_;
};

}  // namespace heddle::native
