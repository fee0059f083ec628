// Two encoders need two buffers each from a pool of two; one at a time may collect buffers, so nobody holds just one.
#include <semaphore.h>

#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

static sem_t buffers;
static std::mutex collecting;
static std::atomic<int> frames{0};

static void encode_frame() {
  {
    std::lock_guard<std::mutex> alone(collecting);
    for (int i = 0; i < 2; i++) {
      sem_wait(&buffers);
    }
  }
  frames.fetch_add(1);
  sem_post(&buffers);
  sem_post(&buffers);
}

int main() {
  sem_init(&buffers, 0, 2);
  std::thread video(encode_frame);
  std::thread audio(encode_frame);
  video.join();
  audio.join();
  assert(frames.load() == 2);
  sem_destroy(&buffers);
  return 0;
}
