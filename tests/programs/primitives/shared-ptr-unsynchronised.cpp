// The counts of a shared_ptr are safe, the pointer itself is not.
#include <memory>
#include <thread>

static std::shared_ptr<int> current = std::make_shared<int>(1);

int main() {
    std::thread reader([] { const std::shared_ptr<int> mine = current; });  // BUG
    current = std::make_shared<int>(2);  // BUG
    reader.join();
}
