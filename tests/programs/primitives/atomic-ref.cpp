// A plain variable used atomically for a while through std::atomic_ref.
#include <atomic>
#include <cassert>
#include <thread>

int main() {
    int counter = 0;
    {
        std::thread thread([&] { std::atomic_ref<int>(counter).fetch_add(1); });
        std::atomic_ref<int>(counter).fetch_add(1);
        thread.join();
    }
    assert(counter == 2);
}
