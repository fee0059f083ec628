// Two maps with the same entries, put in by another thread and by main in another order, are walked side by side.
#include <cassert>
#include <map>
#include <string>
#include <thread>

static std::map<std::string, int> totals;

int main() {
    std::thread counts([] {
        totals["dog"] += 1;
        totals["the"] += 2;
        totals["and"] += 1;
        totals["cat"] += 3;
    });
    counts.join();
    assert((totals == std::map<std::string, int>{{"and", 1}, {"cat", 3}, {"dog", 1}, {"the", 2}}));
}
