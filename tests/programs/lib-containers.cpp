// Two threads count words in their own containers and merge them into a shared map under a lock.
#include <algorithm>
#include <cassert>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

static std::mutex lock;
static std::map<std::string, int> totals;
static std::vector<std::string> order;

static void count_words(const std::string &text) {
    std::unordered_map<std::string, int> counts;
    for (size_t begin = 0; begin < text.size();) {
        size_t end = std::min(text.find(' ', begin), text.size());
        counts[text.substr(begin, end - begin)]++;
        begin = end + 1;
    }
    std::vector<std::string> words;
    for (const auto &entry : counts)
        words.push_back(entry.first);
    std::sort(words.begin(), words.end());
    for (const std::string &w : words) {
        if (w.size() > 5)
            continue;
        std::lock_guard<std::mutex> guard(lock);
        totals[w] += counts[w];
        order.push_back(w);
    }
}

int main() {
    assert(totals.empty() && order.empty());
    std::thread first(count_words, "the cat the dog interesting");
    std::thread second(count_words, "cat and cat extraordinary");
    first.join();
    second.join();
    assert((totals == std::map<std::string, int>{{"and", 1}, {"cat", 3}, {"dog", 1}, {"the", 2}}));
    assert(order.size() == 5 && std::count(order.begin(), order.end(), "cat") == 2);
    assert(std::find(order.begin(), order.end(), "the") > std::find(order.begin(), order.end(), "dog"));
}
