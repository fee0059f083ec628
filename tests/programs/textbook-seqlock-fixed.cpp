// Seqlock: the reader takes a pair only if the sequence number is even and the same before and after.
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<unsigned> sequence;
static std::atomic<int> low, high;

static void write_pair(int value) {
    sequence.fetch_add(1);
    low.store(value);
    high.store(value);
    sequence.fetch_add(1);
}

static void read_pair() {
    unsigned before, after;
    int l, h;
    do {
        before = sequence.load();
        l = low.load();
        h = high.load();
        after = sequence.load();
    } while ((before & 1) || before != after);
    assert(l == h);
}

int main() {
    std::thread reader(read_pair);
    write_pair(1);
    reader.join();
    return 0;
}
