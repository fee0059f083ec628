// libcds: Michael and Scott's queue with hazard pointers.
#include <cassert>
#include <cds/container/msqueue.h>
#include <cds/gc/hp.h>
#include <cds/init.h>
#include <thread>

int main() {
  cds::Initialize();
  {
    cds::gc::HP hazard_pointers(4, 3, 4);
    cds::threading::Manager::attachThread();
    {
      cds::container::MSQueue<cds::gc::HP, int> queue;
      std::thread producer([&] {
        cds::threading::Manager::attachThread();
        queue.enqueue(1);
        queue.enqueue(2);
        cds::threading::Manager::detachThread();
      });
      int last = 0;
      int item = 0;
      if (queue.dequeue(item)) {
        assert(item == 1);
        last = item;
      }
      producer.join();
      while (queue.dequeue(item)) {
        assert(item == last + 1);
        last = item;
      }
      assert(last == 2);
    }
    cds::threading::Manager::detachThread();
  }
  cds::Terminate();
}
