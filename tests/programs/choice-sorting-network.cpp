// A sorting network for four values lacks its last comparator; some permutations stay unsorted.
#include <heddle/heddle.h>

#include <algorithm>
#include <cassert>

static void compare(int *values, int low, int high) {
    if (values[low] > values[high])
        std::swap(values[low], values[high]);
}

static void sort4(int *values) {
    compare(values, 0, 1);
    compare(values, 2, 3);
    compare(values, 0, 2);
    compare(values, 1, 3);
}

int main() {
    int values[] = {1, 2, 3, 4};
    for (int last = 3; last > 0; last--)
        std::swap(values[last], values[heddle_choose(last + 1)]);
    sort4(values);
    assert(std::is_sorted(values, values + 4)); // BUG
    return 0;
}
