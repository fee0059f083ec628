// Requests are spread over two queues by the digits of a random identifier that the kernel makes
// up anew on every read.
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <thread>

static std::atomic<int> left{0}, right{0}, finished{0};

static void make_identifier(char *text, int size) {
    std::FILE *file = std::fopen("/proc/sys/kernel/random/uuid", "r");
    if (!file || !std::fgets(text, size, file))
        std::abort();
    std::fclose(file);
}

int main() {
    char identifier[40];
    std::thread worker([] { finished.fetch_add(1); });
    make_identifier(identifier, sizeof identifier);
    for (int digit = 0; digit < 36; digit++) {
        if (identifier[digit] % 2 == 0)
            left.fetch_add(1); // BUG
        else
            right.store(digit); // BUG
    }
    worker.join();
    return 0;
}
