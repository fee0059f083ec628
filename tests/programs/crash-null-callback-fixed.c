// A plug-in stores its handler and then announces itself: an event either finds the handler or is not delivered.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

typedef int handler(int event);

static handler* _Atomic on_event;
static atomic_bool registered;
static atomic_int handled;

static int count_event(int event) { return event > 0; }

static void* load_plugin(void* arg) {
  (void)arg;
  atomic_store(&on_event, count_event);
  atomic_store(&registered, true);
  return NULL;
}

int main(void) {
  pthread_t loader;
  pthread_create(&loader, NULL, load_plugin, NULL);
  if (atomic_load(&registered)) {
    handler* call = atomic_load(&on_event);
    int result = call(7);
    atomic_fetch_add(&handled, result);
  }
  pthread_join(loader, NULL);
  assert(atomic_load(&handled) <= 1);
  return 0;
}
