#include "program/native/native_states.hpp"

#include <type_traits>

#include "program/native/arena.hpp"
#include "program/native/keys.hpp"
#include "program/native/layout.hpp"
#include "program/native/process_objects.hpp"
#include "program/native/runtime.hpp"
#include "program/native/snapshot.hpp"
#include "program/native/tls.hpp"

namespace heddle::native {
namespace {

// Names of shared parts. Pages have the low bits of their number, which lie above all of these.
constexpr std::uint32_t kThreadsPart = 0;
constexpr std::uint32_t kKeysPart = 1;
constexpr std::uint32_t kProcessObjectsPart = 2;
constexpr std::uint32_t kHeapParts = 0x1000;
constexpr std::uint32_t kHeapStateParts = 0x2000;
constexpr std::uint32_t kTlsParts = 0x3000;
constexpr std::uint32_t kStackParts = 0x4000;
constexpr std::uint32_t kInitialHeapPart = 0x5000;
constexpr std::uint32_t kLastName = 0x6000;

StatePart shared(std::uint32_t name, const void* bytes, std::size_t size) {
  return {StatePart::Kind::Shared, name, 0, {static_cast<const std::byte*>(bytes), size}};
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
  kept_[at]->save();
  bytes_ += kept_[at]->size();
  return StateHandle{at};
}

void NativeStates::restore(StateHandle state) { kept_[static_cast<std::uint32_t>(state)]->restore(); }

void NativeStates::release(StateHandle state) {
  const auto at = static_cast<std::uint32_t>(state);
  bytes_ -= kept_[at]->size();
  kept_[at]->shrink();
  free_.push_back(at);
}

// Field by field: padding has no say.
void NativeStates::describe_threads() {
  Writer out(threads_);
  out << rt.main_returned << rt.exit_status << rt.spurious_used << rt.abandoned << rt.stopped
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
        << pending.second << pending.site << fibre.atomic_depth << fibre.barrier_generation << fibre.timed
        << fibre.idle_calls << fibre.unwind_exception;
    out << fibre.held.size() << fibre.tls_destructors.size() << fibre.key_values.size() << fibre.cleanup_buffers.size();
    for (const HeldLock& held : fibre.held) out << held.object << held.kind;
    for (const TlsDestructor& destructor : fibre.tls_destructors) out << destructor.function << destructor.object;
    for (void* value : fibre.key_values) out << value;
    for (void* buffer : fibre.cleanup_buffers) out << buffer;
  }
}

void NativeStates::describe(std::vector<StatePart>& parts) {
  parts.clear();
  describe_threads();
  parts.push_back(shared(kThreadsPart, threads_.data(), threads_.size()));
  const std::span<const std::byte> keys = keys_bytes();
  parts.push_back(shared(kKeysPart, keys.data(), keys.size()));
  // Padding in it could only hide that two states are the same.
  if (process_objects.used) {
    parts.push_back(shared(kProcessObjectsPart, &process_objects, sizeof process_objects));
  }
  for_each_changed_page([&](std::uint64_t address) {
    const auto name = static_cast<std::uint32_t>(address / kPage);
    HEDDLE_REQUIRE(name >= kLastName, "a page's number is taken for something else");
    parts.push_back(shared(name, reinterpret_cast<const void*>(address), kPage));
  });
  const ArenaBytes initial = initial_heap_state();
  if (initial.size != 0) parts.push_back(shared(kInitialHeapPart, initial.address, initial.size));
  for (std::size_t i = 0; i < rt.thread_count; ++i) {
    const auto name = static_cast<std::uint32_t>(i);
    const ArenaBytes heap = region_bytes(i);
    if (heap.size != 0) {
      parts.push_back(shared(kHeapParts + name, heap.address, heap.size));
      const ArenaBytes lists = region_lists(i);
      parts.push_back(shared(kHeapStateParts + name, lists.address, lists.size));
    }
    const Fibre& fibre = *rt.fibres[i];
    if (fibre.state->phase != ThreadPhase::Pending) continue;
    // Other threads reach stacks and thread-local variables through pointers: they are not local in the seam's sense.
    parts.push_back(shared(kStackParts + name, fibre.stack_pointer,
                           fibre.stack_high - reinterpret_cast<std::uint64_t>(fibre.stack_pointer)));
    if (fibre.id != kMainThread) {
      parts.push_back(
          shared(kTlsParts + name, reinterpret_cast<const void*>(tls_begin(fibre.id.value)), room_for_tls()));
    }
  }
}

}  // namespace heddle::native
