#include "differential/loops.hpp"

#include <algorithm>

#include "differential/random.hpp"
#include "differential/toy_edit.hpp"

namespace heddle::differential {
namespace {

using namespace toy;

constexpr std::uint32_t kSpin = 6;  // registers that fragments hardly ever come to
constexpr std::uint32_t kRepeat = 7;

// `head` and, unless the register then has the value, again.
void insert_spin(Random& random, Thread& thread) {
  const std::size_t at = random.below(thread.size() + 1);
  const auto variable = random.below(2);
  const std::int64_t value = random.below(3);
  Instruction head = read(variable, kSpin);
  std::int64_t wanted = value;
  switch (random.below(6)) {
    case 0:
      head = cas(variable, value, random.between(0, 2), kSpin);
      wanted = 1;
      break;
    case 1:
      head = fetch_add(variable, 0, kSpin);  // writes what was there
      break;
    case 2:
      head = choose(2, kSpin);
      wanted = 1;
      break;
    default: break;
  }
  insert_at(thread, at, jump_unless(kSpin, wanted, 0));
  insert_at(thread, at, head);
  thread[at + 1].target = static_cast<std::uint32_t>(at);
}

void repeat(Random& random, Thread& thread) {
  insert_at(thread, 0, random.chance(50) ? read(random.below(2), kRepeat) : choose(1, kRepeat));
  thread.push_back(random.chance(60) ? jump_if(kRepeat, 0, 0) : jump_unless(kRepeat, random.between(1, 2), 0));
}

bool creates(const Thread& thread) {
  return std::any_of(thread.begin(), thread.end(), [](const Instruction& i) { return i.code == Code::Create; });
}

}  // namespace

ToyCode generate_with_loops(Family family, std::uint64_t seed, GeneratorOptions options) {
  ToyCode code = generate(family, seed, options);
  Random random(seed * 31 + static_cast<std::uint64_t>(family) + 7);
  for (Thread& thread : code.threads) {
    if (creates(thread)) continue;
    if (random.chance(35)) insert_spin(random, thread);
    if (random.chance(40)) repeat(random, thread);
  }
  return code;
}

}  // namespace heddle::differential
