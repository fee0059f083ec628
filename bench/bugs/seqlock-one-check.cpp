// atomicity; bound 3, depth 4. The reader looks at the version before, not after: it sees half of the second write.
// Orders that suffice: version 2 < it is read < version 3, low = 2 < low is read, high is read < high = 2.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> version{0}, low{0}, high{0};

void write(int value) {
  ++version;
  low = value;
  high = value;
  ++version;
}

int main() {
  std::thread writer([] {
    write(1);
    write(2);
  });
  std::thread reader([] {
    if (version != 2) return;
    const int l = low;
    const int h = high;
    assert(!(l == 2 && h == 1));
  });
  writer.join();
  reader.join();
}
