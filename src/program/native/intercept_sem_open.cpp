// Named semaphores: sem_open, sem_close, sem_unlink. They are the execution's own; what other processes have under
// these names is not seen.
#include <fcntl.h>
#include <semaphore.h>

#include <cerrno>
#include <climits>
#include <cstdarg>
#include <cstring>
#include <string>

#include "program/native/accesses.hpp"
#include "program/native/locks.hpp"
#include "program/native/process_objects.hpp"
#include "program/native/raw_syscall.hpp"
#include "program/native/real.hpp"
#include "program/native/sync_clocks.hpp"
#include "program/native/sync_objects.hpp"

using namespace heddle;          // NOLINT: this file is nothing but definitions in libc's own namespace
using namespace heddle::native;  // NOLINT

namespace {

// Which semaphores have a name is known to all threads.
void announce(std::uint64_t site) { reach({.kind = OpKind::System, .site = site}); }

sem_t* failed_to_open(int error) {
  errno = error;
  return SEM_FAILED;
}

NamedSemaphore* find_linked(const char* name) {
  for (NamedSemaphore& entry : process_objects.semaphores.entries) {
    if (entry.linked && std::strcmp(entry.name.data(), name) == 0) return &entry;
  }
  return nullptr;
}

NamedSemaphore& new_entry() {
  for (NamedSemaphore& entry : change_process_objects().semaphores.entries) {
    if (!entry.linked && entry.opened == 0) return entry;
  }
  refuse(Refusal::Limit, "the program has more than " + std::to_string(process_objects.semaphores.entries.size()) +
                             " named semaphores at once");
}

// Names are compared without the slash in front, as glibc does.
const char* plain_name(const char* name) {
  while (*name == '/') ++name;
  return name;
}

sem_t* open_semaphore(const char* raw_name, int flags, unsigned value, std::uint64_t site) {
  const char* name = plain_name(raw_name);
  if (*name == '\0' || std::strchr(name, '/') != nullptr) return failed_to_open(EINVAL);
  if (std::strlen(name) > NamedSemaphore::kLongestName) return failed_to_open(ENAMETOOLONG);
  note_once("named semaphores begin anew in each execution: those of other processes are not seen");
  announce(site);
  if (NamedSemaphore* entry = find_linked(name)) {
    if ((flags & O_CREAT) != 0 && (flags & O_EXCL) != 0) return failed_to_open(EEXIST);
    ++entry->opened;
    return &entry->semaphore;
  }
  if ((flags & O_CREAT) == 0) return failed_to_open(ENOENT);
  if (value > SEM_VALUE_MAX) return failed_to_open(EINVAL);
  NamedSemaphore& entry = new_entry();
  entry = {.opened = 1, .linked = true};
  std::strcpy(entry.name.data(), name);
  sync_clocks_forget(word(&entry.semaphore), sizeof entry.semaphore);
  reinterpret_cast<Semaphore&>(entry.semaphore).value = value;
  return &entry.semaphore;
}

}  // namespace

HEDDLE_INTERCEPT sem_t* sem_open(const char* name, int flags, ...) noexcept {
  unsigned value = 0;
  mode_t mode = 0;
  if ((flags & O_CREAT) != 0) {
    std::va_list list;
    va_start(list, flags);
    mode = va_arg(list, mode_t);
    value = va_arg(list, unsigned);
    va_end(list);
  }
  if (!rt.inside) return HEDDLE_REAL(sem_open)(name, flags, mode, value);
  return open_semaphore(name, flags, value, HEDDLE_SITE);
}

HEDDLE_INTERCEPT int sem_close(sem_t* semaphore) noexcept {
  if (!rt.inside) return HEDDLE_REAL(sem_close)(semaphore);
  for (NamedSemaphore& entry : process_objects.semaphores.entries) {
    if (&entry.semaphore != semaphore || entry.opened == 0) continue;
    announce(HEDDLE_SITE);
    if (--entry.opened == 0) reinterpret_cast<Semaphore&>(entry.semaphore).destroyed = entry.linked ? 0 : 1;
    return 0;
  }
  misuse("sem_close of a semaphore that is not open", HEDDLE_SITE);
}

HEDDLE_INTERCEPT int sem_unlink(const char* name) noexcept {
  if (!rt.inside) return HEDDLE_REAL(sem_unlink)(name);
  announce(HEDDLE_SITE);
  NamedSemaphore* entry = find_linked(plain_name(name));
  if (entry == nullptr) {
    errno = ENOENT;
    return -1;
  }
  entry->linked = false;
  return 0;
}
