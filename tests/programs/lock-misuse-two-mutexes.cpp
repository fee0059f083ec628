// Reader and writer wait on the same condition variable, each with a mutex of its own.
#include <condition_variable>
#include <mutex>
#include <thread>

static std::mutex input_mutex;
static std::mutex output_mutex;
static std::condition_variable changed;
static bool input_ready = false;
static bool output_ready = false;

static void read_input() {
  std::unique_lock<std::mutex> lock(input_mutex);
  while (!input_ready) {
    changed.wait(lock);  // BUG
  }
}

static void write_output() {
  std::unique_lock<std::mutex> lock(output_mutex);
  while (!output_ready) {
    changed.wait(lock);  // BUG
  }
}

int main() {
  std::thread reader(read_input);
  std::thread writer(write_output);
  {
    std::lock_guard<std::mutex> first(input_mutex);
    std::lock_guard<std::mutex> second(output_mutex);
    input_ready = true;
    output_ready = true;
  }
  changed.notify_all();
  reader.join();
  writer.join();
  return 0;
}
