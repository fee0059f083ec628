// The worker catches the "queue closed" exception and ends quietly.
#include <mutex>
#include <stdexcept>
#include <thread>

static std::mutex guard;
static bool closed;
static int backlog = 1;

static int take() {
    std::lock_guard<std::mutex> hold(guard);
    if (closed)
        throw std::runtime_error("queue closed");
    return backlog--;
}

static void worker() {
    try {
        take();
    } catch (const std::runtime_error &) {
        // Closing the queue is the normal way to stop a worker.
    }
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
