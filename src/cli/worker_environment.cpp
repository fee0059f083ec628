#include "cli/worker_environment.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>

#include "cli/installation.hpp"
#include "cli/user_error.hpp"
#include "worker/board.hpp"

namespace heddle {

std::vector<std::pair<std::string, std::string>> worker_environment(const WorkerConfiguration& configuration) {
  std::string path = installation().tsan_directory.string();
  if (const char* old = std::getenv("LD_LIBRARY_PATH"); old != nullptr && *old != '\0') path += std::string(":") + old;
  std::vector<std::pair<std::string, std::string>> variables{
      {"HEDDLE_WORKER", to_json(configuration)},
      {"LD_PRELOAD", installation().stream_entries.string() + ":" + installation().runtime.string()},
      {"LD_BIND_NOW", "1"},
      {"GLIBC_TUNABLES", "glibc.pthread.rseq=0"},  // the kernel must not write to memory that is put back
      {"LD_LIBRARY_PATH", path}};
  if (!configuration.at.empty()) variables.emplace_back("HEDDLE_AT", configuration.at);
  return variables;
}

int create_board() {
  const int board = ::memfd_create("heddle-board", 0);
  if (board < 0 || ::ftruncate(board, sizeof(Board)) != 0) throw cannot("create", "shared memory");
  return board;
}

}  // namespace heddle
