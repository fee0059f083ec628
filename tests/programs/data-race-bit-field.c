// Two drivers set different bit-fields of one status word: neighbouring bit-fields share a memory location.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

struct port_status {
  unsigned link_up : 1;
  unsigned powered : 1;
};

static struct port_status status;

static void* watch_link(void* arg) {
  (void)arg;
  status.link_up = 1;  // BUG
  return NULL;
}

static void* watch_power(void* arg) {
  (void)arg;
  status.powered = 1;  // BUG
  return NULL;
}

int main(void) {
  pthread_t link, power;
  pthread_create(&link, NULL, watch_link, NULL);
  pthread_create(&power, NULL, watch_power, NULL);
  pthread_join(link, NULL);
  pthread_join(power, NULL);
  assert(status.link_up == 1 || status.powered == 1);
  return 0;
}
