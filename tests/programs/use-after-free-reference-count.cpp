// References to a session are taken with a load and a store: when one of two is lost, the second
// release deletes the session although main still holds its own reference.
#include <atomic>
#include <thread>

struct Session {
    std::atomic<int> requests{0};
};

static Session *session = new Session;
static std::atomic<int> references{1}; // the one of main

static void acquire() {
    int count = references.load();
    references.store(count + 1);
}

static void release() {
    if (references.fetch_sub(1) == 1)
        delete session;
}

static void handle_request() {
    acquire();
    session->requests.fetch_add(1);
    release();
}

int main() {
    std::thread first(handle_request);
    std::thread second(handle_request);
    first.join();
    second.join();
    int handled = session->requests.load(); // BUG
    release();
    return handled == 2 ? 0 : 1;
}
