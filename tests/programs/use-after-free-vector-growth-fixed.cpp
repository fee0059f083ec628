// Accounts are named by their index, which stays valid when the vector moves its elements.
#include <cassert>
#include <mutex>
#include <thread>
#include <vector>

struct Account {
    long balance;
};

static std::mutex guard;
static std::vector<Account> accounts{{100}};

static void open_account() {
    std::lock_guard<std::mutex> hold(guard);
    accounts.push_back({0});
}

static std::size_t find() {
    std::lock_guard<std::mutex> hold(guard);
    return 0;
}

static void deposit(std::size_t account, long amount) {
    std::lock_guard<std::mutex> hold(guard);
    accounts[account].balance += amount;
}

int main() {
    std::thread clerk(open_account);
    deposit(find(), 50);
    clerk.join();
    assert(accounts.front().balance == 150);
    return 0;
}
