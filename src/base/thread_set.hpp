// A set of threads as a fixed bitset. Operations touch only the words below the capacity in use, so small programs pay
// for one word.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <optional>

#include "base/ids.hpp"

namespace heddle {

class ThreadSet {
 public:
  static constexpr std::size_t kWords = kMaxThreads / 64;

  constexpr void insert(ThreadId thread) noexcept {
    words_[word(thread)] |= bit(thread);
    if (word(thread) >= used_) used_ = static_cast<std::uint32_t>(word(thread)) + 1;
  }
  constexpr void erase(ThreadId thread) noexcept { words_[word(thread)] &= ~bit(thread); }
  [[nodiscard]] constexpr bool contains(ThreadId thread) const noexcept {
    return (words_[word(thread)] & bit(thread)) != 0;
  }
  [[nodiscard]] constexpr bool empty() const noexcept {
    for (std::size_t i = 0; i < used_; ++i) {
      if (words_[i] != 0) return false;
    }
    return true;
  }
  [[nodiscard]] constexpr std::size_t size() const noexcept {
    std::size_t count = 0;
    for (std::size_t i = 0; i < used_; ++i) count += static_cast<std::size_t>(std::popcount(words_[i]));
    return count;
  }
  constexpr void clear() noexcept {
    for (std::size_t i = 0; i < used_; ++i) words_[i] = 0;
  }

  // Whether there are two members or more.
  [[nodiscard]] constexpr bool has_several() const noexcept {
    bool one = false;
    for (std::size_t i = 0; i < used_; ++i) {
      if (words_[i] == 0) continue;
      if (one || (words_[i] & (words_[i] - 1)) != 0) return true;
      one = true;
    }
    return false;
  }
  // Calls `visit` with each member, by number.
  template <typename Visit>
  constexpr void for_each(Visit visit) const {
    for (std::size_t i = 0; i < used_; ++i) {
      for (std::uint64_t rest = words_[i]; rest != 0; rest &= rest - 1) {
        visit(ThreadId{static_cast<std::uint16_t>(i * 64 + static_cast<std::size_t>(std::countr_zero(rest)))});
      }
    }
  }

  // The member with the lowest number, or nothing.
  [[nodiscard]] constexpr std::optional<ThreadId> first() const noexcept { return at_or_after(0); }
  // The member with the lowest number above `thread`, or nothing.
  [[nodiscard]] constexpr std::optional<ThreadId> after(ThreadId thread) const noexcept {
    return at_or_after(static_cast<std::size_t>(thread.value) + 1);
  }
  // The member with the highest number below `thread`, or nothing.
  [[nodiscard]] constexpr std::optional<ThreadId> before(ThreadId thread) const noexcept {
    ThreadSet below = *this;
    below.words_[word(thread)] &= bit(thread) - 1;
    for (std::size_t i = word(thread) + 1; i < used_; ++i) below.words_[i] = 0;
    return below.last();
  }
  // The member with the highest number, or nothing.
  [[nodiscard]] constexpr std::optional<ThreadId> last() const noexcept {
    for (std::size_t i = used_; i-- > 0;) {
      if (words_[i] != 0) {
        return ThreadId{
            static_cast<std::uint16_t>(i * 64 + 63 - static_cast<std::size_t>(std::countl_zero(words_[i])))};
      }
    }
    return std::nullopt;
  }

  friend constexpr bool operator==(const ThreadSet& a, const ThreadSet& b) noexcept { return a.words_ == b.words_; }

 private:
  static constexpr std::size_t word(ThreadId thread) noexcept { return thread.value / 64; }
  static constexpr std::uint64_t bit(ThreadId thread) noexcept { return std::uint64_t{1} << (thread.value % 64); }

  [[nodiscard]] constexpr std::optional<ThreadId> at_or_after(std::size_t from) const noexcept {
    std::size_t i = from / 64;
    if (i >= used_) return std::nullopt;
    std::uint64_t rest = words_[i] & (~std::uint64_t{0} << (from % 64));
    while (rest == 0) {
      if (++i == used_) return std::nullopt;
      rest = words_[i];
    }
    return ThreadId{static_cast<std::uint16_t>(i * 64 + static_cast<std::size_t>(std::countr_zero(rest)))};
  }

  std::array<std::uint64_t, kWords> words_{};
  std::uint32_t used_ = 1;  // words from here on are empty
};

}  // namespace heddle
