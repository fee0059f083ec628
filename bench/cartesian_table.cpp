// Table 1 of the Cartesian paper on the toy back-end: states and transitions beside the published ones, speed, memory.
//
//     cartesian_table [--large] [--jobs=N] [--only=NAME]
//
// --large adds the rows that take minutes; --jobs runs the searches in so many processes.
#include <fmt/format.h>

#include <chrono>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>

#include "explore/stateful/state_search.hpp"
#include "papers/cartesian_programs.hpp"
#include "papers/never_ending_programs.hpp"
#include "program/toy/toy_program.hpp"

namespace heddle {
namespace {

struct Counts {
  std::uint64_t states;
  std::uint64_t transitions;
  friend bool operator==(Counts, Counts) = default;
};

struct Row {
  std::string name;
  toy::ToyCode code;
  std::optional<Counts> standard;  // as published; nothing: the paper has no figure, and the search is left out
  std::optional<Counts> cartesian;
  bool large = false;
  bool ours = false;  // not in the paper: both searches, nothing to compare with
};

class Silent final : public Listener {
 public:
  void found(const Finding&, std::span<const PlannedChoice>) override {}
};

std::vector<Row> rows() {
  using namespace papers;
  std::vector<Row> table{
      {"SharedPtr", shared_pointer(), {{32131, 64262}}, {{418, 12785}}},
      {"SharedArray", shared_array(), {{2276, 4552}}, {{132, 1648}}},
      {"2 Robots", robots({{0, 0}, {4, 0}}), {{4877, 9754}}, {{56, 2635}}},
      {"3 Robots", robots({{0, 0}, {4, 0}, {7, 0}}), {{326759, 980277}}, {{56, 6387}}},
  };
  const std::vector<Counts> files{{9, 8}, {81, 144}, {729, 1944}, {6561, 23328}, {59049, 262440}, {531441, 2834352}};
  for (std::uint32_t n = 1; n <= files.size(); ++n) {
    table.push_back({fmt::format("File System {}", n), file_system(n), files[n - 1], {}, n > 5});
    if (n > 1) table.back().cartesian = {1, 8 * n};
  }
  for (std::uint32_t n = 7; n <= 13; ++n) {
    table.push_back({fmt::format("File System {}", n), file_system(n), {}, {{1, 8 * n}}});
  }
  table.push_back({"File System 14", file_system(14), {}, {{10, 1026}}});
  table.push_back({"File System 15", file_system(15), {}, {{100, 10120}}});
  table.push_back({"File System 16", file_system(16), {}, {{1000, 99800}}});
  table.push_back({"File System 17", file_system(17), {}, {{10000, 984000}}, true});
  const std::vector<Counts> index{{5, 4},        {25, 40},       {125, 300},      {625, 2000},
                                  {3125, 12500}, {15625, 75000}, {78125, 437500}, {390625, 2500000}};
  for (std::uint32_t n = 1; n <= index.size(); ++n) {
    table.push_back({fmt::format("Indexer {}", n), indexer(n), index[n - 1], {}, n > 6});
    if (n > 1) table.back().cartesian = {1, 4 * n};
  }
  for (std::uint32_t n = 9; n <= 11; ++n) {
    table.push_back({fmt::format("Indexer {}", n), indexer(n), {}, {{1, 4 * n}}});
  }
  table.push_back({"Indexer 12", indexer(12), {}, {{9, 394}}});
  table.push_back({"Indexer 13", indexer(13), {}, {{81, 3528}}});
  table.push_back({"Indexer 14", indexer(14), {}, {{729, 31590}}});
  table.push_back({"Indexer 15", indexer(15), {}, {{6561, 282852}}, true});
  table.push_back({"Indexer 16", indexer(16), {}, {{59049, 2532546}}, true});
  const std::vector<Counts> dining{{11, 22},     {36, 108},     {119, 476},      {393, 1965},
                                   {1298, 7788}, {4287, 30009}, {14159, 113272}, {46764, 420876}};
  const std::vector<Counts> published{{9, 28},      {27, 174},     {94, 750},      {295, 2984},
                                      {942, 11233}, {2955, 41091}, {9212, 145717}, {28675, 509218}};
  for (std::uint32_t n = 2; n <= 9; ++n) {
    table.push_back({fmt::format("{} Philosophers", n), philosophers(n), dining[n - 2], published[n - 2], n > 7});
  }
  for (std::uint32_t n = 2; n <= 4; ++n) {
    table.push_back({fmt::format("Peterson {}", n), peterson(n), {}, {}, n > 3, true});
  }
  return table;
}

void run(const Row& row, StateReduction reduction, const std::optional<Counts>& published, unsigned jobs) {
  toy::ToyProgram program(row.code, {.awaits = false});
  Silent listener;
  StateSearchOptions options;
  options.reduction = reduction;
  options.explore.keep_going = true;
  options.jobs = jobs;
  const auto begin = std::chrono::steady_clock::now();
  StateSearch search(program, listener, options);
  const ExploreResult result = search.explore();
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  const Counts counts{result.statistics.states, result.statistics.transitions};
  fmt::print("| {} | {} | {}/{} | {} | {} | {:.3f} | {:.0f} | {} |\n", row.name,
             reduction == StateReduction::None ? "standard" : "cartesian", counts.states, counts.transitions,
             published ? fmt::format("{}/{}", published->states, published->transitions) : "–",
             !published             ? ""
             : counts == *published ? "equal"
                                    : "differs",
             seconds, static_cast<double>(counts.states) / seconds, search.store_bytes() / counts.states);
  std::fflush(stdout);
}

}  // namespace
}  // namespace heddle

int main(int argc, char** argv) {
  using namespace heddle;
  bool large = false;
  unsigned jobs = 1;
  std::string only;
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    if (word == "--large") {
      large = true;
    } else if (word.starts_with("--jobs=")) {
      jobs = static_cast<unsigned>(std::max(1, std::atoi(argv[i] + 7)));
    } else if (word.starts_with("--only=")) {
      only = word.substr(7);
    } else {
      fmt::print(stderr, "cartesian_table: cannot understand {}\n", word);
      return 2;
    }
  }
  fmt::print("| program | search | states/transitions | published | | s | states/s | bytes/state |\n");
  fmt::print("|---|---|---|---|---|---|---|---|\n");
  for (const Row& row : rows()) {
    if (only.empty() ? row.large && !large : row.name != only) continue;
    if (row.standard || row.ours) run(row, StateReduction::None, row.standard, jobs);
    run(row, StateReduction::Cartesian, row.cartesian, jobs);
  }
}
