// Two threads take two mutexes with scoped_lock in opposite orders: whoever cannot get the second gives the first back.
#include <mutex>
#include <thread>

static std::mutex left, right;
static int counter;

int main() {
    std::thread other([] {
        std::scoped_lock hold(left, right);
        counter++;
    });
    {
        std::scoped_lock hold(right, left);
        counter++;
    }
    other.join();
    return counter == 2 ? 0 : 1;
}
