// Two drivers set different bytes of one status record: neighbouring bytes are separate memory locations.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

struct port_status {
  unsigned char link_up;
  unsigned char powered;
};

static struct port_status status;

static void* watch_link(void* arg) {
  (void)arg;
  status.link_up = 1;
  return NULL;
}

static void* watch_power(void* arg) {
  (void)arg;
  status.powered = 1;
  return NULL;
}

int main(void) {
  pthread_t link, power;
  pthread_create(&link, NULL, watch_link, NULL);
  pthread_create(&power, NULL, watch_power, NULL);
  pthread_join(link, NULL);
  pthread_join(power, NULL);
  assert(status.link_up == 1 && status.powered == 1);
  return 0;
}
