// Figure 5 of Wang, Yang, Kahlon and Gupta (TACAS 2008): two threads, three accesses each (an addition is one access).
// Smallest persistent sets alone do not remove all redundant interleavings of it.
// Traces: 5. C has three places among alpha and beta, gamma three among A and B; of these 3 * 3 the 2 * 2 with C before
// beta and gamma before B are cycles.
#include <atomic>
#include <thread>

static std::atomic<int> a[3];

int main() {
  std::thread first([] {
    a[1] = 10;                      // A
    a[1] += 20;                     // B
    [[maybe_unused]] int m = a[2];  // C
  });
  std::thread second([] {
    a[2] = 50;                      // alpha
    a[2] += 100;                    // beta
    [[maybe_unused]] int n = a[1];  // gamma
  });
  first.join();
  second.join();
}
