// Two threads that wait for each other twice, each in loops of its own.
#include <atomic>
#include <thread>

int main() {
    std::atomic<int> stages[2]{0, 0};
    auto meet = [&](int me) {
        stages[me] = 1;
        while (stages[1 - me] == 0) {
        }
        stages[me] = 2;
        while (stages[1 - me] < 2) {
        }
    };
    std::thread thread(meet, 0);
    meet(1);
    thread.join();
}
