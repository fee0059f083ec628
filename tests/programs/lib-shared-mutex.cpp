// std::shared_mutex: readers see both halves of an update, share with each other, and keep the writer out.
#include <cassert>
#include <mutex>
#include <shared_mutex>
#include <thread>

static std::shared_mutex lock;
static int low, high;

static void look(int &seen) {
    std::shared_lock<std::shared_mutex> guard(lock);
    assert(low == high);
    seen = low;
}

static void update() {
    std::unique_lock<std::shared_mutex> guard(lock);
    low++;
    high++;
}

int main() {
    assert(low == 0 && high == 0);
    {
        std::shared_lock<std::shared_mutex> reading(lock);
        std::thread([] {
            assert(lock.try_lock_shared());
            lock.unlock_shared();
            assert(!lock.try_lock());
        }).join();
    }
    int seen[2] = {-1, -1};
    std::thread first(look, std::ref(seen[0]));
    std::thread second(look, std::ref(seen[1]));
    update();
    first.join();
    second.join();
    assert((seen[0] == 0 || seen[0] == 1) && (seen[1] == 0 || seen[1] == 1));
    assert(low == 1 && high == 1 && lock.try_lock());
    lock.unlock();
}
