// Standard semaphores: one binary semaphore hands the turn over, a counting one gives out its permits and refuses more.
#include <cassert>
#include <chrono>
#include <semaphore>
#include <thread>

static std::binary_semaphore turn{0};
static std::counting_semaphore<4> permits{2};
static int message;

int main() {
    assert(message == 0);
    assert(permits.try_acquire() && permits.try_acquire() && !permits.try_acquire());
    permits.release(2);
    permits.acquire();
    std::thread sender([] {
        message = 8;
        turn.release();
    });
    turn.acquire();
    assert(message == 8);
    sender.join();
    assert(!turn.try_acquire());
    permits.release();
    assert(permits.try_acquire() && permits.try_acquire() && !permits.try_acquire());
}
