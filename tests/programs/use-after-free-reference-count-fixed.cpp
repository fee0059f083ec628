// References to a session are taken with one atomic addition: none is lost and main's reference
// keeps the session alive.
#include <atomic>
#include <thread>

struct Session {
    std::atomic<int> requests{0};
};

static Session *session = new Session;
static std::atomic<int> references{1}; // the one of main

static void acquire() {
    references.fetch_add(1);
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
    int handled = session->requests.load();
    release();
    return handled == 2 ? 0 : 1;
}
