#include "program/native/await.hpp"

#include <sys/mman.h>
#include <sys/syscall.h>

#include <algorithm>
#include <bit>

#include "base/contract.hpp"
#include "model/dependency.hpp"
#include "program/native/heap_objects.hpp"
#include "program/native/raw_syscall.hpp"
#include "program/native/recorder.hpp"
#include "program/native/runtime_entry.hpp"
#include "program/native/shared_stacks.hpp"
#include "program/native/stack_check.hpp"

extern "C" {
heddle::native::EntryRegisters heddle_entry_registers;
std::uint8_t heddle_entry_wanted = 0;
std::uint8_t heddle_plain_entry_wanted = 0;
}

namespace heddle::native {
namespace {

// Words of a thread's stack that others write while the thread is in the loop at this site.
struct SharedWords {
  std::uint64_t site;
  std::uint64_t stack_pointer;
  std::uint64_t begin;
  std::uint64_t end;
};

// What the search has found out so far. Only grows, and the search begins anew whenever it does.
struct Learnt {
  static constexpr std::size_t kMostSites = 128;
  static constexpr std::size_t kMostShared = 64;
  std::size_t site_count;
  std::array<std::uint64_t, 2 * kMostSites> sites;  // open addressing
  std::array<bool, 2 * kMostSites> doubted;         // where rounds were not told in the same way each time
  std::size_t shared_count;
  std::array<SharedWords, kMostShared> shared;  // sorted by `begin`
  std::array<bool, kMaxThreads> stacks;         // that other threads look at
  static constexpr std::size_t kMostObjects = 64;
  std::size_t object_count;
  std::array<std::uint64_t, kMostObjects> objects;  // on the heap; once there are too many, any block may hold one
};
Learnt* learnt = nullptr;

std::size_t slot_of(std::uint64_t site) {
  std::size_t at = (site * 0x9E3779B97F4A7C15U) >> 56U;
  while (learnt->sites[at] != 0 && learnt->sites[at] != site) at = (at + 1) % learnt->sites.size();
  return at;
}

// What was explored so far is not what the program does from now on.
void begin_anew() {
  if (rt.phase == ProgramPhase::Running) rt.phase = ProgramPhase::Revised;
}

void learn_site(std::uint64_t site) {
  if (learnt->site_count == Learnt::kMostSites) return;
  ++learnt->site_count;
  learnt->sites[slot_of(site)] = site;
  begin_anew();
}

void learn_shared(const AwaitWatch::Round& round, std::uint64_t begin, std::uint64_t end) {
  for (std::size_t i = 0; i < learnt->shared_count; ++i) {
    const SharedWords& known = learnt->shared[i];
    if (known.site == round.site && known.stack_pointer == round.stack_pointer && known.begin <= begin &&
        end <= known.end) {
      return;
    }
  }
  if (learnt->shared_count == Learnt::kMostShared) {
    refuse(Refusal::Limit, "threads write too many variables on the stack of a thread that waits in a loop");
  }
  SharedWords* const all = learnt->shared.data();
  SharedWords* const at =
      std::upper_bound(all, all + learnt->shared_count, begin,
                       [](std::uint64_t address, const SharedWords& words) { return address < words.begin; });
  std::copy_backward(at, all + learnt->shared_count, all + learnt->shared_count + 1);
  *at = {round.site, round.stack_pointer, begin, end};
  ++learnt->shared_count;
  begin_anew();
}

struct StateHash {
  std::array<std::uint64_t, 2> state{0x243F6A8885A308D3U, 0x13198A2E03707344U};
  void add(std::uint64_t word) noexcept {
    state[0] = std::rotl((state[0] ^ word) * 0x9E3779B97F4A7C15U, 29);
    state[1] = std::rotl((state[1] + word) * 0xC2B2AE3D27D4EB4FU, 31);
  }
  void add(std::uint64_t begin, std::uint64_t end) noexcept {
    for (; begin < end; begin += 8) add(*reinterpret_cast<const std::uint64_t*>(begin));
  }
};

// All that decides what the thread does next, besides memory that others can see: the operation with its operands,
// registers, and the stack above the call.
std::array<std::uint64_t, 2> state_at(const Fibre& fibre, const Operation& op) {
  const EntryRegisters& entry = heddle_entry_registers;
  StateHash hash;
  hash.add(static_cast<std::uint64_t>(op.kind) ^ (std::uint64_t{op.size} << 8U) ^ (std::uint64_t{op.order} << 40U));
  hash.add(op.object);
  hash.add(op.second);
  if (op.kind == OpKind::Rmw || op.kind == OpKind::Cas) hash.add(entry.argument);
  for (const std::uint64_t value : entry.preserved) hash.add(value);
  std::uint64_t at = entry.stack_pointer + 8;
  for (std::size_t i = 0; i < learnt->shared_count; ++i) {
    const SharedWords& words = learnt->shared[i];
    if (words.site != op.site || words.stack_pointer != entry.stack_pointer || words.end <= at) continue;
    hash.add(at, words.begin);
    at = words.end;
  }
  hash.add(at, fibre.stack_high);
  return hash.state;
}

// Words on a thread's stack that are left out of its state in some loop.
std::uint64_t others_words(const Fibre& fibre) {
  StateHash hash;
  for (std::size_t i = 0; i < learnt->shared_count; ++i) {
    const SharedWords& words = learnt->shared[i];
    if (words.begin >= fibre.stack_low && words.end <= fibre.stack_high) hash.add(words.begin, words.end);
  }
  return hash.state[0];
}

// The thread takes no further step: see await.hpp.
[[noreturn]] void wait_for_ever(Fibre& fibre, std::uint64_t since) {
  if (rt.recording) record_stack(fibre);
  fibre.await.waiting = true;
  fibre.await.waits_since = since;
  fibre.await.others_words = others_words(fibre);
  stand_still();
}

}  // namespace

void prepare_awaits() {
  const long at = raw_syscall(SYS_mmap, 0, sizeof(Learnt), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
                              ~std::uint64_t{0}, 0);
  HEDDLE_REQUIRE(at > 0, "cannot map memory for what is learnt about loops");
  learnt = reinterpret_cast<Learnt*>(at);
}

void learn_stack_access(std::uint64_t address) {
  const auto owner = stack_owner(address);
  if (!owner || *owner == rt.current->id || learnt->stacks[owner->value]) return;
  learnt->stacks[owner->value] = true;
  begin_anew();
}

bool stack_is_shared(ThreadId owner) { return learnt->stacks[owner.value]; }

namespace {

void learn_object(ObjectClass object, std::uint64_t address) {
  const bool memory = object == ObjectClass::None || object == ObjectClass::Memory || object == ObjectClass::Any;
  if (memory || address - kInitialHeap >= kMaps - kInitialHeap || learnt->object_count == Learnt::kMostObjects) return;
  const auto known = learnt->objects.begin() + static_cast<std::ptrdiff_t>(learnt->object_count);
  if (std::find(learnt->objects.begin(), known, address) != known) return;
  learnt->objects[learnt->object_count++] = address;
  begin_anew();
}

}  // namespace

void learn_heap_objects(const Operation& op) {
  const KindTraits& kind = traits(op.kind);
  learn_object(kind.first.object, op.object);
  learn_object(kind.second.object, kind.second.object == ObjectClass::Futex ? op.object : op.second);
}

bool may_hold_objects(std::uint64_t block, std::size_t size) {
  constexpr std::size_t kLarge = 4096;  // an access to each of its words would cost more than it saves
  if (size > kLarge || learnt->object_count == Learnt::kMostObjects) return true;
  const auto known = learnt->objects.begin() + static_cast<std::ptrdiff_t>(learnt->object_count);
  return std::any_of(learnt->objects.begin(), known, [&](std::uint64_t object) { return object - block < size; });
}

void archive_awaits(Archive& archive) { archive(*learnt); }

// Stacks are compared from then on: neither the runtime nor an earlier execution may leave anything on them.
void start_awaits() noexcept {
  heddle_entry_wanted = learnt->site_count > 0 ? 1 : 0;
  heddle_clear_at_entry = heddle_entry_wanted != 0 || rt.settings.stateful ? 1 : 0;
  heddle_clear_wide = rt.settings.stateful && __builtin_cpu_supports("avx512f") ? 1 : 0;
  heddle_clear_plain = heddle_entry_wanted != 0 && !rt.settings.visible_all ? 1 : 0;
  heddle_plain_entry_wanted = rt.settings.visible_all && (heddle_entry_wanted != 0 || rt.settings.stateful) ? 1 : 0;
}

void note_arrival(Fibre& fibre, AwaitWatch::Arrival& arrival) {
  constexpr std::uint32_t kLongAgo = 16;  // operations
  const Operation& op = fibre.state->pending;
  const AwaitWatch& watch = fibre.await;
  if (heddle_entry_wanted != 0) {
    const std::size_t slot = slot_of(op.site);
    if (learnt->doubted[slot]) return;
    if (learnt->sites[slot] == op.site) return look_for_round(fibre);
  }
  const AwaitWatch::Arrival now = arrival_now(op, watch);
  const bool current = arrival.epoch == now.epoch;
  if (current && arrival.place == now.place) {
    learn_site(op.site);
  } else if (!current || now.when - arrival.when > kLongAgo) {
    // Whoever came first keeps the place for a while: two sites of one loop must not take it from each other.
    arrival = now;
  }
}

namespace {

bool same_place(const AwaitWatch::Round& a, const AwaitWatch::Round& b) {
  return a.site == b.site && a.object == b.object && a.stack_pointer == b.stack_pointer;
}

// A thread may go round in different ways in turn, and then come to one place in a few different states; in a loop that
// counts there are too many of them, and they must not take the place of all others.
AwaitWatch::Round& room_for_round(AwaitWatch& watch, const AwaitWatch::Round& now) {
  constexpr std::size_t kStates = 4;
  std::size_t count = 0;
  AwaitWatch::Round* oldest = nullptr;
  for (AwaitWatch::Round& round : watch.rounds) {
    if (!same_place(round, now)) continue;
    ++count;
    if (oldest == nullptr || round.since < oldest->since) oldest = &round;
  }
  if (count >= kStates) return *oldest;
  AwaitWatch::Round& next = watch.rounds[watch.oldest_round];
  watch.oldest_round = static_cast<std::uint32_t>((watch.oldest_round + 1) % watch.rounds.size());
  return next;
}

}  // namespace

void look_for_round(Fibre& fibre) {
  const Operation& op = fibre.state->pending;
  AwaitWatch& watch = fibre.await;
  const std::uint64_t stack_pointer = heddle_entry_registers.stack_pointer;
  // Registers that belong to this very call, on the thread's own stack.
  if (stack_pointer - fibre.stack_low >= fibre.stack_high - fibre.stack_low) return;
  if (*reinterpret_cast<const std::uint64_t*>(stack_pointer) != op.site && fibre.called_from == 0) return;
  const std::array<std::uint64_t, 2> state = state_at(fibre, op);
  const AwaitWatch::Round now{op.site, op.object, stack_pointer, watch.epoch, state, watch.now, false};
  auto* const round = std::find_if(watch.rounds.begin(), watch.rounds.end(),
                                   [&](const AwaitWatch::Round& r) { return same_place(r, now) && r.state == state; });
  if (round == watch.rounds.end()) {
    room_for_round(watch, now) = now;
    return;
  }
  const auto* const taken = watch.taken.data();
  const bool all_given_back =
      std::none_of(taken, taken + watch.taken_count, [&](const AwaitWatch::Taken& t) { return t.when > round->since; });
  const bool futile = round->epoch == watch.epoch && round->since >= watch.forgotten && all_given_back;
  if (!futile) {
    *round = now;
    return;
  }
  // A round that read memory of others in a plain way may have been part of a data race, and the thread must go on for
  // the race to show: of such rounds the first is let pass. So is one on which another thread found a mutex taken that
  // this thread gave back before the round was over.
  const bool observed = watch.observed > round->since;
  if ((watch.plain_read > round->since || observed) && !round->again) {
    round->again = true;
    round->since = watch.now;
    return;
  }
  if (observed) {
    note_once(
        "threads that take locks and give them back again, because they could not get another, do so at most twice in "
        "the same way");
  }
  wait_for_ever(fibre, round->since);
}

void remember_read(AwaitWatch& watch, std::uint64_t address, std::uint32_t size) {
  std::uint64_t value = 0;
  __builtin_memcpy(&value, reinterpret_cast<const void*>(address), size);
  AwaitWatch::Read* oldest = watch.reads.data();
  for (AwaitWatch::Read& read : watch.reads) {
    if (read.address == address && read.size == size && read.value == value) {
      read.when = watch.now;
      return;
    }
    if (read.when < oldest->when) oldest = &read;
  }
  watch.forgotten = std::max(watch.forgotten, oldest->when);
  *oldest = {address, value, watch.now, size};
}

void remember_plain_read(AwaitWatch& watch, std::uint64_t address, std::uint64_t size) {
  constexpr std::uint64_t kMost = 64;  // bytes at once; a loop that reads more is not recognised
  if (size > kMost) {
    ++watch.epoch;
    return;
  }
  for (; size > 8; size -= 8, address += 8) remember_read(watch, address, 8);
  remember_read(watch, address, static_cast<std::uint32_t>(size));
}

void await_takes(std::uint64_t object, std::uint64_t state, std::uint32_t size) {
  AwaitWatch& watch = rt.current->await;
  if (watch.taken_count == watch.taken.size()) return;  // an effect, then
  await_read(state, size);
  watch.taken[watch.taken_count++] = {object, watch.now};
}

namespace {

// Mutexes are mostly given back in the order opposite to that in which they were taken.
AwaitWatch::Taken* last_taken(AwaitWatch& watch, std::uint64_t object) {
  for (std::size_t i = watch.taken_count; i-- > 0;) {
    if (watch.taken[i].object == object) return &watch.taken[i];
  }
  return nullptr;
}

void give_back(AwaitWatch& watch, AwaitWatch::Taken* taken) {
  // A thread that stood still where it had the mutex would keep it for ever: no round that began there is in vain.
  if (heddle_entry_wanted != 0) {
    for (AwaitWatch::Round& round : watch.rounds) {
      if (round.since >= taken->when) round.epoch = 0;
    }
  }
  std::copy(taken + 1, watch.taken.data() + watch.taken_count, taken);
  --watch.taken_count;
}

}  // namespace

void await_releases(std::uint64_t object) {
  AwaitWatch& watch = rt.current->await;
  AwaitWatch::Taken* const taken = last_taken(watch, object);
  if (taken == nullptr) return;  // an effect
  watch.epoch = watch.epoch_before;
  give_back(watch, taken);
}

// No operation that others see; what it leaves behind is how often the mutex has to be given back.
void await_takes_again(std::uint64_t object) {
  AwaitWatch& watch = rt.current->await;
  if (watch.taken_count == watch.taken.size() || last_taken(watch, object) == nullptr) return await_effect();
  watch.taken[watch.taken_count++] = {object, watch.now};
}

void await_gives_back(std::uint64_t object) {
  AwaitWatch& watch = rt.current->await;
  const AwaitWatch::Taken* const taken = watch.taken.data();
  const auto times = std::count_if(taken, taken + watch.taken_count, [&](const auto& t) { return t.object == object; });
  if (times < 2) return await_effect();  // the first is the one that others see
  give_back(watch, last_taken(watch, object));
}

void stack_written(std::uint64_t address, std::uint64_t size) {
  const std::uint64_t begin = address & ~std::uint64_t{7};
  const std::uint64_t end = (address + size + 7) & ~std::uint64_t{7};
  Fibre& current = *rt.current;
  const std::uint64_t owner = (address - kStacks) / kStackSlot;
  if (owner >= rt.thread_count) return await_effect();
  Fibre& fibre = *rt.fibres[owner];
  if (&fibre == &current) {
    // What is left out of its state is memory like any other.
    for (std::size_t i = 0; i < learnt->shared_count; ++i) {
      if (learnt->shared[i].begin < end && begin < learnt->shared[i].end) return await_effect();
    }
    return;
  }
  await_effect();
  for (const AwaitWatch::Round& round : fibre.await.rounds) {
    if (round.epoch == fibre.await.epoch && round.stack_pointer < begin) learn_shared(round, begin, end);
  }
}

void doubt_round(const Fibre& fibre) {
  learnt->doubted[slot_of(fibre.state->pending.site)] = true;
  begin_anew();
}

bool waits_in_vain(const Fibre& fibre) noexcept {
  const AwaitWatch& watch = fibre.await;
  if (watch.others_words != others_words(fibre)) return true;
  return std::any_of(watch.reads.begin(), watch.reads.end(), [&](const AwaitWatch::Read& read) {
    if (read.when <= watch.waits_since) return false;
    return __builtin_memcmp(&read.value, reinterpret_cast<const void*>(read.address), read.size) != 0;
  });
}

}  // namespace heddle::native
