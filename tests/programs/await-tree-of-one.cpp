// A map is filled by one thread. Balancing the tree looks at the same node again and again, inside the C++ library: that is no loop that
// waits for anything, when each access is a step of its own.
#include <cassert>
#include <map>
#include <thread>

int main() {
    std::map<int, int> squares;
    std::thread filler([&] {
        for (int i = 1; i <= 5; ++i) squares[i] = i * i;
    });
    filler.join();
    squares.erase(2);
    assert(squares.size() == 4 && squares.begin()->second == 1 && squares.rbegin()->second == 25);
}
