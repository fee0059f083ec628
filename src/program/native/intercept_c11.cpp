// C11 <threads.h>. glibc implements these inside itself, past any interceptor, so they are put on the POSIX functions
// here: same objects, other return values.
#include <pthread.h>
#include <threads.h>

#include <cerrno>
#include <cstdint>

#include "program/native/keys.hpp"
#include "program/native/real.hpp"
#include "program/native/runtime.hpp"

using namespace heddle::native;  // NOLINT: this file is nothing but definitions in libc's own namespace

namespace {

int translated(int error) {
  switch (error) {
    case 0: return thrd_success;
    case EBUSY: return thrd_busy;
    case ETIMEDOUT: return thrd_timedout;
    case ENOMEM: return thrd_nomem;
    default: return thrd_error;
  }
}

pthread_mutex_t* posix(mtx_t* mutex) { return reinterpret_cast<pthread_mutex_t*>(mutex); }
pthread_cond_t* posix(cnd_t* condition) { return reinterpret_cast<pthread_cond_t*>(condition); }

// A C11 thread function returns int, in the register where a start routine returns its pointer; the upper half is cut
// off again when the thread is joined.
using StartRoutine = void* (*)(void*);

// Operations are where the program called the function of C11, not where that calls the one of POSIX.
class CalledFrom {
 public:
  explicit CalledFrom(std::uint64_t site) { rt.current->called_from = site; }
  ~CalledFrom() { rt.current->called_from = 0; }
  CalledFrom(const CalledFrom&) = delete;
  CalledFrom& operator=(const CalledFrom&) = delete;
};

}  // namespace

HEDDLE_INTERCEPT int thrd_create(thrd_t* thread, thrd_start_t function, void* argument) {
  if (!rt.inside) return HEDDLE_REAL(thrd_create)(thread, function, argument);
  const CalledFrom called(HEDDLE_SITE);
  return translated(
      pthread_create(thread, nullptr, reinterpret_cast<StartRoutine>(reinterpret_cast<void*>(function)), argument));
}
HEDDLE_INTERCEPT int thrd_join(thrd_t thread, int* result) {
  if (!rt.inside) return HEDDLE_REAL(thrd_join)(thread, result);
  const CalledFrom called(HEDDLE_SITE);
  void* value = nullptr;
  const int error = pthread_join(thread, &value);
  if (result != nullptr) *result = static_cast<int>(reinterpret_cast<std::intptr_t>(value));
  return translated(error);
}
HEDDLE_INTERCEPT int thrd_detach(thrd_t thread) {
  if (!rt.inside) return HEDDLE_REAL(thrd_detach)(thread);
  const CalledFrom called(HEDDLE_SITE);
  return translated(pthread_detach(thread));
}
HEDDLE_INTERCEPT void thrd_exit(int result) {
  if (!rt.inside) HEDDLE_REAL(thrd_exit)(result);
  pthread_exit(reinterpret_cast<void*>(static_cast<std::intptr_t>(result)));
}
HEDDLE_INTERCEPT thrd_t thrd_current() { return pthread_self(); }
HEDDLE_INTERCEPT int thrd_equal(thrd_t a, thrd_t b) { return a == b ? 1 : 0; }
HEDDLE_INTERCEPT void thrd_yield() {
  if (!rt.inside) HEDDLE_REAL(thrd_yield)();
}
HEDDLE_INTERCEPT int thrd_sleep(const timespec* duration, timespec* left) {
  return rt.inside ? nanosleep(duration, left) : HEDDLE_REAL(thrd_sleep)(duration, left);
}

HEDDLE_INTERCEPT int mtx_init(mtx_t* mutex, int type) noexcept {
  if (!rt.inside) return HEDDLE_REAL(mtx_init)(mutex, type);
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_settype(&attributes, (type & mtx_recursive) != 0 ? PTHREAD_MUTEX_RECURSIVE : PTHREAD_MUTEX_NORMAL);
  return translated(pthread_mutex_init(posix(mutex), &attributes));
}
HEDDLE_INTERCEPT int mtx_lock(mtx_t* mutex) {
  if (!rt.inside) return HEDDLE_REAL(mtx_lock)(mutex);
  const CalledFrom called(HEDDLE_SITE);
  return translated(pthread_mutex_lock(posix(mutex)));
}
HEDDLE_INTERCEPT int mtx_timedlock(mtx_t* __restrict mutex, const timespec* __restrict until) {
  if (!rt.inside) return HEDDLE_REAL(mtx_timedlock)(mutex, until);
  const CalledFrom called(HEDDLE_SITE);
  return translated(pthread_mutex_timedlock(posix(mutex), until));
}
HEDDLE_INTERCEPT int mtx_trylock(mtx_t* mutex) {
  if (!rt.inside) return HEDDLE_REAL(mtx_trylock)(mutex);
  const CalledFrom called(HEDDLE_SITE);
  return translated(pthread_mutex_trylock(posix(mutex)));
}
HEDDLE_INTERCEPT int mtx_unlock(mtx_t* mutex) {
  if (!rt.inside) return HEDDLE_REAL(mtx_unlock)(mutex);
  const CalledFrom called(HEDDLE_SITE);
  return translated(pthread_mutex_unlock(posix(mutex)));
}
HEDDLE_INTERCEPT void mtx_destroy(mtx_t* mutex) {
  if (rt.inside) {
    pthread_mutex_destroy(posix(mutex));
  } else {
    HEDDLE_REAL(mtx_destroy)(mutex);
  }
}

HEDDLE_INTERCEPT int cnd_init(cnd_t* condition) {
  return rt.inside ? translated(pthread_cond_init(posix(condition), nullptr)) : HEDDLE_REAL(cnd_init)(condition);
}
HEDDLE_INTERCEPT int cnd_signal(cnd_t* condition) {
  if (!rt.inside) return HEDDLE_REAL(cnd_signal)(condition);
  const CalledFrom called(HEDDLE_SITE);
  return translated(pthread_cond_signal(posix(condition)));
}
HEDDLE_INTERCEPT int cnd_broadcast(cnd_t* condition) {
  if (!rt.inside) return HEDDLE_REAL(cnd_broadcast)(condition);
  const CalledFrom called(HEDDLE_SITE);
  return translated(pthread_cond_broadcast(posix(condition)));
}
HEDDLE_INTERCEPT int cnd_wait(cnd_t* condition, mtx_t* mutex) {
  if (!rt.inside) return HEDDLE_REAL(cnd_wait)(condition, mutex);
  const CalledFrom called(HEDDLE_SITE);
  return translated(pthread_cond_wait(posix(condition), posix(mutex)));
}
HEDDLE_INTERCEPT int cnd_timedwait(cnd_t* __restrict condition, mtx_t* __restrict mutex,
                                   const timespec* __restrict until) {
  if (!rt.inside) return HEDDLE_REAL(cnd_timedwait)(condition, mutex, until);
  const CalledFrom called(HEDDLE_SITE);
  return translated(pthread_cond_timedwait(posix(condition), posix(mutex), until));
}
HEDDLE_INTERCEPT void cnd_destroy(cnd_t* condition) {
  if (rt.inside) {
    pthread_cond_destroy(posix(condition));
  } else {
    HEDDLE_REAL(cnd_destroy)(condition);
  }
}

HEDDLE_INTERCEPT int tss_create(tss_t* key, tss_dtor_t destructor) {
  return rt.inside ? translated(key_create(key, destructor)) : HEDDLE_REAL(tss_create)(key, destructor);
}
HEDDLE_INTERCEPT void* tss_get(tss_t key) { return rt.inside ? key_get(*rt.current, key) : HEDDLE_REAL(tss_get)(key); }
HEDDLE_INTERCEPT int tss_set(tss_t key, void* value) {
  return rt.inside ? translated(key_set(*rt.current, key, value)) : HEDDLE_REAL(tss_set)(key, value);
}
HEDDLE_INTERCEPT void tss_delete(tss_t key) {
  if (rt.inside) {
    key_delete(key);
  } else {
    HEDDLE_REAL(tss_delete)(key);
  }
}
HEDDLE_INTERCEPT void call_once(once_flag* flag, void (*function)()) {
  if (rt.inside) {
    pthread_once(reinterpret_cast<pthread_once_t*>(flag), function);
  } else {
    HEDDLE_REAL(call_once)(flag, function);
  }
}
