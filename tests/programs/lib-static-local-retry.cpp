// The first construction of a static local throws: one caller gets the exception, the next attempt succeeds for all.
#include <atomic>
#include <cassert>
#include <stdexcept>
#include <thread>

static std::atomic<int> attempts{0};

struct Connection {
    Connection() {
        if (attempts.fetch_add(1) == 0)
            throw std::runtime_error("refused");
    }
    int handle = 5;
};

static int connect() {
    static Connection connection;
    return connection.handle;
}

static void client(int &refused) {
    try {
        assert(connect() == 5);
    } catch (const std::runtime_error &) {
        refused++;
        assert(connect() == 5);
    }
}

int main() {
    assert(attempts == 0);
    int refused[2] = {0, 0};
    std::thread first(client, std::ref(refused[0]));
    std::thread second(client, std::ref(refused[1]));
    first.join();
    second.join();
    assert(refused[0] + refused[1] == 1);
    assert(attempts == 2 && connect() == 5 && attempts == 2);
}
