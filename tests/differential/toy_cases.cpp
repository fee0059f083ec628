// Writes random programs for the comparison of the two back-ends (native.py runs it and then heddle):
//
//     toy_cases DIRECTORY FAMILY FIRST_SEED COUNT MOST_INTERLEAVINGS TIMEOUTS SPURIOUS_WAKEUPS
//
// For each seed whose program C can say and that has no more interleavings: FAMILY-SEED.c, the same as FAMILY-SEED.toy,
// and FAMILY-SEED.json with what the oracle expects: executions and abandoned ones, in interleavings and in traces, and
// the kinds of findings.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>
#include <span>
#include <string>

#include "differential/emit_c.hpp"
#include "differential/generator.hpp"
#include "differential/oracle.hpp"
#include "differential/toy_text.hpp"

namespace heddle::differential {
namespace {

nlohmann::json counts(std::uint64_t executions, std::uint64_t abandoned) {
  return {{"executions", executions}, {"abandoned", abandoned}};
}

void write_case(const std::filesystem::path& stem, const toy::ToyCode& code, toy::ToyOptions options,
                std::uint64_t most_interleavings) {
  if (!can_be_c(code)) return;
  const OracleResult expected = all_traces(code, options);
  const auto [executions, abandoned] = expected.interleavings;
  if (expected.limit_hit || executions + abandoned > most_interleavings) return;
  const std::size_t abandoned_traces = expected.count(Ending::Abandoned);
  const auto file = [&](const char* extension) {
    std::filesystem::path path = stem;
    return std::ofstream(path += extension);
  };
  file(".c") << emit_c(code);
  file(".toy") << to_text({.about = {}, .code = code, .options = options, .traces = expected.traces.size()});
  file(".json") << nlohmann::json{
      {"interleavings", counts(executions, abandoned)},
      {"traces", counts(expected.traces.size() - abandoned_traces, abandoned_traces)},
      {"findings", expected.finding_kinds()},
  };
}

}  // namespace
}  // namespace heddle::differential

int main(int argc, char** argv) {
  using namespace heddle::differential;
  const std::span arguments(argv, static_cast<std::size_t>(argc));
  const auto family = argc == 8 ? family_from_text(arguments[2]) : std::nullopt;
  if (!family) {
    std::cerr << "usage: toy_cases DIRECTORY FAMILY FIRST_SEED COUNT MOST_INTERLEAVINGS TIMEOUTS SPURIOUS_WAKEUPS\n";
    return 2;
  }
  const auto number = [&](std::size_t at) { return std::strtoull(arguments[at], nullptr, 10); };
  const std::uint64_t first = number(3);
  const std::uint64_t count = number(4);
  const heddle::toy::ToyOptions options{.timeouts = static_cast<unsigned>(number(6)),
                                        .spurious_wakeups = static_cast<unsigned>(number(7))};
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    const std::string name = std::string(text(*family)) + "-" + std::to_string(seed);
    const MainJoins joins = seed % 2 == 0 ? MainJoins::No : MainJoins::Yes;
    const heddle::toy::ToyCode code = with_main(generate(*family, seed), joins);
    write_case(std::filesystem::path(arguments[1]) / name, code, options, number(5));
  }
  return 0;
}
