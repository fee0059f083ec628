// Two threads append to one string stream, one at a time.
#include <cassert>
#include <mutex>
#include <sstream>
#include <string>
#include <thread>

static std::mutex journal_mutex;
static std::ostringstream journal;

static void note(int task) {
    std::lock_guard<std::mutex> guard(journal_mutex);
    journal << "task " << task << " done\n";
}

int main() {
    std::thread other(note, 1);
    note(2);
    other.join();
    const std::string text = journal.str();
    assert(text == "task 1 done\ntask 2 done\n" || text == "task 2 done\ntask 1 done\n");
}
