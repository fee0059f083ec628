// Toy programs as text, one instruction a line, for failure messages and for the corpus of programs that once showed
// something:
//
//     # What it once showed, in one or more lines.
//     traces 4
//     timeouts 1
//     spurious_wakeups 1
//     semaphores 1 0
//     thread
//       cas x1 0 7 r0
//       jump_if r0 0 @3
//       write x2 1
//     thread
//       lock m1
//       cond_wait c1 m1
//       unlock m1
//
// Operands carry a letter that says what they are: x memory, m mutex, l reader-writer lock, s semaphore, c condition
// variable, b barrier, t thread, r register, @ the number of an instruction of the same thread, from 0; bare numbers
// are values. The lines before the first thread may be absent; `#` starts a comment line anywhere, and those before the
// first thread are kept.
#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

#include "program/toy/toy_code.hpp"
#include "program/toy/toy_program.hpp"

namespace heddle::differential {

struct ToyText {
  std::string about;  // the comment, without the marks, lines ending in '\n'
  toy::ToyCode code;
  toy::ToyOptions options;
  std::optional<std::uint64_t> traces;  // expected
};

// Names the line.
class ToyTextError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

[[nodiscard]] std::string to_text(const ToyText& program);
[[nodiscard]] std::string to_text(const toy::ToyCode& code);
// Throws ToyTextError if the text is not of that form or the program not well formed.
[[nodiscard]] ToyText toy_from_text(std::string_view text);

}  // namespace heddle::differential
