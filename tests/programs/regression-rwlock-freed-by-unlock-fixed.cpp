// A reader gives back its shared lock before it reports the table as scanned: the owner deletes the table
// after the last access to it.
#include <atomic>
#include <shared_mutex>
#include <thread>

struct Table {
    std::shared_mutex guard;
    int rows = 3;
};

static std::atomic<bool> scanned{false};

static void scan(Table *table, int &rows) {
    table->guard.lock_shared();
    rows = table->rows;
    table->guard.unlock_shared();
    scanned.store(true);
}

static void drop(Table *table, bool &dropped) {
    if (scanned.load()) {
        delete table;
        dropped = true;
    }
}

int main() {
    Table *table = new Table;
    int rows = 0;
    bool dropped = false;
    std::thread reader([&] { scan(table, rows); });
    std::thread owner([&] { drop(table, dropped); });
    reader.join();
    owner.join();
    if (!dropped)
        delete table;
    return rows == 3 ? 0 : 1;
}
