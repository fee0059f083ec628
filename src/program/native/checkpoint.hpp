// A state of the program to come back to without running what led there: everything that an execution changes, except
// the race check's state, which goes back by its own log (undo_log.hpp).
//
// In it are the pages written so far, the heap's regions, the live part of every stack, thread-local storage, what the
// runtime keeps about threads and keys, and a few fields of the runtime. Not in it, and so checkpoints are not taken
// while there is such a thing: objects of the process (process_objects.hpp), open descriptors, mappings, captured
// standard input, libraries loaded on the way, threads that were given up on. Virtual time is kept with the clocks (see
// NativeProgram::may_go_back).
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "program/native/checkpoint_buffer.hpp"

namespace heddle::native {

class Checkpoint {
 public:
  // Whether the state as it is, between two steps, can be kept.
  [[nodiscard]] static bool possible();
  // The bytes that takes at most; nothing if it cannot be kept.
  [[nodiscard]] static std::optional<std::size_t> room();
  // Keeps it, with the room asked for just before.
  void save(std::size_t room);
  void restore() const;
  // It will not be restored any more; memory of an unusual size is given back.
  void shrink() { buffer_.shrink(); }

  [[nodiscard]] std::size_t size() const noexcept { return buffer_.size(); }
  // Whether globals, heap and thread-local storage are the same in both. Stacks are left out: bytes in them that nobody
  // will read again depend on how the state was reached.
  [[nodiscard]] bool same_memory(const Checkpoint& other) const noexcept;

 private:
  CheckpointBuffer buffer_;
  std::size_t memory_ = 0;  // where pages, heap and thread-local storage begin
  std::size_t stacks_ = 0;  // where stacks begin
};

}  // namespace heddle::native
