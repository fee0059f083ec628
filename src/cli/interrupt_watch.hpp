// Ctrl-C and SIGTERM while this process itself searches: a thread waits for them, so that whatever has to be done about
// them may be done.
#pragma once

#include <atomic>
#include <csignal>
#include <functional>
#include <thread>

namespace heddle {

class InterruptWatch {
 public:
  // `stop` is called again and again once there was an interrupt, from another thread, until this object goes. A second
  // interrupt ends the process.
  explicit InterruptWatch(std::function<void()> stop);
  ~InterruptWatch();
  InterruptWatch(const InterruptWatch&) = delete;
  InterruptWatch& operator=(const InterruptWatch&) = delete;

  [[nodiscard]] bool interrupted() const noexcept { return interrupted_; }

 private:
  void watch();

  std::function<void()> stop_;
  sigset_t old_{};
  std::atomic<bool> interrupted_ = false;
  std::atomic<bool> over_ = false;
  std::thread thread_;
};

}  // namespace heddle
