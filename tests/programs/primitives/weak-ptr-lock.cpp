// A weak_ptr gets hold of the object or finds it gone; the last owner of either kind frees.
#include <cassert>
#include <memory>
#include <thread>

int main() {
    std::shared_ptr<int> owner(new int(5));
    std::weak_ptr<int> observer = owner;
    std::thread thread([observer = std::move(observer)] {
        if (const std::shared_ptr<int> mine = observer.lock()) assert(*mine == 5);
    });
    owner.reset();
    thread.join();
}
