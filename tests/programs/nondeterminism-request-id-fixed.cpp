// Requests are spread over two queues by the digits of an identifier with a fixed value.
#include <atomic>
#include <cstdio>
#include <thread>

static std::atomic<int> left{0}, right{0}, finished{0};

static void make_identifier(char *text, int size) {
    static unsigned serial = 0x5eed1234;
    std::snprintf(text, size, "%08x-0000-0000-0000-000000000000", serial++);
}

int main() {
    char identifier[40];
    std::thread worker([] { finished.fetch_add(1); });
    make_identifier(identifier, sizeof identifier);
    for (int digit = 0; digit < 36; digit++) {
        if (identifier[digit] % 2 == 0)
            left.fetch_add(1);
        else
            right.store(digit);
    }
    worker.join();
    return 0;
}
