// Two clerks move money between two accounts. Each account has its own lock, every access is protected, and there is no
// data race; still, money disappears. `heddle check examples/bank.cpp` shows how.
#include <cassert>
#include <functional>
#include <mutex>
#include <thread>

struct Account {
  std::mutex lock;
  int balance = 100;

  int read() {
    std::lock_guard<std::mutex> hold(lock);
    return balance;
  }
  void write(int amount) {
    std::lock_guard<std::mutex> hold(lock);
    balance = amount;
  }
};

static Account savings;
static Account checking;

// Reads under the lock, writes under the lock, but lets go of it in between.
static void move(Account& from, Account& to, int amount) {
  const int left = from.read() - amount;
  from.write(left);
  to.write(to.read() + amount);
}

static int total() { return savings.read() + checking.read(); }

int main() {
  std::thread first(move, std::ref(savings), std::ref(checking), 10);
  std::thread second(move, std::ref(savings), std::ref(checking), 20);
  first.join();
  second.join();
  assert(total() == 200);
}
