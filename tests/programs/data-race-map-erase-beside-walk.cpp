// One thread erases an element of a map while another steps from element to element: both happen inside the C++ library.
#include <cassert>
#include <map>
#include <mutex>
#include <thread>

std::mutex mutex;
std::map<int, int> values;

int main() {
  for (int key = 0; key < 8; ++key) values[key] = key;
  const auto erased = values.find(3);
  auto at = values.find(4);
  std::thread eraser([&] {
    const std::lock_guard lock(mutex);
    values.erase(erased);  // BUG
  });
  ++at;  // BUG
  assert(at->first == 5);
  eraser.join();
}
