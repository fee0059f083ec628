// xenium: Michael and Scott's queue with hazard pointers.
#include <cassert>
#include <thread>
#include <xenium/michael_scott_queue.hpp>
#include <xenium/reclamation/hazard_pointer.hpp>

using Reclaimer = xenium::reclamation::hazard_pointer<>::with<
    xenium::policy::allocation_strategy<xenium::reclamation::hp_allocation::static_strategy<3, 2, 0>>>;
int main() {
  xenium::michael_scott_queue<int, xenium::policy::reclaimer<Reclaimer>> queue;
  std::thread producer([&] { queue.push(1); queue.push(2); });
  int last = 0;
  int item = 0;
  if (queue.try_pop(item)) {
    assert(item == 1);
    last = item;
  }
  producer.join();
  while (queue.try_pop(item)) {
    assert(item == last + 1);
    last = item;
  }
  assert(last == 2);
}
