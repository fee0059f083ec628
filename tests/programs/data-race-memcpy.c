// The camera replaces a frame under the lock, the recorder copies it with memcpy and takes no lock.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>

enum { FRAME = 16384 };

static pthread_mutex_t frame_lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned char sensor[FRAME], frame[FRAME], recorded[FRAME];

static void* capture(void* arg) {
  (void)arg;
  pthread_mutex_lock(&frame_lock);
  memcpy(frame, sensor, FRAME);  // BUG
  pthread_mutex_unlock(&frame_lock);
  return NULL;
}

int main(void) {
  pthread_t camera;
  memset(sensor, 200, FRAME);
  pthread_create(&camera, NULL, capture, NULL);
  memcpy(recorded, frame, FRAME);  // BUG
  assert(recorded[0] == recorded[FRAME - 1]);
  pthread_join(camera, NULL);
  return 0;
}
