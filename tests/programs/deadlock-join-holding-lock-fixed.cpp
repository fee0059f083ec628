// Shutdown writes its log line, releases the log mutex and only then joins the worker.
#include <cassert>
#include <mutex>
#include <thread>

static std::mutex log_mutex;
static int log_lines = 0;

static void worker_body() {
  std::lock_guard<std::mutex> hold(log_mutex);
  log_lines++;
}

int main() {
  std::thread worker(worker_body);
  {
    std::lock_guard<std::mutex> hold(log_mutex);
    log_lines++;
  }
  worker.join();
  assert(log_lines == 2);
  return 0;
}
