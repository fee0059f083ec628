// The bank of bank.cpp with both accounts locked for the whole transfer, in one order.
#include <cassert>
#include <functional>
#include <mutex>
#include <thread>

struct Account {
  std::mutex lock;
  int balance = 100;
};

static Account savings;
static Account checking;

static void move(Account& from, Account& to, int amount) {
  std::lock_guard<std::mutex> hold_savings(savings.lock);
  std::lock_guard<std::mutex> hold_checking(checking.lock);
  from.balance -= amount;
  to.balance += amount;
}

int main() {
  std::thread first(move, std::ref(savings), std::ref(checking), 10);
  std::thread second(move, std::ref(checking), std::ref(savings), 20);
  first.join();
  second.join();
  assert(savings.balance + checking.balance == 200);
}
