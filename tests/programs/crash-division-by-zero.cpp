// The average checks that there are samples and then reads the number again; a reset in between makes it zero.
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> sum{90};
static std::atomic<int> samples{3};
static std::atomic<int> shown{0};

static void show_average() {
  if (samples.load() == 0) return;
  int total = sum.load();
  int count = samples.load();
  int average = total / count;  // BUG
  shown.store(average);
}

static void reset() {
  samples.store(0);
  sum.store(0);
}

int main() {
  std::thread display(show_average);
  std::thread button(reset);
  display.join();
  button.join();
  assert(shown.load() == 0 || shown.load() == 30);
  return 0;
}
