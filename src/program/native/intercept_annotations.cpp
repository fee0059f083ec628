// What programs tell ThreadSanitizer about themselves (the "dynamic annotations"): libcds, for one, calls these
// functions when it is compiled for it. Order that they declare counts in the race check; reads and writes that they
// declare to be harmless are not checked for races.
#include <cstddef>

#include "program/native/raw_syscall.hpp"
#include "program/native/real.hpp"
#include "program/native/runtime.hpp"
#include "program/native/sync_clocks.hpp"

using namespace heddle::native;  // NOLINT: this file is nothing but definitions in C's own namespace

namespace {

void note_unchecked() {
  note_once(
      "the program declares accesses to be harmless (AnnotateIgnoreReadsBegin and its like): they were not checked "
      "for data races");
}

}  // namespace

HEDDLE_INTERCEPT void AnnotateHappensBefore(const char*, int, const volatile void* object) {
  if (rt.inside) release_more(*rt.current, word(const_cast<const void*>(object)));
}
HEDDLE_INTERCEPT void AnnotateHappensAfter(const char*, int, const volatile void* object) {
  if (rt.inside) acquire(*rt.current, word(const_cast<const void*>(object)));
}

HEDDLE_INTERCEPT void AnnotateIgnoreReadsBegin(const char*, int) {
  if (!rt.inside) return;
  ++rt.current->unchecked_reads;
  note_unchecked();
}
HEDDLE_INTERCEPT void AnnotateIgnoreReadsEnd(const char*, int) {
  if (rt.inside && rt.current->unchecked_reads > 0) --rt.current->unchecked_reads;
}
HEDDLE_INTERCEPT void AnnotateIgnoreWritesBegin(const char*, int) {
  if (!rt.inside) return;
  ++rt.current->unchecked_writes;
  note_unchecked();
}
HEDDLE_INTERCEPT void AnnotateIgnoreWritesEnd(const char*, int) {
  if (rt.inside && rt.current->unchecked_writes > 0) --rt.current->unchecked_writes;
}

// Locks made of atomics are followed through these; memory is told apart by its allocation.
HEDDLE_INTERCEPT void AnnotateRWLockCreate(const char*, int, const volatile void*) {}
HEDDLE_INTERCEPT void AnnotateRWLockDestroy(const char*, int, const volatile void*) {}
HEDDLE_INTERCEPT void AnnotateRWLockAcquired(const char*, int, const volatile void*, long) {}
HEDDLE_INTERCEPT void AnnotateRWLockReleased(const char*, int, const volatile void*, long) {}
HEDDLE_INTERCEPT void AnnotateNewMemory(const char*, int, const volatile void*, std::size_t) {}
HEDDLE_INTERCEPT void AnnotatePublishMemoryRange(const char*, int, const volatile void*, std::size_t) {}
HEDDLE_INTERCEPT void AnnotateUnpublishMemoryRange(const char*, int, const volatile void*, std::size_t) {}
