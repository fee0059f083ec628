// atomicity; bound 2, depth 3. A reader that looks twice sees the first value and then the second. Orders that
// suffice: 1 is written < the first read < 2 is written < the second read.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> version{0};

int main() {
  std::thread writer([] {
    version = 1;
    version = 2;
  });
  std::thread reader([] {
    const int first = version;
    const int second = version;
    assert(!(first == 1 && second == 2));
  });
  writer.join();
  reader.join();
}
