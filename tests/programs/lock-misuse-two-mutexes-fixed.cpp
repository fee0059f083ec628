// Reader and writer wait on the same condition variable with the one mutex that protects both flags.
#include <condition_variable>
#include <mutex>
#include <thread>

static std::mutex port_mutex;
static std::condition_variable changed;
static bool input_ready = false;
static bool output_ready = false;

static void read_input() {
  std::unique_lock<std::mutex> lock(port_mutex);
  while (!input_ready) {
    changed.wait(lock);
  }
}

static void write_output() {
  std::unique_lock<std::mutex> lock(port_mutex);
  while (!output_ready) {
    changed.wait(lock);
  }
}

int main() {
  std::thread reader(read_input);
  std::thread writer(write_output);
  {
    std::lock_guard<std::mutex> hold(port_mutex);
    input_ready = true;
    output_ready = true;
  }
  changed.notify_all();
  reader.join();
  writer.join();
  return 0;
}
