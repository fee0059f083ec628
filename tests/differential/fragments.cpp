#include "differential/fragments.hpp"

#include <algorithm>

namespace heddle::differential {
namespace {

using namespace toy;

constexpr std::uint32_t kMutexes = 2;  // the condition variables have one each
constexpr std::uint32_t kSemaphores = 2;
constexpr std::uint32_t kRegisters = 8;
constexpr std::uint32_t kRwLock = 0;

bool is_jump(Code code) { return code == Code::JumpIf || code == Code::JumpUnless; }

// Instructions between two others, with the jumps of what stands inside moved.
Fragment around(const Instruction& before, Fragment inside, const Instruction& after) {
  Fragment all{before};
  append(all, std::move(inside));
  all.push_back(after);
  return all;
}

}  // namespace

void append(Thread& thread, Fragment fragment) {
  const auto offset = static_cast<std::uint32_t>(thread.size());
  for (Instruction& i : fragment) {
    if (is_jump(i.code)) i.target += offset;
  }
  thread.insert(thread.end(), fragment.begin(), fragment.end());
}

std::uint32_t FragmentMaker::fresh_register() {
  if (registers_ == kRegisters) return random_->below(kRegisters);
  return registers_++;
}

Fragment FragmentMaker::read() { return {toy::read(variable(), fresh_register())}; }
Fragment FragmentMaker::write() { return {toy::write(variable(), small_value())}; }
Fragment FragmentMaker::fetch_add() { return {toy::fetch_add(variable(), 1, fresh_register())}; }
Fragment FragmentMaker::await() { return {toy::await(variable(), small_value())}; }

Fragment FragmentMaker::read_pair() { return {toy::read_pair(pair(), fresh_register())}; }
Fragment FragmentMaker::write_pair() { return {toy::write_pair(pair(), small_value())}; }
Fragment FragmentMaker::cas_pair() {
  return {toy::cas_pair(pair(), random_->below(2), random_->between(1, 2), fresh_register())};
}
Fragment FragmentMaker::system() { return {toy::system(variable(), random_->below(2), fresh_register())}; }

Fragment FragmentMaker::spin() {
  const std::uint32_t reg = fresh_register();
  return {toy::read(variable(), reg), jump_unless(reg, random_->below(3), 0)};
}

Fragment FragmentMaker::spin_for_either() {
  const std::uint32_t first = fresh_register();
  const std::uint32_t second = fresh_register();
  return {toy::read(variable(), first), jump_if(first, random_->below(3), 4), toy::read(variable(), second),
          jump_unless(second, random_->below(3), 0)};
}

// The first value may be read before and the second after both have changed.
Fragment FragmentMaker::spin_for_both() {
  const std::uint32_t first = fresh_register();
  const std::uint32_t second = fresh_register();
  if (first == second) return read();
  return {toy::read(variable(), first), toy::read(variable(), second), jump_unless(first, random_->below(3), 0),
          jump_unless(second, random_->below(3), 0)};
}

// A spin lock; sometimes it is never released.
Fragment FragmentMaker::spin_compare_exchange() {
  const std::uint32_t reg = fresh_register();
  const std::uint32_t lock = variable();
  Fragment all{toy::cas(lock, 0, 1, reg), jump_unless(reg, 1, 0)};
  if (random_->chance(70)) all.push_back(toy::write(lock, 0));
  return all;
}

Fragment FragmentMaker::spin_idle_write() {
  const std::uint32_t reg = fresh_register();
  return {toy::fetch_add(variable(), 0, reg), jump_unless(reg, random_->below(3), 0)};
}

Fragment FragmentMaker::spin_try_lock() {
  const std::uint32_t reg = fresh_register();
  const std::uint32_t m = random_->below(kMutexes);
  return {on(Code::TryLock, m, reg), jump_unless(reg, 1, 0), unlock(m)};
}

Fragment FragmentMaker::cas() {
  return {toy::cas(variable(), random_->below(2), random_->between(1, 2), fresh_register())};
}

Fragment FragmentMaker::write_register() {
  if (registers_ == 0) return read();
  const std::uint32_t reg = old_register();
  const Instruction store = toy::write_register(variable(), reg, random_->below(2));
  switch (random_->below(3)) {
    case 0: return {toy::add(reg, 1), store};
    case 1: return {toy::set(reg, small_value()), store};
    default: return {store};
  }
}

Fragment FragmentMaker::body(std::uint32_t most) {
  Fragment all;
  for (std::uint32_t n = random_->below(most + 1); n > 0; --n) append(all, random_->chance(55) ? read() : write());
  return all;
}

Fragment FragmentMaker::branch() {
  if (registers_ == 0) return read();
  const std::uint32_t reg = old_register();
  const std::int64_t value = random_->below(3);
  Fragment inside = random_->chance(80) ? write() : fetch_add();
  const auto behind = static_cast<std::uint32_t>(inside.size() + 1);
  Fragment all{random_->chance(50) ? jump_if(reg, value, behind) : jump_unless(reg, value, behind)};
  append(all, std::move(inside));
  return all;
}

// The second jump is taken whenever the first was not: the register does not change in between.
Fragment FragmentMaker::two_way_branch() {
  if (registers_ == 0) return read();
  const std::uint32_t reg = old_register();
  const std::int64_t value = random_->below(2);
  return {jump_unless(reg, value, 3), toy::write(variable(), small_value()), jump_if(reg, value, 4),
          toy::write(variable(), small_value())};
}

Fragment FragmentMaker::critical_section() {
  const std::uint32_t m = random_->below(kMutexes);
  return around(lock(m), body(2), unlock(m));
}

Fragment FragmentMaker::nested_sections() {
  const std::uint32_t outer = random_->below(kMutexes);
  const std::uint32_t inner = kMutexes - 1 - outer;
  return around(lock(outer), around(lock(inner), body(1), unlock(inner)), unlock(outer));
}

// What stands between an acquisition that may fail and its release is jumped over when it did.
Fragment FragmentMaker::acquisition(Code acquire, Code release, std::uint32_t object) {
  const std::uint32_t reg = fresh_register();
  // The body must leave the register alone, which only a thread without free registers might not.
  Fragment inside = registers_ < kRegisters ? body(1) : Fragment{};
  const auto behind = static_cast<std::uint32_t>(inside.size() + 3);
  Fragment all{on(acquire, object, reg), jump_if(reg, 0, behind)};
  append(all, std::move(inside));
  all.push_back(on(release, object));
  return all;
}

Fragment FragmentMaker::try_lock() { return acquisition(Code::TryLock, Code::Unlock, random_->below(kMutexes)); }
Fragment FragmentMaker::timed_lock() { return acquisition(Code::TimedLock, Code::Unlock, random_->below(kMutexes)); }

Fragment FragmentMaker::semaphore() {
  const std::uint32_t s = random_->below(kSemaphores);
  switch (random_->below(5)) {
    case 0:
    case 1: return {on(Code::SemWait, s)};
    case 2: return {on(Code::SemTryWait, s, fresh_register())};
    default: return {on(Code::SemPost, s)};
  }
}

Fragment FragmentMaker::rwlock() {
  if (random_->chance(60)) return around(on(Code::ReadLock, kRwLock), body(1), on(Code::ReadUnlock, kRwLock));
  return around(on(Code::WriteLock, kRwLock), body(1), on(Code::WriteUnlock, kRwLock));
}

Fragment FragmentMaker::try_rwlock() {
  return random_->chance(50) ? acquisition(Code::TryReadLock, Code::ReadUnlock, kRwLock)
                             : acquisition(Code::TryWriteLock, Code::WriteUnlock, kRwLock);
}

Fragment FragmentMaker::nested_rwlock() {
  const auto inside_readers = [](Fragment inside) {
    return around(on(Code::ReadLock, kRwLock), std::move(inside), on(Code::ReadUnlock, kRwLock));
  };
  const auto inside_writer = [](Fragment inside) {
    return around(on(Code::WriteLock, kRwLock), std::move(inside), on(Code::WriteUnlock, kRwLock));
  };
  const std::uint32_t m = random_->below(kMutexes);
  switch (random_->below(5)) {
    case 0: return inside_readers({lock(m), unlock(m)});
    case 1: return around(lock(m), inside_writer({}), unlock(m));
    case 2: return around(lock(m), inside_readers({}), unlock(m));
    case 3: return inside_readers({toy::await(variable(), 1)});
    default: return inside_writer({toy::write(variable(), 1)});
  }
}

// Condition variable n goes with mutex n.
std::uint32_t FragmentMaker::condition() { return random_->chance(80) ? 0 : 1; }

Instruction FragmentMaker::waiting(std::uint32_t c) {
  return random_->chance(30) ? cond_timed_wait(c, c, fresh_register()) : cond_wait(c, c);
}

Fragment FragmentMaker::wait() {
  const std::uint32_t c = condition();
  return {lock(c), waiting(c), unlock(c)};
}

// Without giving the mutex back in between, and perhaps for something else.
Fragment FragmentMaker::wait_twice() {
  const std::uint32_t c = condition();
  return {lock(c), waiting(c), cond_wait(condition(), c), unlock(c)};
}

// Waits only if the flag is not set yet.
Fragment FragmentMaker::wait_for_flag() {
  const std::uint32_t c = condition();
  const std::uint32_t seen = fresh_register();
  return {lock(c), toy::read(variable(), seen), jump_unless(seen, 0, 4), waiting(c), unlock(c)};
}

Fragment FragmentMaker::wake() {
  const std::uint32_t c = condition();
  const Instruction waking = random_->chance(65) ? signal(c) : broadcast(c);
  switch (random_->below(4)) {
    case 0: return {lock(c), waking, unlock(c)};
    case 1: return {lock(c), toy::write(variable(), 1), waking, unlock(c)};
    case 2: return {lock(c), toy::write(variable(), 1), unlock(c), waking};
    default: return {waking};
  }
}

// Barrier n lets n+2 threads pass, so all its users agree on how many.
Fragment FragmentMaker::barrier() {
  const std::uint32_t b = random_->chance(80) ? 0 : 1;
  return {toy::barrier(b, b + 2, fresh_register())};
}

Fragment FragmentMaker::choice() {
  const std::uint32_t reg = fresh_register();
  const Instruction choosing = choose(random_->between(2, 3), reg);
  switch (random_->below(4)) {
    case 0: return {choosing, toy::write_register(variable(), reg, 1)};
    case 1: return {choosing, jump_if(reg, 0, 3), toy::write(variable(), small_value())};
    case 2: return {choosing, toy::add(reg, 1), toy::write_register(variable(), reg)};
    default: return {choosing};
  }
}

Fragment FragmentMaker::assertion() {
  const std::uint32_t reg = fresh_register();
  if (random_->chance(30)) return {toy::cas(variable(), random_->below(2), 1, reg), expect(reg, 1)};
  return {toy::read(variable(), reg), expect(reg, random_->below(2))};
}

Fragment FragmentMaker::assumption() {
  const std::uint32_t reg = fresh_register();
  return {toy::read(variable(), reg), assume(reg, random_->below(2))};
}

Fragment FragmentMaker::misuse() {
  if (random_->chance(50)) return {unlock(random_->below(kMutexes))};
  return {cond_wait(0, 0)};
}

}  // namespace heddle::differential
