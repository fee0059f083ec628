// One thread forgets the atomic_ref.
#include <atomic>
#include <thread>

int main() {
    int counter = 0;
    std::thread thread([&] { std::atomic_ref<int>(counter).fetch_add(1); });
    ++counter;  // BUG
    thread.join();
}
