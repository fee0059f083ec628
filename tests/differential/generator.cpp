#include "differential/generator.hpp"

#include <vector>

#include "differential/fragments.hpp"
#include "differential/oracle.hpp"
#include "differential/toy_edit.hpp"

namespace heddle::differential {
namespace {

using toy::Thread;
using toy::ToyCode;
using Make = Fragment (FragmentMaker::*)();
using Mix = std::vector<Make>;

// Which fragments a family draws from; one that stands twice is drawn twice as often.
Mix mix(Family family) {
  using F = FragmentMaker;
  switch (family) {
    case Family::ReadWrite: return {&F::read, &F::write};
    case Family::Rmw: return {&F::read, &F::write, &F::fetch_add, &F::cas, &F::cas, &F::branch};
    case Family::Lock: return {&F::read, &F::write, &F::critical_section, &F::critical_section, &F::branch};
    case Family::NestedLocks: return {&F::critical_section, &F::nested_sections, &F::nested_sections, &F::write};
    case Family::TryLock:
      return {&F::read, &F::write, &F::critical_section, &F::try_lock, &F::try_lock, &F::timed_lock, &F::timed_lock};
    case Family::Semaphore: return {&F::read, &F::write, &F::semaphore, &F::semaphore, &F::semaphore, &F::branch};
    case Family::RwLock: return {&F::read, &F::write, &F::rwlock, &F::rwlock, &F::rwlock, &F::try_rwlock, &F::branch};
    case Family::NestedRwLock: return {&F::nested_rwlock, &F::nested_rwlock, &F::nested_rwlock, &F::read, &F::write};
    case Family::Condition:
    case Family::Crowd:
      return {&F::wait, &F::wait_twice, &F::wait_for_flag, &F::wake,
              &F::wake, &F::wake,       &F::write,         &F::critical_section};
    case Family::Barrier: return {&F::barrier, &F::barrier, &F::read, &F::write, &F::branch};
    case Family::Await: return {&F::read, &F::write, &F::write, &F::await, &F::await, &F::fetch_add};
    case Family::CreateJoin: return {&F::read, &F::write, &F::write, &F::critical_section, &F::branch};
    case Family::Choice: return {&F::choice, &F::choice, &F::read, &F::write, &F::branch, &F::two_way_branch};
    case Family::Branch:
      return {&F::read, &F::write, &F::write_register, &F::cas, &F::branch, &F::branch, &F::two_way_branch};
    case Family::AssertAssume:
      return {&F::read, &F::write, &F::fetch_add, &F::critical_section, &F::assertion, &F::assumption};
    case Family::All:
      return {&F::read,
              &F::write,
              &F::write_register,
              &F::fetch_add,
              &F::cas,
              &F::await,
              &F::branch,
              &F::try_lock,
              &F::two_way_branch,
              &F::timed_lock,
              &F::semaphore,
              &F::critical_section,
              &F::nested_sections,
              &F::rwlock,
              &F::try_rwlock,
              &F::nested_rwlock,
              &F::wait,
              &F::wait_for_flag,
              &F::wake,
              &F::wake,
              &F::barrier,
              &F::choice,
              &F::assertion,
              &F::assumption,
              &F::misuse};
    case Family::Power: return {&F::write, &F::write, &F::write, &F::read};
    case Family::Spin:
      return {
          &F::spin,          &F::spin_for_either, &F::spin_for_both, &F::spin_compare_exchange, &F::spin_idle_write,
          &F::spin_try_lock, &F::write,           &F::write,         &F::write_register,        &F::critical_section,
          &F::branch,        &F::assertion};
    case Family::Wide:
      return {&F::read,      &F::write,      &F::write,           &F::fetch_add, &F::read_pair,
              &F::read_pair, &F::write_pair, &F::write_pair,      &F::cas_pair,  &F::cas,
              &F::system,    &F::branch,     &F::critical_section};
  }
  return {};
}

Thread random_thread(Random& random, const Mix& mix, std::uint32_t variables, std::uint32_t first, std::size_t wanted) {
  FragmentMaker maker(random, variables, first);
  Thread thread;
  while (visible_operations(thread) < wanted) append(thread, (maker.*mix[random.below(mix.size())])());
  return thread;
}

std::size_t random_position(Random& random, const Thread& thread) { return random.below(thread.size() + 1); }

// Lets most threads be created by one of a lower number, at any place, under a lock or a branch too; and some joined,
// once, by anybody who can have their handle: the creator, a younger brother, what that one creates.
void add_creations_and_joins(Random& random, ToyCode& code) {
  const auto threads = static_cast<std::uint32_t>(code.threads.size());
  for (std::uint32_t t = 1; t < threads; ++t) {
    if (random.chance(25)) continue;
    Thread& creator = code.threads[random.below(t)];
    insert_at(creator, random_position(random, creator), toy::create(t));
  }
  for (std::uint32_t t = 0; t < threads; ++t) {
    for (int attempt = 0; attempt < 4; ++attempt) {
      const std::uint32_t joiner = random.below(threads);
      const std::size_t position = random_position(random, code.threads[joiner]);
      if (joiner == t || !created_before(code, t, joiner, position)) continue;
      insert_at(code.threads[joiner], position, random.chance(70) ? toy::join(t) : toy::try_join(t, random.below(2)));
      break;
    }
  }
}

constexpr std::size_t kIdle = 62;  // the next thread has a bit of its own, all others share one

ToyCode random_program(Random& random, Family family, std::size_t operations) {
  ToyCode code;
  const Mix fragments = mix(family);
  const bool with_creations = family == Family::CreateJoin || (family == Family::All && random.chance(40));
  const std::uint32_t threads = random.between(2, 4);
  // Three variables make two pairs; these may be of two words, which end before x8.
  const bool wide = family == Family::Wide;
  const std::uint32_t first = wide && random.chance(40) ? 6 : 0;
  std::size_t left = operations;
  for (std::uint32_t t = 0; t < threads && (left > 0 || t < 2); ++t) {
    const std::size_t wanted = std::min<std::size_t>(random.between(1, 4), std::max<std::size_t>(left, 1));
    code.threads.push_back(random_thread(random, fragments, wide ? 3 : 2, first, wanted));
    left -= std::min(left, visible_operations(code.threads.back()));
  }
  code.semaphores = {random.below(3), random.below(2)};
  if (with_creations) add_creations_and_joins(random, code);
  if (family == Family::Crowd) code.threads.insert(code.threads.begin(), kIdle, {});
  return code;
}

ToyCode random_power_program(Random& random) {
  constexpr OracleLimits kLimits{.prefixes = 15000};
  for (;;) {
    ToyCode code;
    for (int t = 0; t < 4; ++t)
      code.threads.push_back(random_thread(random, mix(Family::Power), 3, 0, random.between(1, 3)));
    const OracleResult result = all_traces(code, {}, kLimits);
    if (!result.limit_hit && result.traces.size() >= 8 && result.traces.size() <= 200) return code;
  }
}

}  // namespace

std::optional<Family> family_from_text(std::string_view wanted) {
  for (const Family family : kFamilies) {
    if (text(family) == wanted) return family;
  }
  return std::nullopt;
}

ToyCode generate(Family family, std::uint64_t seed, GeneratorOptions options) {
  constexpr std::uint64_t kApart = 17;  // as many as there were families at first: seeds keep their programs
  Random random(seed * kApart + static_cast<std::uint64_t>(family));
  return family == Family::Power ? random_power_program(random)
                                 : random_program(random, family, options.visible_operations);
}

}  // namespace heddle::differential
