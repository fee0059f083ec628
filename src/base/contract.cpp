#include "base/contract.hpp"

#include <unistd.h>

#include <cstdio>

namespace heddle {
namespace {

void print_and_exit(const char* file, int line, const char* sentence) {
  std::fprintf(stderr, "heddle: internal error at %s:%d: %s\n", file, line, sentence);
  ::_exit(70);
}

ContractHandler handler = print_and_exit;

}  // namespace

void set_contract_handler(ContractHandler replacement) noexcept { handler = replacement; }

void broken_contract(const char* file, int line, const char* sentence) noexcept {
  handler(file, line, sentence);
  ::_exit(70);
}

}  // namespace heddle
