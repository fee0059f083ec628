// Two threads write to std::cout, which is made for that.
#include <iostream>
#include <thread>

int main() {
    std::thread thread([] { std::cout << "one " << 1 << '\n'; });
    std::cout << "two " << 2 << '\n';
    thread.join();
}
