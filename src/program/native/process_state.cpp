#include "program/native/process_state.hpp"

#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <vector>

#include "program/native/process_objects.hpp"
#include "program/native/raw_syscall.hpp"
#include "program/native/runtime.hpp"

namespace heddle::native {

constinit ProcessObjects process_objects;

void process_objects_reset() noexcept {
  static constexpr ProcessObjects kFresh{};
  if (process_objects.used) process_objects = kFresh;
}

namespace {

constexpr std::size_t kOutputKept = 16 * 1024;

struct MappedRange {
  std::uint64_t address;
  std::uint64_t length;
};

struct ProcessState {
  std::vector<int> descriptors;
  std::vector<int> protected_descriptors;
  std::vector<MappedRange> mapped;
  bool input_captured = false;
  bool* captured = &input_captured;
  int shared_input = -1;
  std::string output;
  const char* fresh_process = nullptr;
};
ProcessState state;

std::uint64_t number(int descriptor) { return static_cast<std::uint64_t>(descriptor); }

}  // namespace

void process_state_reset() {
  process_objects_reset();
  for (const int descriptor : state.descriptors) raw_syscall(SYS_close, number(descriptor));
  state.descriptors.clear();
  for (const MappedRange& range : state.mapped) raw_syscall(SYS_munmap, range.address, range.length);
  state.mapped.clear();
  if (*state.captured) {
    if (state.shared_input >= 0) raw_syscall(SYS_dup2, number(state.shared_input), STDIN_FILENO);
    raw_syscall(SYS_lseek, STDIN_FILENO, 0, SEEK_SET);
  }
  state.output.clear();
}

bool process_state_untouched() noexcept {
  return !process_objects.used && state.descriptors.empty() && state.mapped.empty() && !*state.captured &&
         state.fresh_process == nullptr;
}

void descriptor_opened(int descriptor) {
  OutsideProgram outside;
  state.descriptors.push_back(descriptor);
}

void descriptor_closed(int descriptor) { std::erase(state.descriptors, descriptor); }

void protect_descriptor(int descriptor) { state.protected_descriptors.push_back(descriptor); }

bool is_protected(int descriptor) {
  return std::find(state.protected_descriptors.begin(), state.protected_descriptors.end(), descriptor) !=
         state.protected_descriptors.end();
}

void memory_mapped(std::uint64_t address, std::uint64_t length) {
  OutsideProgram outside;
  state.mapped.push_back({address, length});
}

void memory_unmapped(std::uint64_t address, std::uint64_t length) {
  // Unmapping a range twice is harmless as long as nobody else was given it, so only whole matches are forgotten.
  std::erase_if(state.mapped, [&](const MappedRange& range) {
    return range.address >= address && range.address + range.length <= address + length;
  });
}

void capture_standard_input() {
  if (*state.captured) return;
  *state.captured = true;
  const long memory =
      state.shared_input >= 0 ? state.shared_input : raw_syscall(SYS_memfd_create, word("heddle-input"), 0);
  std::array<char, 4096> buffer;
  for (;;) {
    const long got = raw_syscall(SYS_read, STDIN_FILENO, word(buffer.data()), buffer.size());
    if (got <= 0) break;
    raw_syscall(SYS_write, static_cast<std::uint64_t>(memory), word(buffer.data()), static_cast<std::uint64_t>(got));
  }
  raw_syscall(SYS_lseek, static_cast<std::uint64_t>(memory), 0, SEEK_SET);
  raw_syscall(SYS_dup2, static_cast<std::uint64_t>(memory), STDIN_FILENO);
  if (state.shared_input < 0) raw_syscall(SYS_close, static_cast<std::uint64_t>(memory));
}

void share_standard_input(bool& captured) {
  state.captured = &captured;
  state.shared_input = static_cast<int>(raw_syscall(SYS_memfd_create, word("heddle-input"), 0));
  protect_descriptor(state.shared_input);
}

void keep_output(const char* text, std::size_t size) {
  OutsideProgram outside;
  state.output.append(text, std::min(size, kOutputKept - std::min(kOutputKept, state.output.size())));
}

const std::string& kept_output() { return state.output; }

void needs_fresh_process(const char* what) {
  if (state.fresh_process == nullptr) state.fresh_process = what;
}

const char* fresh_process_reason() { return state.fresh_process; }

}  // namespace heddle::native
