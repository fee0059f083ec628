// Shutdown joins the worker while it holds the log mutex; a worker that still has a line to write never ends.
#include <cassert>
#include <mutex>
#include <thread>

static std::mutex log_mutex;
static int log_lines = 0;

static void worker_body() {
  std::lock_guard<std::mutex> hold(log_mutex);  // BUG
  log_lines++;
}

int main() {
  std::thread worker(worker_body);
  {
    std::lock_guard<std::mutex> hold(log_mutex);
    log_lines++;
    worker.join();  // BUG
  }
  assert(log_lines == 2);
  return 0;
}
