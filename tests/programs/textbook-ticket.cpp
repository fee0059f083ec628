// Ticket lock, but drawing a ticket is a load and a store: two threads may draw the same one, and
// the third waits for a number that is never called.
#include <atomic>
#include <thread>

static std::atomic<int> next_ticket, serving;
static int counter;

static void enter() {
    const int ticket = next_ticket.load();
    next_ticket.store(ticket + 1);
    while (serving.load() != ticket) { // BUG
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
