// Taking from an empty shelf restocks through a private function that expects the mutex to be held.
#include <cassert>
#include <mutex>
#include <thread>

class Stock {
 public:
  void restock(int count) {
    std::lock_guard<std::mutex> hold(mutex_);
    add(count);
  }

  void take() {
    std::lock_guard<std::mutex> hold(mutex_);
    if (items_ == 0) add(5);
    items_--;
  }

  int items() const { return items_; }

 private:
  void add(int count) { items_ += count; }

  std::mutex mutex_;
  int items_ = 0;
};

static Stock stock;

int main() {
  std::thread supplier([] { stock.restock(1); });
  std::thread customer([] { stock.take(); });
  supplier.join();
  customer.join();
  assert(stock.items() == 0 || stock.items() == 5);
  return 0;
}
