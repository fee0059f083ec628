#include "program/native/native_states.hpp"

#include <algorithm>
#include <cstring>
#include <type_traits>

#include "program/native/arena.hpp"
#include "program/native/dead_stack.hpp"
#include "program/native/keys.hpp"
#include "program/native/layout.hpp"
#include "program/native/runtime.hpp"
#include "program/native/snapshot.hpp"
#include "program/native/tls.hpp"

namespace heddle::native {
namespace {

// Names of shared parts: what is of one thread by its number, pieces of memory by theirs, the heap's from the upper
// half on.
constexpr std::uint32_t kThreadsPart = 0;
constexpr std::uint32_t kKeysPart = 1;
constexpr std::uint32_t kInitialHeapPart = 2;
constexpr std::uint32_t kHeapStateParts = 0x1000;
constexpr std::uint32_t kTlsParts = 0x2000;
constexpr std::uint32_t kStackParts = 0x3000;
constexpr std::uint32_t kMemoryParts = 0x4000;
constexpr std::uint32_t kHeapParts = 0x8000'0000;
constexpr std::uint32_t kHeapPieces = 1U << 20U;  // of one thread
static_assert(kMaxThreads <= 0x800);

StatePart shared(std::uint32_t name, const void* bytes, std::size_t size) {
  return {StatePart::Kind::Shared, name, 0, {static_cast<const std::byte*>(bytes), size}};
}

bool alive(const Fibre& fibre) { return fibre.state->phase == ThreadPhase::Pending; }

// The values of a thread's keys up to the last that is one: how many there is room for is history.
std::span<void* const> values_set(const Fibre& fibre) {
  std::span<void* const> values = fibre.key_values;
  while (!values.empty() && values.back() == nullptr) values = values.first(values.size() - 1);
  return values;
}

class Writer {
 public:
  explicit Writer(std::vector<std::byte>& to) : to_(to) { to_.clear(); }
  template <typename T>
  Writer& operator<<(T value) {
    static_assert(std::is_scalar_v<T>);
    const auto* bytes = reinterpret_cast<const std::byte*>(&value);
    to_.insert(to_.end(), bytes, bytes + sizeof value);
    return *this;
  }

 private:
  std::vector<std::byte>& to_;
};

}  // namespace

StateHandle NativeStates::save() {
  std::uint32_t at = 0;
  if (free_.empty()) {
    at = static_cast<std::uint32_t>(kept_.size());
    kept_.push_back(std::make_unique<Checkpoint>());
  } else {
    at = free_.back();
    free_.pop_back();
  }
  const std::optional<std::size_t> room = Checkpoint::room();
  HEDDLE_REQUIRE(room, "a state cannot be kept");
  kept_[at]->save(*room);
  bytes_ += kept_[at]->size();
  return StateHandle{at};
}

void NativeStates::restore(StateHandle state) {
  kept_[static_cast<std::uint32_t>(state)]->restore();
  moved();
}

void NativeStates::release(StateHandle state) {
  const auto at = static_cast<std::uint32_t>(state);
  bytes_ -= kept_[at]->size();
  kept_[at]->shrink();
  free_.push_back(at);
}

// Field by field: padding has no say.
void NativeStates::describe_threads() {
  Writer out(threads_);
  out << rt.main_returned << rt.exited << rt.exit_status << rt.spurious_used << rt.abandoned << rt.stopped
      << (rt.atomic_owner == nullptr ? 0U : rt.atomic_owner->id.value + 1U);
  for (std::size_t i = 0; i < rt.thread_count; ++i) {
    const Fibre& fibre = *rt.fibres[i];
    const ThreadState& state = *fibre.state;
    if (state.phase == ThreadPhase::NotStarted) continue;
    out << i << state.phase << fibre.children << fibre.result << fibre.detached << fibre.joined << fibre.stuck;
    out << fibre.sleep << fibre.signalled << fibre.woken_alone << fibre.timeouts << fibre.random_draws;
    if (fibre.sleep != Sleep::None) out << fibre.sleeps_on << fibre.sleep_bits;
    if (state.phase != ThreadPhase::Pending) continue;
    const Operation& pending = state.pending;
    out << pending.kind << pending.order << pending.plain << pending.timed << pending.size << pending.object
        << pending.second << pending.site << fibre.atomic_depth << fibre.timed << fibre.idle_calls;
    for (const std::uint64_t word : fibre.unwind_exception) out << word;
    if (pending.kind == OpKind::BarrierLeave) out << fibre.barrier_generation;
    const std::span<void* const> values = values_set(fibre);
    out << fibre.held.size() << fibre.tls_destructors.size() << values.size() << fibre.cleanup_buffers.size();
    for (const HeldLock& held : fibre.held) out << held.object << held.kind;
    for (const TlsDestructor& destructor : fibre.tls_destructors) out << destructor.function << destructor.object;
    for (void* value : values) out << value;
    for (void* buffer : fibre.cleanup_buffers) out << buffer;
  }
}

// A thread's region in pieces, the last of which has all that is left.
void NativeStates::describe_heap(std::size_t thread, std::vector<StatePart>& parts) {
  const ArenaBytes heap = region_bytes(thread);
  if (heap.size == 0) return;
  const auto name = static_cast<std::uint32_t>(thread);
  std::uint32_t piece = 0;
  for (std::size_t at = 0; at < heap.size; ++piece) {
    const std::size_t size = piece + 1 < kHeapPieces ? std::min(kChunk, heap.size - at) : heap.size - at;
    parts.push_back(
        shared(kHeapParts + name * kHeapPieces + piece, static_cast<const std::byte*>(heap.address) + at, size));
    at += size;
  }
  const ArenaBytes lists = region_lists(thread);
  parts.push_back(shared(kHeapStateParts + name, lists.address, lists.size));
}

void NativeStates::describe(std::vector<StatePart>& parts) {
  parts.clear();
  describe_threads();
  parts.push_back(shared(kThreadsPart, threads_.data(), threads_.size()));
  const std::span<const std::byte> keys = keys_bytes();
  parts.push_back(shared(kKeysPart, keys.data(), keys.size()));
  const ArenaBytes initial = initial_heap_state();
  if (initial.size != 0) parts.push_back(shared(kInitialHeapPart, initial.address, initial.size));
  for_each_changed_chunk([&](std::uint32_t number, const void* bytes) {
    HEDDLE_REQUIRE(number < kHeapParts - kMemoryParts, "the program has more memory than pieces have numbers");
    parts.push_back(shared(kMemoryParts + number, bytes, kChunk));
  });
  for (std::size_t i = 0; i < rt.thread_count; ++i) {
    const auto name = static_cast<std::uint32_t>(i);
    describe_heap(i, parts);
    const Fibre& fibre = *rt.fibres[i];
    if (!alive(fibre)) continue;
    // Other threads reach stacks and thread-local variables through pointers: they are not local in the seam's sense.
    parts.push_back(shared(kStackParts + name, fibre.stack_pointer,
                           fibre.stack_high - reinterpret_cast<std::uint64_t>(fibre.stack_pointer)));
    if (fibre.id != kMainThread) {
      parts.push_back(
          shared(kTlsParts + name, reinterpret_cast<const void*>(tls_begin(fibre.id.value)), compared_tls()));
    }
  }
}

void NativeStates::clear_below(const Fibre& fibre) {
  const std::uint64_t live = live_stack(fibre);
  // Between the registers that switch_stack has saved and the frame of who called it lies room that nobody uses.
  constexpr std::uint64_t kSavedRegisters = 32;
  constexpr std::uint64_t kUnusedRoom = 128;
  if (alive(fibre)) std::memset(reinterpret_cast<void*>(live + kSavedRegisters), 0, kUnusedRoom);
  clear_dead_stack(fibre);
  dirty_from_[fibre.id.value] = live;
}

void NativeStates::stepped(const Fibre& fibre) {
  clear_below(fibre);
  // Threads that it has created have run, too.
  for (std::size_t i = 0; i < rt.thread_count; ++i) {
    const Fibre& other = *rt.fibres[i];
    if (alive(other) && (dirty_from_[i] == 0 || dirty_from_[i] == other.stack_high)) clear_below(other);
  }
}

// Below where a stack was cleared from it is blank, so only what lies between there and the new end is not.
void NativeStates::moved() {
  for (std::size_t i = 0; i < rt.thread_count; ++i) {
    const std::uint64_t live = live_stack(*rt.fibres[i]);
    if (dirty_from_[i] == 0) {
      clear_below(*rt.fibres[i]);  // constructors of static objects have run there
    } else if (dirty_from_[i] < live) {
      std::memset(reinterpret_cast<void*>(dirty_from_[i]), 0, live - dirty_from_[i]);
    }
    dirty_from_[i] = live;
  }
}

}  // namespace heddle::native
