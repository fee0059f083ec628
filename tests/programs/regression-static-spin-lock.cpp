// A spin lock is initialised and used in a static constructor, before main, and then by two threads.
#include <cassert>
#include <pthread.h>
#include <thread>

class Counter {
public:
    Counter() {
        pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
        increment();
    }
    ~Counter() { pthread_spin_destroy(&lock); }
    void increment() {
        pthread_spin_lock(&lock);
        value++;
        pthread_spin_unlock(&lock);
    }
    int value = 0;

private:
    pthread_spinlock_t lock;
};

static Counter requests;

int main() {
    std::thread client([] { requests.increment(); });
    requests.increment();
    client.join();
    assert(requests.value == 3);
    return 0;
}
