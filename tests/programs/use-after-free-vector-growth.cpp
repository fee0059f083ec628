// A pointer to an account is kept while another thread may open an account: the vector moves its
// elements to a larger block and the pointer leads into the old one.
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

static Account *find() {
    std::lock_guard<std::mutex> hold(guard);
    return &accounts.front();
}

static void deposit(Account *account, long amount) {
    std::lock_guard<std::mutex> hold(guard);
    account->balance += amount; // BUG
}

int main() {
    std::thread clerk(open_account);
    deposit(find(), 50);
    clerk.join();
    return 0;
}
