#include "worker/known_program.hpp"

#include <algorithm>

#include "program/native/await.hpp"
#include "program/native/private_stacks.hpp"
#include "program/native/runtime.hpp"

namespace heddle {
namespace {

using native::rt;

struct Known {
  ThreadId parent;
  std::uint32_t ordinal = 0;
};

// Threads are numbered in the order in which the search met them, and searches go by the numbers.
void archive_threads(Archive& archive) {
  std::vector<Known> threads;
  for (std::size_t i = 1; i < rt.thread_count; ++i) {
    threads.push_back({rt.fibres[i]->parent, rt.fibres[i]->ordinal});
  }
  archive(threads);
  if (!archive.reading()) return;
  for (const Known& thread : threads) native::adopt_thread(thread.parent, thread.ordinal);
}

// Loops that write to such a stack change something (private_stacks.hpp); over states nobody may look there again.
void archive_shared_stacks(Archive& archive) {
  std::vector<std::uint64_t> shared(native::shared_stacks, native::shared_stacks + rt.thread_count);
  archive(shared);
  if (!archive.reading()) return;
  if (shared.size() != rt.thread_count) return archive.refuse();
  std::copy(shared.begin(), shared.end(), native::shared_stacks);
}

void archive_notes(Archive& archive) {
  std::vector<std::string> notes(native::notes().begin(), native::notes().end());
  archive(notes, [&](std::string& note) { archive(note); });
  for (const std::string& note : notes) native::note_once(note);
}

}  // namespace

bool archive_known_program(Archive& archive, const std::string& modules) {
  std::string there = modules;
  archive(there);
  if (there != modules) return false;
  archive_threads(archive);
  archive_shared_stacks(archive);
  native::archive_awaits(archive);
  archive_notes(archive);
  archive(rt.timeouts_cut);
  archive(rt.gave_up);
  archive(rt.main_returned_early);
  archive(rt.weak_orders);
  return archive.sound();
}

}  // namespace heddle
