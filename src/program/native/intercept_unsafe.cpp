// Functions of libc that keep something between two calls, in a place of their own, without a lock: POSIX does not
// require them to be safe for threads, and they are not. Each call counts as an access to that place, so that two calls
// that are not ordered are a data race, found whatever libc happens to do.
#include <cstdlib>
#include <cstring>
#include <ctime>

#include "program/native/library_accesses.hpp"
#include "program/native/real.hpp"

using namespace heddle::native;  // NOLINT: this file is nothing but definitions in libc's own namespace

// Their names are what reports call the memory that raced. Nobody reads or writes them.
extern "C" {
__attribute__((visibility("hidden"))) char what_strtok_keeps;
__attribute__((visibility("hidden"))) char what_drand48_keeps;
__attribute__((visibility("hidden"))) char the_environment;
}

namespace {

void uses(char& kept, std::uint64_t site) { plain_access(reinterpret_cast<std::uint64_t>(&kept), 1, true, site); }
void looks_at(char& kept, std::uint64_t site) { plain_access(reinterpret_cast<std::uint64_t>(&kept), 1, false, site); }

}  // namespace

HEDDLE_INTERCEPT char* heddle_strtok(char* text, const char* separators) __asm__("strtok");
char* heddle_strtok(char* text, const char* separators) {
  uses(what_strtok_keeps, HEDDLE_SITE);
  return HEDDLE_REAL(strtok)(text, separators);
}

#define HEDDLE_DRAND48(result, name)                      \
  HEDDLE_INTERCEPT result heddle_##name() __asm__(#name); \
  result heddle_##name() {                                \
    uses(what_drand48_keeps, HEDDLE_SITE);                \
    return HEDDLE_REAL(name)();                           \
  }
HEDDLE_DRAND48(double, drand48)
HEDDLE_DRAND48(long, lrand48)
HEDDLE_DRAND48(long, mrand48)
HEDDLE_INTERCEPT void heddle_srand48(long seed) __asm__("srand48");
void heddle_srand48(long seed) {
  uses(what_drand48_keeps, HEDDLE_SITE);
  HEDDLE_REAL(srand48)(seed);
}

// Broken-down time and its text: what they return is the place itself.
#define HEDDLE_STATIC_TIME(result, size, name, argument)                       \
  HEDDLE_INTERCEPT result* heddle_##name(const argument* from) __asm__(#name); \
  result* heddle_##name(const argument* from) {                                \
    announce(from, HEDDLE_SITE);                                               \
    result* const kept = HEDDLE_REAL(name)(from);                              \
    if (kept != nullptr) writes(kept, size, HEDDLE_SITE);                      \
    return kept;                                                               \
  }
HEDDLE_STATIC_TIME(std::tm, sizeof *kept, gmtime, std::time_t)
HEDDLE_STATIC_TIME(std::tm, sizeof *kept, localtime, std::time_t)
HEDDLE_STATIC_TIME(char, std::strlen(kept) + 1, ctime, std::time_t)
HEDDLE_STATIC_TIME(char, std::strlen(kept) + 1, asctime, std::tm)

HEDDLE_INTERCEPT char* heddle_getenv(const char* name) __asm__("getenv");
char* heddle_getenv(const char* name) {
  looks_at(the_environment, HEDDLE_SITE);
  return HEDDLE_REAL(getenv)(name);
}
HEDDLE_INTERCEPT char* heddle_secure_getenv(const char* name) __asm__("secure_getenv");
char* heddle_secure_getenv(const char* name) {
  looks_at(the_environment, HEDDLE_SITE);
  return HEDDLE_REAL(secure_getenv)(name);
}
HEDDLE_INTERCEPT int heddle_setenv(const char* name, const char* value, int replace) __asm__("setenv");
int heddle_setenv(const char* name, const char* value, int replace) {
  uses(the_environment, HEDDLE_SITE);
  return HEDDLE_REAL(setenv)(name, value, replace);
}
HEDDLE_INTERCEPT int heddle_unsetenv(const char* name) __asm__("unsetenv");
int heddle_unsetenv(const char* name) {
  uses(the_environment, HEDDLE_SITE);
  return HEDDLE_REAL(unsetenv)(name);
}
HEDDLE_INTERCEPT int heddle_putenv(char* setting) __asm__("putenv");
int heddle_putenv(char* setting) {
  uses(the_environment, HEDDLE_SITE);
  return HEDDLE_REAL(putenv)(setting);
}
HEDDLE_INTERCEPT int heddle_clearenv() __asm__("clearenv");
int heddle_clearenv() {
  uses(the_environment, HEDDLE_SITE);
  return HEDDLE_REAL(clearenv)();
}
