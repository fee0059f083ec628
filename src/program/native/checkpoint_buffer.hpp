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
#include "program/native/own_memory.hpp"

namespace heddle::native {

class CheckpointBuffer {
 public:
  static constexpr std::size_t kAligned = 64;  // a line of the cache: copies to and from such places are fastest

  // Begins anew, with room for this much.
  void clear(std::size_t room) {
    if (room > capacity_) {
      capacity_ = room + room / 4;
      bytes_.reset(new unsigned char[capacity_ + kAligned]);
      const auto address = reinterpret_cast<std::uintptr_t>(bytes_.get());
      begin_ = bytes_.get() + (kAligned - address % kAligned) % kAligned;
    }
    end_ = 0;
  }
  void shrink() {
    constexpr std::size_t kWorthKeeping = std::size_t{1} << 16U;
    if (capacity_ <= kWorthKeeping) return;
    bytes_.reset();
    begin_ = nullptr;
    capacity_ = end_ = 0;
  }
  [[nodiscard]] std::size_t size() const noexcept { return end_; }
  [[nodiscard]] const unsigned char* data() const noexcept { return begin_; }

  void put_bytes(const void* from, std::size_t size) { copy_block(room(size), from, size); }
  // Where the next bytes go.
  [[nodiscard]] unsigned char* room(std::size_t size) {
    HEDDLE_REQUIRE(size <= capacity_ - end_, "a checkpoint is larger than what was counted for it");
    unsigned char* const at = begin_ + end_;
    end_ += size;
    return at;
  }
  void align() {
    const std::size_t unused = (kAligned - end_ % kAligned) % kAligned;
    std::memset(room(unused), 0, unused);  // checkpoints are compared
  }
  template <typename T>
  void put(const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    if constexpr (sizeof(T) <= 16) {
      __builtin_memcpy(room(sizeof(T)), &value, sizeof(T));
    } else {
      put_bytes(&value, sizeof(T));
    }
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
  unsigned char* begin_ = nullptr;  // the first aligned one of them
  std::size_t capacity_ = 0;
  std::size_t end_ = 0;
};

class CheckpointReader {
 public:
  explicit CheckpointReader(const CheckpointBuffer& buffer) noexcept
      : begin_(buffer.data()), next_(begin_), end_(begin_ + buffer.size()) {}

  void get_bytes(void* to, std::size_t size) { copy_block(to, take(size), size); }
  void align() {
    constexpr std::size_t kAligned = CheckpointBuffer::kAligned;
    take((kAligned - static_cast<std::size_t>(next_ - begin_) % kAligned) % kAligned);
  }
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
    if constexpr (sizeof(T) <= 16) {
      __builtin_memcpy(&value, take(sizeof(T)), sizeof(T));
    } else {
      get_bytes(&value, sizeof(T));
    }
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
  const unsigned char* begin_;
  const unsigned char* next_;
  const unsigned char* end_;
};

}  // namespace heddle::native
