// A server answers three clients for ever; a request is on the heap.
#include <cassert>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>

namespace {

struct Request {
  int client;
  int answer = 0;
};

std::mutex turn;  // of clients: one request at a time
std::mutex mutex;
std::condition_variable changed;
Request* request = nullptr;
bool answered = false;

void serve() {
  for (;;) {
    std::unique_lock lock(mutex);
    changed.wait(lock, [] { return request != nullptr && !answered; });
    request->answer = request->client + 10;
    answered = true;
    changed.notify_all();
  }
}

void ask(int client) {
  for (;;) {
    std::lock_guard mine(turn);
    auto sent = std::make_unique<Request>(client);
    std::unique_lock lock(mutex);
    request = sent.get();
    answered = false;
    changed.notify_all();
    changed.wait(lock, [] { return answered; });
    assert(sent->answer == client + 10);
    request = nullptr;
  }
}

}  // namespace

int main() {
  std::thread clients[3];
  for (int i = 0; i < 3; ++i) clients[i] = std::thread(ask, i + 1);
  serve();
}
