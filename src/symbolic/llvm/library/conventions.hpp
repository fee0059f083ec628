// What the C library's functions return, and which family a call belongs to.
#pragma once

#include <llvm/IR/InstrTypes.h>

#include <cstdint>

namespace heddle::symbolic {

inline constexpr std::uint64_t kBusy = 16;            // EBUSY
inline constexpr std::uint64_t kNotOwner = 1;         // EPERM
inline constexpr std::uint64_t kDeadlock = 35;        // EDEADLK
inline constexpr std::uint64_t kThreadBusy = 1;       // thrd_busy
inline constexpr std::uint64_t kThreadError = 2;      // thrd_error
inline constexpr std::uint64_t kThreadTimedOut = 4;   // thrd_timedout
inline constexpr std::uint64_t kTimedOut = 110;       // ETIMEDOUT
inline constexpr std::uint64_t kTimedOutOutcome = 1;  // as the native engine numbers what a wait may come to
inline constexpr std::uint64_t kSpuriousOutcome = 2;
inline constexpr int kInvalid = 22;                // EINVAL
inline constexpr int kAgain = 11;                  // EAGAIN
inline constexpr int kOverflow = 75;               // EOVERFLOW
inline constexpr std::uint64_t kKindOffset = 16;   // of a mutex's kind, in glibc on x86-64
inline constexpr std::uint64_t kAdaptiveKind = 3;  // a plain mutex but for its speed
inline constexpr std::uint64_t kDestroyedKind = 0xFFFFFFFF;

[[nodiscard]] inline bool is_c11(const llvm::CallBase& c) {
  const llvm::StringRef name = c.getCalledFunction()->getName();
  return name.starts_with("mtx_") || name.starts_with("thrd_") || name.starts_with("cnd_");
}

// Whether the operation ends when its time is up.
[[nodiscard]] inline bool is_timed(const llvm::CallBase& c) {
  const llvm::StringRef name = c.getCalledFunction()->getName();
  return name.contains("timed") || name.contains("clock");
}

[[nodiscard]] inline bool is_spin(const llvm::CallBase& c) {
  return c.getCalledFunction()->getName().starts_with("pthread_spin_");
}

}  // namespace heddle::symbolic
