// Streams of libstdc++: reading from one and writing to one changes it, in the shared library, where nobody sees it.
// Two threads that write to one string stream or file stream at once would go unnoticed. So each of the functions in
// streams/stream_entries.cpp counts as a write of what its stream's buffer keeps, and goes on to the library's own.
// std::cout and the other standard streams may be used by several threads at once ([iostream.objects.overview]).
#include <array>
#include <istream>

#include "base/contract.hpp"
#include "program/native/accesses.hpp"
#include "program/native/real.hpp"
#include "program/native/standard_streams.hpp"

namespace {

using heddle::native::find_real;

// Of input and output streams alike: where they keep it is found through the vptr.
const void* buffer_of(const void* stream) { return static_cast<const std::istream*>(stream)->rdbuf(); }

}  // namespace

// A function of this name and number is about to be called for a stream; returns the library's own.
HEDDLE_INTERCEPT void* heddle_stream_used(const void* stream, std::uint64_t site, const char* name,
                                          std::uint32_t number) {
  static std::array<void*, 64> functions{};
  HEDDLE_REQUIRE(number < functions.size(), "more functions use streams than there is room for");
  if (functions[number] == nullptr) functions[number] = find_real(name, nullptr);
  if (heddle::native::rt.inside && !heddle::native::is_standard_stream(stream)) {
    if (const void* buffer = buffer_of(stream)) {
      // Behind its vptr: where it reads and writes next.
      heddle::native::plain_access(reinterpret_cast<std::uint64_t>(buffer) + sizeof(void*), sizeof(void*), true, site);
    }
  }
  return functions[number];
}
