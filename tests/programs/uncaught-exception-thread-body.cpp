// A worker lets the "queue closed" exception leave its thread function: std::terminate is called
// whenever the queue is closed before the worker gets to it.
#include <mutex>
#include <stdexcept>
#include <thread>

static std::mutex guard;
static bool closed;
static int backlog = 1;

static int take() {
    std::lock_guard<std::mutex> hold(guard);
    if (closed)
        throw std::runtime_error("queue closed"); // BUG
    return backlog--;
}

static void worker() {
    take();
}

int main() {
    std::thread thread(worker);
    {
        std::lock_guard<std::mutex> hold(guard);
        closed = true;
    }
    thread.join();
    return 0;
}
