// The state of the race check (history of memory, what objects have released, what threads know) goes back with the
// search instead of being built anew in each execution.
//
// A search runs a prefix of choices that it has run before, and then something new. In the prefix nothing can be found
// that was not found the first time, so nothing is checked there (Runtime::checked); but what follows is checked
// against what the prefix did. So every change of that state saves what it overwrites, here, and going back to a depth
// puts it back.
//
// What is saved are plain bytes at addresses that stay. Each object is saved once per step and carries the number of
// the step in which that was; numbers are never used twice. What cannot be undone (a table that moved, a log grown too
// large) gives the log up for this execution: the next one then begins with everything reset, and checks it all again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace heddle::native {

struct UndoLog {
  enum class State : std::uint8_t {
    Blank,    // no step has been taken since the reset: there is nothing to go back to
    Saving,   // every depth reached can be gone back to
    GivenUp,  // none can, until the next reset
  };
  State state = State::GivenUp;
  std::uint32_t step = 0;        // number of the step under way
  std::uint64_t* end = nullptr;  // of what is saved
  std::uint64_t* limit = nullptr;
};
extern UndoLog undo_log;

// Everything is reset: an execution from its beginning. True if step numbers begin at 1 again, which objects may still
// carry from earlier: these must be forgotten.
[[nodiscard]] bool undo_log_reset();
// A step begins.
void undo_log_step();
// Back to where this many steps had been taken; fewer than have been.
void undo_log_rewind(std::size_t depth) noexcept;
void undo_log_give_up() noexcept;

inline bool can_go_back() noexcept { return undo_log.state == UndoLog::State::Saving; }

// A few words.
inline void copy_words(std::uint64_t* to, const std::uint64_t* from, std::size_t count) noexcept {
  using Pair = std::uint64_t __attribute__((vector_size(16), aligned(8)));
  for (; count >= 2; count -= 2, to += 2, from += 2) {
    *reinterpret_cast<Pair*>(to) = *reinterpret_cast<const Pair*>(from);
  }
  if (count != 0) *to = *from;
}

// What is saved ends with where it came from. Addresses have 47 bits.
[[nodiscard]] inline std::uint64_t saved_from(const void* address, std::size_t count) noexcept {
  return reinterpret_cast<std::uint64_t>(address) | (static_cast<std::uint64_t>(count) << 48U);
}

// Saves words that are about to change, whose address stays the same.
inline void save_words(void* address, std::size_t count) noexcept {
  if (undo_log.state != UndoLog::State::Saving) return;
  if (static_cast<std::size_t>(undo_log.limit - undo_log.end) <= count) return undo_log_give_up();
  const auto* words = static_cast<const std::uint64_t*>(address);
  std::uint64_t* to = undo_log.end;
  copy_words(to, words, count);
  to[count] = saved_from(address, count);
  undo_log.end = to + count + 1;
}

// Whether an object, which has a member `saved`, has been saved in this step.
template <typename Object>
[[nodiscard]] bool saved_in_this_step(const Object& object) noexcept {
  return object.saved == undo_log.step;
}

// Saves an object that is about to change, unless that was done in this step.
template <typename Object>
inline void save(Object& object) noexcept {
  constexpr std::size_t kWords = sizeof(Object) / 8;
  static_assert(std::is_trivially_copyable_v<Object> && sizeof(Object) % 8 == 0 && alignof(Object) == 8);
  if (saved_in_this_step(object)) return;
  if (undo_log.state == UndoLog::State::Saving) {
    if (static_cast<std::size_t>(undo_log.limit - undo_log.end) <= kWords) [[unlikely]] {
      undo_log_give_up();
    } else {
      __builtin_memcpy(undo_log.end, &object, sizeof object);
      undo_log.end[kWords] = saved_from(&object, kWords);
      undo_log.end += kWords + 1;
    }
  }
  object.saved = undo_log.step;
}

// For fingerprints of the state.
[[nodiscard]] constexpr std::uint64_t mix(std::uint64_t hash, std::uint64_t word) noexcept {
  hash = (hash ^ word) * 0x9E3779B97F4A7C15U;
  return hash ^ (hash >> 29U);
}

}  // namespace heddle::native
