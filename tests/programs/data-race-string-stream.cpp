// Two threads append to one string stream, each through the library's own functions.
#include <sstream>
#include <thread>

static std::ostringstream journal;

static void note(int task) { journal << "task " << task << " done\n"; }

int main() {
    std::thread other(note, 1);
    note(2);
    other.join();
}
