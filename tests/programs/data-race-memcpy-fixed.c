// The camera replaces a frame and the recorder copies it, both with memcpy under the lock: no copy is torn.
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
  memcpy(frame, sensor, FRAME);
  pthread_mutex_unlock(&frame_lock);
  return NULL;
}

int main(void) {
  pthread_t camera;
  memset(sensor, 200, FRAME);
  pthread_create(&camera, NULL, capture, NULL);
  pthread_mutex_lock(&frame_lock);
  memcpy(recorded, frame, FRAME);
  pthread_mutex_unlock(&frame_lock);
  assert(recorded[0] == recorded[FRAME - 1]);
  pthread_join(camera, NULL);
  return 0;
}
