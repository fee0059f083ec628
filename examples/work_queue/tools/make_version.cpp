#include <filesystem>
#include <fstream>

int main(int, char** arguments) {
  const std::filesystem::path file = arguments[1];
  std::filesystem::create_directories(file.parent_path());
  std::ofstream(file) << "#pragma once\n#define WORK_QUEUE_VERSION \"1.0\"\n";
}
