// Atomic waits look many times before they sleep. Each look would be a scheduling point and multiply the interleavings
// without adding behaviour, so the program is compiled with copies of the headers in which they look once. (Once, not
// never: the look is also the check between registering as a waiter and going to sleep.)
//
// libstdc++ counts its looks. libc++ counts them too and then looks at the clock to see whether it has tried for long
// enough; where it has a time limit it polls, sleeping in between, until that is reached: here it sleeps until then.
//
// std::atomic<std::shared_ptr> of libstdc++ is guarded by a bit that readers give back with memory_order_relaxed. For
// the standard that is a data race with the next writer, though on no machine one that can be seen; nobody who uses the
// class can do anything about it. In the copy they release it.
#include "cli/shadow_headers.hpp"

#include <filesystem>
#include <span>

#include "cli/installation.hpp"
#include "cli/tool_output.hpp"
#include "cli/user_error.hpp"

namespace heddle {
namespace {

namespace fs = std::filesystem;

struct Edit {
  const char* from;
  const char* to;
};

constexpr Edit kAtomicWait[] = {
    {"constexpr auto __atomic_spin_count_relax = 12;", "constexpr auto __atomic_spin_count_relax = 1;"},
    {"constexpr auto __atomic_spin_count = 16;", "constexpr auto __atomic_spin_count = 1;"},
};
constexpr Edit kPollWithBackoff[] = {
    {"#include <__config>\n", "#include <__config>\n#include <__thread/support.h>\n"},
    {"__libcpp_polling_count = 64;", "__libcpp_polling_count = 0;"},
    {"auto const __start = chrono::high_resolution_clock::now();",
     "auto const __start = __max_elapsed == chrono::nanoseconds::zero() ? chrono::high_resolution_clock::time_point()"
     " : chrono::high_resolution_clock::now();"},
    {"chrono::nanoseconds const __elapsed = chrono::high_resolution_clock::now() - __start;",
     "chrono::nanoseconds const __elapsed = __max_elapsed == chrono::nanoseconds::zero() ? chrono::nanoseconds::max()"
     " : chrono::nanoseconds(chrono::high_resolution_clock::now() - __start);"},
    {"if (__backoff(__elapsed))",
     "if (__max_elapsed != chrono::nanoseconds::zero())"
     " std::__libcpp_thread_sleep_for(__max_elapsed - __elapsed + chrono::nanoseconds(1));"
     " else if (__backoff(__elapsed))"},
};

constexpr Edit kAtomicSharedPtr[] = {
    {"_M_val.fetch_sub(1, __o);", "_M_val.fetch_sub(1, memory_order_release);"},
    {"_M_val.fetch_sub(1, memory_order_relaxed);", "_M_val.fetch_sub(1, memory_order_release);"},
};

struct Shadowed {
  const char* header;
  std::span<const Edit> edits;
};
constexpr Shadowed kShadowed[] = {
    {"bits/atomic_wait.h", kAtomicWait},
    {"bits/shared_ptr_atomic.h", kAtomicSharedPtr},
    {"__thread/poll_with_backoff.h", kPollWithBackoff},
};

// The header with all its edits; empty if one of them does not fit.
std::string edited(std::string text, std::span<const Edit> edits) {
  for (const Edit& edit : edits) {
    const std::size_t at = text.find(edit.from);
    if (at == std::string::npos) return "";
    text.replace(at, std::string_view(edit.from).size(), edit.to);
  }
  return text;
}

// A header of the compiler's library as it is; empty if it has none of that name.
std::string original(const std::vector<std::string>& compiler, const std::string& header) {
  std::vector<std::string> command = compiler;
  for (const char* word : {"-std=gnu++20", "-x", "c++", "-M", "-include", header.c_str(), "/dev/null"}) {
    command.emplace_back(word);
  }
  std::string text;
  for (const std::string& word : split_blanks(output_of(command))) {
    if (word.ends_with("/" + header)) text = read_file(word);
  }
  return text;
}

void make_directory(const fs::path& directory) {
  std::error_code error;
  fs::create_directories(directory, error);
  if (error) {
    throw UserError("cannot create " + directory.string() + ": " + error.message() +
                    " (HEDDLE_CACHE chooses another place)");
  }
}

// Everything the copies depend on: the compiler, its arguments, and what is changed.
std::string key_of(const std::vector<std::string>& compiler) {
  std::string key;
  for (const std::string& word : compiler) key += word + "\n";
  const std::string found = output_of({"sh", "-c", "command -v \"$0\"", compiler.front()});
  std::error_code error;
  const fs::path resolved = fs::canonical(found.substr(0, found.find('\n')), error);
  key += resolved.string();
  key += std::to_string(error ? 0 : fs::last_write_time(resolved, error).time_since_epoch().count());
  for (const Shadowed& shadowed : kShadowed) {
    for (const Edit& edit : shadowed.edits) key += std::string(edit.from) + edit.to;
  }
  return hash_text(key);
}

}  // namespace

std::string shadow_directory(const std::vector<std::string>& compiler) {
  const fs::path directory = cache_directory() / "heddle-library-headers" / key_of(compiler);
  const fs::path complete = directory / "complete";
  const fs::path nothing = directory / "nothing-to-change";
  if (fs::exists(complete)) return directory.string();
  if (fs::exists(nothing)) return "";
  bool any = false;
  for (const Shadowed& shadowed : kShadowed) {
    const std::string text = edited(original(compiler, shadowed.header), shadowed.edits);
    if (text.empty()) continue;
    const fs::path copy = directory / shadowed.header;
    make_directory(copy.parent_path());
    write_file(copy, text);
    any = true;
  }
  make_directory(directory);
  write_file(any ? complete : nothing, "");
  return any ? directory.string() : "";
}

}  // namespace heddle
