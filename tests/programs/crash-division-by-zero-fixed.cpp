// The average reads the number of samples once and divides by the value it has checked.
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> sum{90};
static std::atomic<int> samples{3};
static std::atomic<int> shown{0};

static void show_average() {
  int count = samples.load();
  if (count == 0) return;
  int total = sum.load();
  int average = total / count;
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
