// One thread of the program under test, as the runtime sees it: a fibre with its own stack and thread-local storage,
// and everything the model keeps about it. All of it is set anew when the thread is created in an execution.
#pragma once

#include <array>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "base/ids.hpp"
#include "program/native/await_watch.hpp"
#include "program/program.hpp"

namespace heddle::native {

enum class HeldKind : std::uint8_t { Mutex, Spin, Read, Write };

// A lock a thread holds, for misuse checks and for saying who blocks whom.
struct HeldLock {
  std::uint64_t object;
  std::uint64_t site;
  HeldKind kind;
};

// A destructor of a thread_local object.
struct TlsDestructor {
  void (*function)(void*);
  void* object;
};

struct Fibre;

// What a thread sleeps on between the two events of a wait.
enum class Sleep : std::uint8_t { None, Condition, Futex };

// What a step of the thread may change, except what the race check keeps: plain data, copied into checkpoints as it is.
struct FibreState {
  // --- switching
  void* stack_pointer = nullptr;
  std::uint64_t tls_base = 0;
  Outcome outcome = 0;       // chosen for the pending operation
  Fibre* starter = nullptr;  // set while the thread runs up to its first visible operation: who created it

  // --- the thread
  ThreadId parent;
  std::uint32_t ordinal = 0;  // among the threads its parent created, 1-based
  std::uint32_t children = 0;
  void* (*start)(void*) = nullptr;
  void* argument = nullptr;
  void* result = nullptr;
  bool detached = false;
  bool joined = false;
  bool stuck = false;  // abandoned: it ran on without a visible operation
  std::uint64_t create_site = 0;
  std::uint64_t called_from = 0;  // while one call of the library is made as another: where the program made it

  // --- the model
  std::uint32_t events = 0;
  std::uint32_t timeouts = 0;
  bool timed = false;  // the pending operation can time out
  Sleep sleep = Sleep::None;
  bool signalled = false;       // woken from its sleep
  bool woken_alone = false;     // by a wake that nobody else could have had: it may as well have come too late
  std::uint64_t sleeps_on = 0;  // condition variable or futex word
  std::uint32_t sleep_bits = 0xFFFFFFFF;  // of a futex wait: which wakes concern it
  std::uint64_t sleep_site = 0;
  std::uint32_t atomic_depth = 0;
  std::uint64_t barrier_generation = 0;
  std::uint64_t time = 0;  // virtual nanoseconds; moved by move_time
  std::uint64_t deadline = 0;
  std::uint64_t random_draws = 0;
  std::uint32_t idle_calls = 0;                                 // sleeps and yields since its last visible operation
  alignas(16) std::array<std::uint64_t, 4> unwind_exception{};  // the unwinder's, while the thread is being ended
};
static_assert(std::is_trivially_copyable_v<FibreState>);

struct Fibre : FibreState {
  ThreadId id;
  ThreadState* state = nullptr;
  std::uint64_t stack_low = 0;
  std::uint64_t stack_high = 0;

  std::vector<HeldLock> held;
  AwaitWatch await;

  std::uint32_t unchecked_reads = 0;  // declared harmless: see intercept_annotations.cpp
  std::uint32_t unchecked_writes = 0;

  // --- per-thread state of the C and C++ libraries that we keep for them
  std::vector<TlsDestructor> tls_destructors;
  std::vector<void*> key_values;
  std::vector<void*> cleanup_buffers;  // pthread_cleanup_push in C

  // --- race check: what this thread knows of all threads (FastTrack's C_t)
  alignas(8) std::array<std::uint32_t, kMaxThreads> clock{};
  std::uint32_t clock_saved = 0;  // the step in which it was: see undo_log.hpp
};

}  // namespace heddle::native
