// Table 1 of Wang, Yang, Kahlon and Gupta (TACAS 2008): dining philosophers and the indexer, with the four ways to
// leave schedules out. Prints one row per run: answer, seconds, conflicts, decisions.
//
//   symbolic_tables [--seconds=N] [--peephole=MODE] [MODEL...]      MODEL: phil2-pa, phil3-pb, indexer4-no, ...
//
// Seconds are those of the processor, so that a busy machine does not matter much. A run that has no answer after N of
// them (600) is cut: its row says "> N", and how many steps it had covered.
//
// The models follow the paper's description; its programs are not published. A philosopher takes 7 steps (chooses his
// sticks, takes one, takes the other, eats, puts one down, the other down, thinks); the last one takes his sticks in
// the other order, so there is no deadlock. pa: all eat at once (no); pb: all have eaten (yes). A thread of the indexer
// takes 5 steps (sets out, four insertions by compare-and-swap into a table of 128) and more where entries collide,
// which below 12 threads they do not. Can all have completed? Not in 5n - 1 steps, but in 5n.
//
// The paper's "steps" are read as time frames ("unfold the composed system exactly k time frames"): k states, so k - 1
// steps between them. That is the one reading in which all its answers are those of threads that take equally many
// steps: 15, 22, 29 are 7n + 1 states; 10, 15, 20, 25 are 5n and one too few, 11, 16, 21, 26 are 5n + 1 and enough.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>
#include <vector>

#include "symbolic/fixed_automata.hpp"
#include "symbolic/possible.hpp"
#include "symbolic/solver.hpp"
#include "symbolic/unroll.hpp"

namespace {

using namespace heddle::symbolic;  // NOLINT: a program of one file

double processor_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

struct Model {
  FixedAutomata automata;
  std::vector<std::pair<ThreadIndex, LocationId>> goal;  // all of these at once
  std::size_t frames = 0;                                // the paper's steps
};

Load read(Term temporary, Term address) { return {temporary, address, 8, Sharing::Atomic, kUnchecked}; }
Store write(Term address, Term value) { return {address, value, Sharing::Atomic, kUnchecked}; }

Term element(FixedAutomata& automata, Address array, Term index) {
  TermPool& pool = automata.pool();
  return pool.apply(Op::Add, automata.address(array), pool.extend(index, 64, false));
}

void philosophers(Model& model, unsigned count, bool at_once) {
  FixedAutomata& automata = model.automata;
  TermPool& pool = automata.pool();
  const Address sticks = automata.add_object("sticks", count);
  model.frames = 7 * count + 1;
  for (unsigned i = 0; i < count; ++i) {
    const ThreadIndex thread = automata.add_thread("philosopher " + std::to_string(i));
    const Term first = automata.add_variable("first", 8, 0);
    const Term second = automata.add_variable("second", 8, 0);
    const Term seen = pool.variable("seen", 8);
    const bool last = i + 1 == count;
    const std::uint64_t left = last ? 0 : i;
    const std::uint64_t right = last ? i : i + 1;
    std::vector<LocationId> at{LocationId{0}};
    for (int n = 0; n < 6; ++n) at.push_back(automata.add_location(thread));
    at.push_back(automata.add_location(thread, LocationKind::Finished));
    const auto take = [&](std::size_t from, Term stick) {
      const Term place = element(automata, sticks, stick);
      automata.add_transition(
          thread, at[from],
          {at[from + 1],
           {read(seen, place), Assume{pool.equal(seen, pool.constant(0, 8))}, write(place, pool.constant(i + 1, 8))},
           {},
           "take"});
    };
    const auto put = [&](std::size_t from, Term stick) {
      automata.add_transition(
          thread, at[from], {at[from + 1], {write(element(automata, sticks, stick), pool.constant(0, 8))}, {}, "put"});
    };
    automata.add_transition(
        thread, at[0], {at[1], {}, {{first, pool.constant(left, 8)}, {second, pool.constant(right, 8)}}, "choose"});
    take(1, first);
    take(2, second);
    automata.add_transition(thread, at[3], {at[4], {}, {}, "eat"});
    put(4, first);
    put(5, second);
    automata.add_transition(thread, at[6], {at[7], {}, {}, "think"});
    model.goal.emplace_back(thread, at_once ? at[4] : at[7]);
  }
}

void indexer(Model& model, unsigned count, bool enough) {
  FixedAutomata& automata = model.automata;
  TermPool& pool = automata.pool();
  constexpr std::uint64_t kSize = 128;
  const Address table = automata.add_object("table", kSize);
  model.frames = enough ? 5 * count + 1 : 5 * count;
  const auto number = [&](std::uint64_t n) { return pool.constant(n, 8); };
  const auto hash = [&](Term w) {
    return pool.apply(Op::URem, pool.apply(Op::Mul, w, number(7)), number(kSize));  // 256 is a multiple of 128
  };
  for (unsigned i = 0; i < count; ++i) {
    const ThreadIndex thread = automata.add_thread("thread " + std::to_string(i));
    const Term sent = automata.add_variable("m", 8, 0);
    const Term w = automata.add_variable("w", 8, 0);
    const Term h = automata.add_variable("h", 8, 0);
    const Term seen = pool.variable("seen", 8);
    const LocationId cas = automata.add_location(thread);
    const LocationId end = automata.add_location(thread, LocationKind::Finished);
    const Term start = number(i + 1);
    automata.add_transition(thread, LocationId{0}, {cas, {}, {{w, start}, {h, hash(start)}}, "set out"});
    const Term place = element(automata, table, h);
    const Term free = pool.equal(seen, number(0));
    const Term last = pool.equal(sent, number(3));
    const Term next = pool.add(w, 11);
    automata.add_transition(thread, cas,
                            {cas,
                             {Assume{pool.negate(last)}, read(seen, place), Assume{free}, write(place, w)},
                             {{sent, pool.add(sent, 1)}, {w, next}, {h, hash(next)}},
                             "insert"});
    automata.add_transition(thread, cas,
                            {end, {Assume{last}, read(seen, place), Assume{free}, write(place, w)}, {}, "insert last"});
    automata.add_transition(thread, cas,
                            {cas,
                             {read(seen, place), Assume{pool.negate(free)}},
                             {{h, pool.apply(Op::URem, pool.add(h, 1), number(kSize))}},
                             "collision"});
    model.goal.emplace_back(thread, end);
  }
}

void run(const std::string& name, Peephole peephole, double seconds) {
  Model model;
  const auto count = static_cast<unsigned>(std::atoi(name.substr(name.find_first_of("0123456789")).c_str()));
  if (name.starts_with("phil")) {
    philosophers(model, count, name.ends_with("pa"));
  } else {
    indexer(model, count, name.ends_with("yes"));
  }
  TermPool& pool = model.automata.pool();
  const std::unique_ptr<Solver> solver = make_solver(pool);
  const double begin = processor_seconds();
  const auto spent = [&] { return processor_seconds() - begin; };
  Unrolling unrolling(model.automata, {.peephole = peephole});
  Answer answer = Answer::Unsatisfiable;
  const auto ask = [&](Term question) {
    Answer found = Answer::Unknown;
    do {  // the solver's limit is on the clock on the wall
      solver->limit(std::chrono::milliseconds(static_cast<long>(1000 * (seconds - spent())) + 1));
      found = solver->check({&question, 1});
    } while (found == Answer::Unknown && spent() < seconds);
    return found;
  };
  std::size_t covered = 0;  // frames
  for (std::size_t k = 1;; ++k) {
    Term all = pool.truth(true);
    for (const auto& [thread, location] : model.goal) all = pool.conj(all, unrolling.at(thread, location));
    if (!pool.is_false(all)) {
      answer = ask(all);
      if (answer != Answer::Unsatisfiable) break;
      solver->require(pool.negate(all));
    }
    covered = k;
    if (k == model.frames || spent() > seconds) break;
    unrolling.narrow([&](const std::vector<Term>& terms) { return possible(pool, *solver, ask, terms); });
    for (const Term constraint : unrolling.step()) solver->require(constraint);
  }
  const bool cut = answer == Answer::Unknown || (answer == Answer::Unsatisfiable && covered < model.frames);
  const SolverStatistics figures = solver->statistics();
  const std::string said = cut                             ? "cut after " + std::to_string(covered) + " steps"
                           : answer == Answer::Satisfiable ? "yes"
                                                           : "no";
  std::printf("| %s | %zu | %s | %s | %s%.2f | %llu | %llu | %zu |\n", name.c_str(), model.frames,
              std::string(text(peephole)).c_str(), said.c_str(), cut ? "> " : "", spent(),
              static_cast<unsigned long long>(figures.conflicts), static_cast<unsigned long long>(figures.decisions),
              pool.size());
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  double seconds = 600;
  std::string only;
  std::vector<std::string> names;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word.starts_with("--seconds=")) {
      seconds = std::atof(word.c_str() + 10);
    } else if (word.starts_with("--peephole=")) {
      only = word.substr(11);
    } else {
      names.push_back(word);
    }
  }
  if (names.empty()) {
    for (const char* n : {"2", "3", "4"}) names.push_back(std::string("phil") + n + "-pa");
    for (const char* n : {"2", "3", "4"}) names.push_back(std::string("phil") + n + "-pb");
    for (const char* n : {"2", "3", "4", "5"}) names.push_back(std::string("indexer") + n + "-no");
    for (const char* n : {"2", "3", "4", "5"}) names.push_back(std::string("indexer") + n + "-yes");
  }
  std::printf(
      "| model | steps | peephole | answer | seconds | conflicts | decisions | terms "
      "|\n|---|---|---|---|---|---|---|---|\n");
  for (const std::string& name : names) {
    for (const Peephole peephole : {Peephole::None, Peephole::Static, Peephole::Simple, Peephole::Full}) {
      if (only.empty() || only == text(peephole)) run(name, peephole, seconds);
    }
  }
  return 0;
}
