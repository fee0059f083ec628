// Kernel state that an execution changes and that putting memory back does not reset: descriptors, mappings, the
// position in standard input.
#pragma once

#include <cstdint>
#include <string>

namespace heddle::native {

// An execution begins: what the last one opened is closed, what it mapped is unmapped.
void process_state_reset();

// Whether it is what process_state_reset leaves behind: then a checkpoint need not say anything about it.
[[nodiscard]] bool process_state_untouched() noexcept;

void descriptor_opened(int descriptor);
void descriptor_closed(int descriptor);
// Descriptors of the runtime, which the program must not close.
void protect_descriptor(int descriptor);
[[nodiscard]] bool is_protected(int descriptor);

void memory_mapped(std::uint64_t address, std::uint64_t length);
void memory_unmapped(std::uint64_t address, std::uint64_t length);

// Standard input is read: from now on it comes from memory, from its beginning in every execution.
void capture_standard_input();
// Several processes take turns: what one has captured serves all. `captured` is memory that they share.
void share_standard_input(bool& captured);

// What the program printed in this execution, kept while a finding is replayed for the report.
void keep_output(const char* text, std::size_t size);
[[nodiscard]] const std::string& kept_output();

// The program changed something of the process that only a fresh process has as it was (working directory, ...).
void needs_fresh_process(const char* what);
[[nodiscard]] const char* fresh_process_reason();

}  // namespace heddle::native
