// An allocation that fails throws, and in a thread nobody catches it.
#include <thread>
#include <vector>

int main() {
    std::thread thread([] {
        std::vector<int> numbers(100);
        numbers[1] = 2;
    });
    thread.join();
}
