#include "cli/interrupt_watch.hpp"

#include <unistd.h>

#include <ctime>

namespace heddle {
namespace {

sigset_t interrupts() {
  sigset_t set;
  ::sigemptyset(&set);
  ::sigaddset(&set, SIGINT);
  ::sigaddset(&set, SIGTERM);
  return set;
}

}  // namespace

InterruptWatch::InterruptWatch(std::function<void()> stop) : stop_(std::move(stop)) {
  const sigset_t set = interrupts();
  ::pthread_sigmask(SIG_BLOCK, &set, &old_);  // for all threads from now on
  thread_ = std::thread([this] { watch(); });
}

InterruptWatch::~InterruptWatch() {
  over_ = true;
  thread_.join();
  ::pthread_sigmask(SIG_SETMASK, &old_, nullptr);
}

void InterruptWatch::watch() {
  constexpr timespec kTick{.tv_sec = 0, .tv_nsec = 50'000'000};
  const sigset_t set = interrupts();
  while (!over_) {
    const int signal = ::sigtimedwait(&set, nullptr, &kTick);
    if (signal > 0 && interrupted_) ::_exit(128 + signal);
    if (signal > 0) interrupted_ = true;
    if (interrupted_ && !over_) stop_();
  }
}

}  // namespace heddle
