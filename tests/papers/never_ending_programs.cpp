#include "papers/never_ending_programs.hpp"

namespace heddle::papers {
namespace {

using namespace toy;

std::uint32_t here(const Thread& thread) { return static_cast<std::uint32_t>(thread.size()); }

// Register 7 is never anything but 0.
void jump_to(Thread& thread, std::uint32_t target) { thread.push_back(jump_if(7, 0, target)); }

void append(Thread& thread, std::initializer_list<Instruction> instructions) {
  thread.insert(thread.end(), instructions);
}

}  // namespace

// level[i] is object i, victim[l] object 100 + l, who is in the critical section object 200.
ToyCode peterson(std::uint32_t threads, bool unfair) {
  ToyCode code;
  for (std::uint32_t i = 0; i < threads; ++i) {
    Thread thread;
    for (std::uint32_t level = 1; level < threads; ++level) {
      append(thread, {write(i, level), write(100 + level, i + 1)});
      const std::uint32_t wait = here(thread);
      for (std::uint32_t other = 0; other < threads; ++other) {
        if (other == i) continue;
        // Goes on to the next one if the other is at a lower level, or somebody else is the victim; else looks again.
        thread.push_back(read(other, 0));
        const std::uint32_t compare = here(thread);
        const std::uint32_t next = compare + level + (unfair ? 2 : 5);
        for (std::uint32_t lower = 0; lower < level; ++lower) thread.push_back(jump_if(0, lower, next));
        thread.push_back(set(0, 0));
        if (!unfair) append(thread, {read(100 + level, 0), jump_unless(0, i + 1, next), set(0, 0)});
        jump_to(thread, wait);
        thread.push_back(set(0, 0));
      }
    }
    append(thread, {write(200, i + 1), read(200, 0), expect(0, i + 1), set(0, 0), write(i, 0)});
    jump_to(thread, 0);
    code.threads.push_back(thread);
  }
  return code;
}

ToyCode token_ring(std::uint32_t threads, bool lost) {
  ToyCode code;
  for (std::uint32_t i = 0; i < threads; ++i) {
    const std::uint32_t next = i + 1 == threads ? (lost ? threads : 0) : i + 1;
    Thread thread{read(0, 0), jump_unless(0, i, 0), set(0, 0), write(0, next)};
    jump_to(thread, 0);
    code.threads.push_back(thread);
  }
  return code;
}

ToyCode producer_consumer(bool unbounded) {
  constexpr std::uint32_t kRoom = 0, kItems = 1, kBuffer = 0;
  Thread producer;
  if (!unbounded) producer.push_back(on(Code::SemWait, kRoom));
  append(producer, {read(kBuffer, 0), expect(0, 0), write(kBuffer, 5), on(Code::SemPost, kItems)});
  jump_to(producer, 0);
  Thread consumer{on(Code::SemWait, kItems), read(kBuffer, 0), expect(0, 5), set(0, 0), write(kBuffer, 0),
                  on(Code::SemPost, kRoom)};
  jump_to(consumer, 0);
  return {{producer, consumer}, {1, 0}};
}

ToyCode server(std::uint32_t clients, bool unlocked) {
  constexpr std::uint32_t kRequest = 0, kAnswer = 1;            // memory
  constexpr std::uint32_t kRequested = 0, kAnswered = 1, kTurn = 0;  // semaphores, mutex
  ToyCode code;
  Thread serving{on(Code::SemWait, kRequested), read(kRequest, 0), write_register(kAnswer, 0, 10), set(0, 0),
                 on(Code::SemPost, kAnswered)};
  jump_to(serving, 0);
  code.threads.push_back(serving);
  for (std::uint32_t c = 1; c <= clients; ++c) {
    Thread client;
    if (!unlocked) client.push_back(lock(kTurn));
    append(client, {write(kRequest, c), on(Code::SemPost, kRequested), on(Code::SemWait, kAnswered), read(kAnswer, 0),
                    expect(0, c + 10), set(0, 0)});
    if (!unlocked) client.push_back(unlock(kTurn));
    jump_to(client, 0);
    code.threads.push_back(client);
  }
  code.semaphores = {0, 0};
  return code;
}

}  // namespace heddle::papers
