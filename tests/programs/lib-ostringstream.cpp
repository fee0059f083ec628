// A string stream for each thread: formatting flags and contents stay apart while both are in use.
#include <atomic>
#include <cassert>
#include <iomanip>
#include <sstream>
#include <string>
#include <thread>

static std::atomic<int> parts{0};

static void hexadecimal(std::ostringstream &out) {
    out << std::hex << std::setfill('0') << std::setw(4) << 255;
    parts++;
    out << ' ' << 16 << std::uppercase;
    parts++;
    out << ' ' << 254;
}

static void decimal(std::ostringstream &out) {
    out << std::fixed << std::setprecision(2) << 1.5;
    parts++;
    out << ' ' << 16 << ' ' << std::boolalpha << true;
    parts++;
    out << ' ' << 0.125;
}

int main() {
    assert(parts == 0);
    std::ostringstream left, right;
    std::thread first(hexadecimal, std::ref(left));
    std::thread second(decimal, std::ref(right));
    first.join();
    second.join();
    assert(left.str() == "00ff 10 FE");
    assert(right.str() == "1.50 16 true 0.12");
    int number = 0;
    std::istringstream(left.str()) >> std::hex >> number;
    assert(number == 255 && parts == 4);
}
