// Taking from an empty shelf restocks through the public function, which locks the mutex the caller already holds.
#include <cassert>
#include <mutex>
#include <thread>

class Stock {
 public:
  void restock(int count) {
    std::lock_guard<std::mutex> hold(mutex_);  // BUG
    items_ += count;
  }

  void take() {
    std::lock_guard<std::mutex> hold(mutex_);
    if (items_ == 0) restock(5);
    items_--;
  }

  int items() const { return items_; }

 private:
  std::mutex mutex_;
  int items_ = 0;
};

static Stock stock;

int main() {
  std::thread supplier([] { stock.restock(1); });
  std::thread customer([] { stock.take(); });
  supplier.join();
  customer.join();
  assert(stock.items() >= 0);
  return 0;
}
