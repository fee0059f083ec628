// Two threads write to one stream of their own.
#include <sstream>
#include <thread>

int main() {
    std::ostringstream text;
    std::thread thread([&text] {
        text << 1;  // BUG
    });
    text << 2;  // BUG
    thread.join();
}
