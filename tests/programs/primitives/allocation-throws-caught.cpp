// Where an allocation fails the program goes on without.
#include <cassert>
#include <memory>
#include <new>

int main() {
    std::unique_ptr<int> first(new (std::nothrow) int(3));
    int value = 0;
    try {
        auto second = std::make_unique<int>(4);
        value = *second;
    } catch (const std::bad_alloc&) {
        assert(first != nullptr);
        value = 4;
    }
    assert(value == 4);
}
