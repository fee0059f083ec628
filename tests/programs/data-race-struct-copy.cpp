// The sampler updates a vector element under the mutex, the dashboard copies the same element without it.
#include <cassert>
#include <mutex>
#include <thread>
#include <vector>

struct Sample {
  long time;
  double minimum, mean, maximum;
};

static std::mutex samples_mutex;
static std::vector<Sample> samples(2);

static void record() {
  Sample latest{7, 1.0, 1.5, 2.0};
  std::lock_guard<std::mutex> hold(samples_mutex);
  samples[1] = latest;  // BUG
}

int main() {
  std::thread sampler(record);
  Sample copy = samples[1];  // BUG
  assert(copy.minimum <= copy.mean && copy.mean <= copy.maximum);
  sampler.join();
  return 0;
}
