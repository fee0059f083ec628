// heddle::check in a program that is compiled and linked as usual.
#include <cstdio>
#include <heddle/heddle.hpp>

int main() {
  const auto result = heddle::check([] {});
  std::printf("%s", result.text().c_str());
  return result ? 0 : 1;
}
