// Two threads copy and drop a shared pointer: the count is right at every rest and the object dies exactly once.
#include <atomic>
#include <cassert>
#include <memory>
#include <thread>

static std::atomic<int> closed{0};

struct Session {
    explicit Session(int n) : number(n) {}
    ~Session() { closed++; }
    int number;
};

static void visit(const std::shared_ptr<Session> &session) {
    std::shared_ptr<Session> mine = session;
    assert(mine->number == 7);
}

int main() {
    assert(closed == 0);
    auto session = std::make_shared<Session>(7);
    assert(session.use_count() == 1);
    std::shared_ptr<int> number(session, &session->number); // shares ownership
    assert(session.use_count() == 2);
    {
        std::thread first(visit, std::cref(session));
        std::thread second(visit, std::cref(session));
        first.join();
        second.join();
    }
    assert(session.use_count() == 2 && closed == 0);
    session.reset();
    assert(number.use_count() == 1 && closed == 0 && *number == 7);
    number.reset();
    assert(closed == 1);
}
