// A synchronised pool of memory, used by two threads.
#include <cassert>
#include <memory_resource>
#include <thread>

int main() {
    std::pmr::synchronized_pool_resource pool;
    std::thread thread([&] {
        void* block = pool.allocate(16);
        pool.deallocate(block, 16);
    });
    void* block = pool.allocate(16);
    assert(block != nullptr);
    pool.deallocate(block, 16);
    thread.join();
}
