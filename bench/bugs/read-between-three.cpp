// atomicity; bound 3, depth 4. The same with a third write still to come. Orders that suffice: 1 is written < the
// first read < 2 is written < the second read < 3 is written.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> version{0};

int main() {
  std::thread writer([] {
    version = 1;
    version = 2;
    version = 3;
  });
  std::thread reader([] {
    const int first = version;
    const int second = version;
    assert(!(first == 1 && second == 2));
  });
  writer.join();
  reader.join();
}
