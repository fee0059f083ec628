// Two threads print with std::cout and printf: no line is refused, and the stream starts with its default format.
#include <atomic>
#include <cassert>
#include <cstdio>
#include <iostream>
#include <mutex>
#include <thread>

static std::atomic<int> printed{0};
static std::mutex lock;

static void speak(const char *name) {
    std::cout << "unsynchronised\n"; // allowed: the standard streams may be shared
    assert(std::printf("%s prints\n", name) > 7);
    printed++;
    std::lock_guard<std::mutex> guard(lock);
    std::cout << name << ' ' << 255 << ' ' << 1.5 << std::endl;
    assert(std::cout.good());
}

int main() {
    assert(printed == 0);
    assert((std::cout.flags() & std::ios::basefield) == std::ios::dec);
    assert(std::cout.precision() == 6 && std::cout.fill() == ' ');
    std::thread first(speak, "first");
    std::thread second(speak, "second");
    first.join();
    second.join();
    assert(printed == 2);
    std::cout.setf(std::ios::hex, std::ios::basefield);
    std::cout.precision(3);
    std::cout.fill('*');
    std::cerr.setf(std::ios::showbase);
}
