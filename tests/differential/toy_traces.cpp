// How many traces a toy program has, by the oracle: toy_traces < PROGRAM.toy
#include <iostream>
#include <iterator>
#include <string>

#include "differential/oracle.hpp"
#include "differential/toy_text.hpp"

int main() {
  using namespace heddle::differential;
  const std::string text{std::istreambuf_iterator<char>(std::cin), {}};
  try {
    const ToyText program = toy_from_text(text);
    const OracleResult result = all_traces(program.code, program.options);
    if (result.limit_hit) {
      std::cerr << "toy_traces: the program has too many interleavings to count\n";
      return 1;
    }
    std::cout << result.traces.size() << "\n";
  } catch (const ToyTextError& error) {
    std::cerr << "toy_traces: " << error.what() << "\n";
    return 2;
  }
  return 0;
}
