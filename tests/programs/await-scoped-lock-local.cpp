// Two threads take two mutexes on main's stack, each in its own order; the library backs off until it has both.
#include <mutex>
#include <thread>

int main() {
    std::mutex left, right;
    std::thread thread([&] { std::scoped_lock both(left, right); });
    {
        std::scoped_lock both(right, left);
    }
    thread.join();
}
