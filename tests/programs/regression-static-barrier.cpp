// A barrier is initialised in a static constructor, before main, and used by two threads.
#include <cassert>
#include <pthread.h>
#include <thread>

class Barrier {
public:
    explicit Barrier(unsigned parties) { pthread_barrier_init(&barrier, nullptr, parties); }
    ~Barrier() { pthread_barrier_destroy(&barrier); }
    void wait() { pthread_barrier_wait(&barrier); }

private:
    pthread_barrier_t barrier;
};

static Barrier halfway(2);
static int left, right;

int main() {
    std::thread helper([] {
        left = 1;
        halfway.wait();
        assert(right == 1);
    });
    right = 1;
    halfway.wait();
    assert(left == 1);
    helper.join();
    return 0;
}
