// Ticket lock for three threads.
#include <atomic>
#include <thread>

static std::atomic<int> next_ticket, serving;
static int counter;

static void enter() {
    const int ticket = next_ticket.fetch_add(1);
    while (serving.load() != ticket) {
    }
    counter++;
    serving.store(ticket + 1);
}

int main() {
    std::thread first(enter), second(enter), third(enter);
    first.join();
    second.join();
    third.join();
    return counter == 3 ? 0 : 1;
}
