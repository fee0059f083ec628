#include "program/native/checkpoint.hpp"

#include <algorithm>
#include <cstring>
#include <type_traits>

#include "program/native/arena.hpp"
#include "program/native/await.hpp"
#include "program/native/keys.hpp"
#include "program/native/process_state.hpp"
#include "program/native/runtime.hpp"
#include "program/native/scheduler.hpp"
#include "program/native/snapshot.hpp"
#include "program/native/tls.hpp"

namespace heddle::native {
namespace {

// What a restart sets in the runtime.
struct RuntimeFields {
  std::size_t thread_count;
  Fibre* atomic_owner;
  std::uint32_t open_sections;
  int exit_status;
  std::uint32_t spurious_used;
  bool main_returned;
  bool exited;
  bool stopped;
  bool abandoned;
};

// Which threads can run follows from the rest, but not as quickly as it is copied.
static_assert(std::is_trivially_copyable_v<SchedulerSets>);

bool alive(const Fibre& fibre) { return fibre.state->phase == ThreadPhase::Pending; }

std::size_t stack_size(const Fibre& fibre) {
  return fibre.stack_high - reinterpret_cast<std::uint64_t>(fibre.stack_pointer);
}

// Main's block is among the pages.
bool has_own_tls(const Fibre& fibre) { return alive(fibre) && fibre.id != kMainThread; }

bool has_lists(const Fibre& fibre) {
  return !(fibre.held.empty() && fibre.tls_destructors.empty() && fibre.key_values.empty() &&
           fibre.cleanup_buffers.empty());
}

// Nobody asks a thread that has ended what it waited for, and one that begins forgets all of it.
bool has_watch(const Fibre& fibre) {
  return alive(fibre) || (fibre.state->phase == ThreadPhase::Stopped && fibre.await.waiting);
}

void save_watch(CheckpointBuffer& buffer, const AwaitWatch& watch) {
  buffer.put<AwaitCounts>(watch);
  buffer.put_bytes(watch.taken.data(), watch.taken_count * sizeof(AwaitWatch::Taken));
  if (heddle_entry_wanted != 0) buffer.put<AwaitRounds>(watch);
}

void restore_watch(CheckpointReader& reader, AwaitWatch& watch) {
  reader.get<AwaitCounts>(watch);
  reader.get_bytes(watch.taken.data(), watch.taken_count * sizeof(AwaitWatch::Taken));
  if (heddle_entry_wanted != 0) reader.get<AwaitRounds>(watch);
}

std::size_t room_for_threads() {
  std::size_t room = 0;
  for (std::size_t i = 0; i < rt.thread_count; ++i) {
    const Fibre& fibre = *rt.fibres[i];
    room += sizeof(ThreadState);
    if (fibre.state->phase == ThreadPhase::NotStarted) continue;
    room += sizeof(FibreState) + 2 * sizeof(bool) + sizeof(AwaitWatch) + CheckpointBuffer::room_for(fibre.held) +
            CheckpointBuffer::room_for(fibre.tls_destructors) + CheckpointBuffer::room_for(fibre.key_values) +
            CheckpointBuffer::room_for(fibre.cleanup_buffers);
    if (alive(fibre)) room += room_for_tls() + stack_size(fibre);
  }
  return room;
}

}  // namespace

bool Checkpoint::possible() {
  if (rt.phase != ProgramPhase::Running || !pages_settled() || !process_state_untouched()) return false;
  for (std::size_t i = 0; i < rt.thread_count; ++i) {
    const Fibre& fibre = *rt.fibres[i];
    if (fibre.state->phase != ThreadPhase::NotStarted && fibre.stuck) return false;
    if (has_own_tls(fibre) && !tls_as_initialised(fibre.id.value)) return false;
  }
  return true;
}

std::optional<std::size_t> Checkpoint::room() {
  if (!possible()) return std::nullopt;
  return sizeof(RuntimeFields) + sizeof(SchedulerSets) + room_for_pages() + room_for_arena() + room_for_keys() +
         room_for_threads();
}

void Checkpoint::save(std::size_t room) {
  buffer_.clear(room);
  buffer_.put(RuntimeFields{rt.thread_count, rt.atomic_owner, rt.open_sections, rt.exit_status, rt.spurious_used,
                            rt.main_returned, rt.exited, rt.stopped, rt.abandoned});
  buffer_.put(scheduler_sets);
  save_keys(buffer_);
  buffer_.put_bytes(rt.states->data(), rt.thread_count * sizeof(ThreadState));
  for (std::size_t i = 0; i < rt.thread_count; ++i) {
    const Fibre& fibre = *rt.fibres[i];
    if (fibre.state->phase == ThreadPhase::NotStarted) continue;
    buffer_.put<FibreState>(fibre);
    const bool watch = has_watch(fibre);
    buffer_.put(watch);
    if (watch) save_watch(buffer_, fibre.await);
    const bool lists = has_lists(fibre);
    buffer_.put(lists);
    if (!lists) continue;
    buffer_.put(fibre.held);
    buffer_.put(fibre.tls_destructors);
    buffer_.put(fibre.key_values);
    buffer_.put(fibre.cleanup_buffers);
  }
  memory_ = buffer_.size();
  if (rt.settings.stateful) {
    save_changed_chunks(buffer_);
  } else {
    save_pages(buffer_);
  }
  save_arena(buffer_);
  for (std::size_t i = 0; i < rt.thread_count; ++i) {
    const Fibre& fibre = *rt.fibres[i];
    if (has_own_tls(fibre)) save_tls(buffer_, fibre.id.value);
  }
  stacks_ = buffer_.size();
  for (std::size_t i = 0; i < rt.thread_count; ++i) {
    const Fibre& fibre = *rt.fibres[i];
    if (alive(fibre)) buffer_.put_bytes(fibre.stack_pointer, stack_size(fibre));
  }
}

void Checkpoint::restore() const {
  CheckpointReader reader(buffer_);
  RuntimeFields fields;
  reader.get(fields);
  rt.phase = ProgramPhase::Running;
  rt.raised = false;
  rt.stopped = fields.stopped;
  rt.abandoned = fields.abandoned;
  rt.atomic_owner = fields.atomic_owner;
  rt.open_sections = fields.open_sections;
  rt.exit_status = fields.exit_status;
  rt.spurious_used = fields.spurious_used;
  rt.main_returned = fields.main_returned;
  rt.exited = fields.exited;
  rt.closing = false;
  reader.get(scheduler_sets);
  process_state_reset();
  restore_keys(reader);
  reader.get_bytes(rt.states->data(), fields.thread_count * sizeof(ThreadState));
  for (std::size_t i = fields.thread_count; i < rt.thread_count; ++i) (*rt.states)[i] = {};  // not met yet
  for (std::size_t i = 0; i < rt.thread_count; ++i) {
    Fibre& fibre = *rt.fibres[i];
    if (fibre.state->phase == ThreadPhase::NotStarted) {
      fibre.sleep = Sleep::None;
      continue;
    }
    reader.get<FibreState>(fibre);
    bool watch = false;
    reader.get(watch);
    if (watch) restore_watch(reader, fibre.await);
    bool lists = false;
    reader.get(lists);
    if (lists) {
      reader.get(fibre.held);
      reader.get(fibre.tls_destructors);
      reader.get(fibre.key_values);
      reader.get(fibre.cleanup_buffers);
    } else if (has_lists(fibre)) {
      fibre.held.clear();
      fibre.tls_destructors.clear();
      fibre.key_values.clear();
      fibre.cleanup_buffers.clear();
    }
  }
  if (rt.settings.stateful) {
    restore_changed_chunks(reader);
  } else {
    restore_pages(reader);
  }
  restore_arena(reader, fields.thread_count);
  for (std::size_t i = 0; i < rt.thread_count; ++i) {
    const Fibre& fibre = *rt.fibres[i];
    if (has_own_tls(fibre)) restore_tls(reader, fibre.id.value);
  }
  for (std::size_t i = 0; i < rt.thread_count; ++i) {
    const Fibre& fibre = *rt.fibres[i];
    if (alive(fibre)) reader.get_bytes(fibre.stack_pointer, stack_size(fibre));
  }
  HEDDLE_REQUIRE(reader.at_end(), "a checkpoint holds more than what is put back");
}

bool Checkpoint::same_memory(const Checkpoint& other) const noexcept {
  return std::equal(buffer_.data() + memory_, buffer_.data() + stacks_, other.buffer_.data() + other.memory_,
                    other.buffer_.data() + other.stacks_);
}

}  // namespace heddle::native
