// The pieces random programs are made of: one operation, or several that belong together (a critical section, a
// try-lock with the branch on its success, a wait with its predicate).
//
// A fragment is a short piece of a thread. Its jumps count from its own beginning and lead at most to just behind it.
// Locks that a fragment takes it releases, so threads made of fragments misuse nothing; only `misuse` does.
#pragma once

#include <cstdint>

#include "differential/random.hpp"
#include "program/toy/toy_code.hpp"

namespace heddle::differential {

using Fragment = toy::Thread;

// Makes fragments for one thread. It remembers which registers the thread has got values in, for branches on them.
class FragmentMaker {
 public:
  // Memory objects are `variables` ones from the first on; the other objects are few and fixed.
  FragmentMaker(Random& random, std::uint32_t variables, std::uint32_t first)
      : random_(&random), variables_(variables), first_(first) {}

  // memory
  Fragment read();
  Fragment write();
  Fragment write_register();
  Fragment fetch_add();
  Fragment cas();
  Fragment await();
  // two objects in one access; what depends on everything
  Fragment read_pair();
  Fragment write_pair();
  Fragment cas_pair();
  Fragment system();
  // loops that wait: for one location, for one of two, for two at once; by compare-exchange, by a write of what is
  // there already, by try-lock
  Fragment spin();
  Fragment spin_for_either();
  Fragment spin_for_both();
  Fragment spin_compare_exchange();
  Fragment spin_idle_write();
  Fragment spin_try_lock();
  // branches on values read, and arithmetic
  Fragment branch();
  Fragment two_way_branch();
  // mutexes
  Fragment critical_section();
  Fragment nested_sections();
  Fragment try_lock();
  Fragment timed_lock();
  // semaphores
  Fragment semaphore();
  // reader-writer locks; nested with a mutex or an await, which can deadlock
  Fragment rwlock();
  Fragment try_rwlock();
  Fragment nested_rwlock();
  // condition variables: a bare wait, one with a predicate, and what wakes them, with the mutex and without
  Fragment wait();
  Fragment wait_twice();
  Fragment wait_for_flag();
  Fragment wake();
  // others
  Fragment barrier();
  Fragment choice();
  Fragment assertion();
  Fragment assumption();
  Fragment misuse();

 private:
  std::uint32_t variable() { return first_ + random_->below(variables_); }
  std::uint32_t pair() { return first_ + random_->below(variables_ - 1); }
  std::uint32_t fresh_register();
  std::uint32_t old_register() { return random_->below(registers_); }
  std::uint32_t condition();
  toy::Instruction waiting(std::uint32_t condition);
  std::int64_t small_value() { return random_->between(1, 2); }
  // Nothing, one or two accesses to memory.
  Fragment body(std::uint32_t most);
  Fragment acquisition(toy::Code acquire, toy::Code release, std::uint32_t object);

  Random* random_;
  std::uint32_t variables_;
  std::uint32_t first_;
  std::uint32_t registers_ = 0;  // registers that have got a value: r0..registers_-1
};

// Puts a fragment behind a thread.
void append(toy::Thread& thread, Fragment fragment);

}  // namespace heddle::differential
