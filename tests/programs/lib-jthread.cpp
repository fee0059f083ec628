// std::jthread: joins by itself, its stop token reports the request, a callback runs once in the requesting thread.
#include <atomic>
#include <cassert>
#include <stop_token>
#include <thread>

static std::atomic<int> rounds{0};

static void work(std::stop_token stop) {
    for (int i = 0; i < 2 && !stop.stop_requested(); i++)
        rounds++;
}

int main() {
    assert(rounds == 0);
    {
        std::jthread worker(work);
        assert(worker.joinable() && worker.get_stop_source().stop_possible());
    } // asks to stop and joins
    assert(rounds <= 2);

    int calls = 0;
    std::stop_source source;
    std::stop_callback callback(source.get_token(), [&] { calls++; });
    std::jthread requester([&] {
        assert(source.request_stop());
        assert(!source.request_stop());
        assert(calls == 1);
    });
    requester.join();
    assert(calls == 1 && source.stop_requested());
    std::stop_callback late(source.get_token(), [&] { calls++; }); // already requested: runs here and now
    assert(calls == 2);
}
