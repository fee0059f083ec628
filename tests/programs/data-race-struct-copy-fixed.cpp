// The sampler updates a vector element and the dashboard copies it, both under the mutex; no copy is ever torn.
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
  samples[1] = latest;
}

int main() {
  std::thread sampler(record);
  Sample copy;
  {
    std::lock_guard<std::mutex> hold(samples_mutex);
    copy = samples[1];
  }
  assert(copy.minimum <= copy.mean && copy.mean <= copy.maximum);
  assert(copy.time == 0 || copy.time == 7);
  sampler.join();
  return 0;
}
