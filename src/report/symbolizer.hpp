// Turns addresses of a process that may be gone into source lines, through inlining, and into names of variables.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace heddle {

struct LoadedModule {
  std::string file;
  std::uint64_t begin;
  std::uint64_t end;
  std::uint64_t offset;
};

struct Frame {
  std::string file;  // empty if unknown
  int line = 0;
  std::string function;
  std::string module;
  bool in_program = false;  // neither the runtime nor a header or library of the system
};

class Symbolizer {
 public:
  explicit Symbolizer(const std::vector<LoadedModule>& modules);
  ~Symbolizer();
  Symbolizer(const Symbolizer&) = delete;
  Symbolizer& operator=(const Symbolizer&) = delete;

  // The functions at a return address, innermost (inlined) first; never empty.
  [[nodiscard]] const std::vector<Frame>& frames(std::uint64_t return_address);

  // The variable that contains an address ("table[2].lock"), or nothing.
  [[nodiscard]] std::string variable(std::uint64_t address);

 private:
  struct Session;
  std::unique_ptr<Session> session_;
};

}  // namespace heddle
