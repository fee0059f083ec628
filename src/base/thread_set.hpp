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

  constexpr void insert(ThreadId thread) noexcept { words_[word(thread)] |= bit(thread); }
  constexpr void erase(ThreadId thread) noexcept { words_[word(thread)] &= ~bit(thread); }
  [[nodiscard]] constexpr bool contains(ThreadId thread) const noexcept {
    return (words_[word(thread)] & bit(thread)) != 0;
  }
  [[nodiscard]] constexpr bool empty() const noexcept {
    for (const std::uint64_t w : words_) {
      if (w != 0) return false;
    }
    return true;
  }
  [[nodiscard]] constexpr std::size_t size() const noexcept {
    std::size_t count = 0;
    for (const std::uint64_t w : words_) count += static_cast<std::size_t>(std::popcount(w));
    return count;
  }
  constexpr void clear() noexcept { words_.fill(0); }

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
    for (std::size_t i = word(thread) + 1; i < kWords; ++i) below.words_[i] = 0;
    return below.last();
  }
  // The member with the highest number, or nothing.
  [[nodiscard]] constexpr std::optional<ThreadId> last() const noexcept {
    for (std::size_t i = kWords; i-- > 0;) {
      if (words_[i] != 0) {
        return ThreadId{
            static_cast<std::uint16_t>(i * 64 + 63 - static_cast<std::size_t>(std::countl_zero(words_[i])))};
      }
    }
    return std::nullopt;
  }

  friend constexpr bool operator==(const ThreadSet&, const ThreadSet&) = default;

 private:
  static constexpr std::size_t word(ThreadId thread) noexcept { return thread.value / 64; }
  static constexpr std::uint64_t bit(ThreadId thread) noexcept { return std::uint64_t{1} << (thread.value % 64); }

  [[nodiscard]] constexpr std::optional<ThreadId> at_or_after(std::size_t from) const noexcept {
    if (from >= kMaxThreads) return std::nullopt;
    std::size_t i = from / 64;
    std::uint64_t rest = words_[i] & (~std::uint64_t{0} << (from % 64));
    while (rest == 0) {
      if (++i == kWords) return std::nullopt;
      rest = words_[i];
    }
    return ThreadId{static_cast<std::uint16_t>(i * 64 + static_cast<std::size_t>(std::countr_zero(rest)))};
  }

  std::array<std::uint64_t, kWords> words_{};
};

}  // namespace heddle
