// Moving directories: the check for a loop and the move are two critical sections, so two crossing moves make each
// directory the parent of the other, and the recursive walk up to the root never ends.
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

struct part {
  int directory;
  const struct part* below;
};

enum { ROOT, MUSIC, PHOTOS };

static const char* const name[] = {"", "music", "photos"};
static int parent[] = {-1, ROOT, ROOT};
static pthread_mutex_t tree = PTHREAD_MUTEX_INITIALIZER;

static size_t path_length(int directory, const struct part* below) {  // BUG
  struct part here = {directory, below};                              // BUG
  size_t length = 0;
  if (parent[directory] >= 0) return path_length(parent[directory], &here);  // BUG
  for (const struct part* p = &here; p != NULL; p = p->below) length += strlen(name[p->directory]) + 1;
  return length;
}

static bool is_inside(int directory, int ancestor) {
  for (; directory >= 0; directory = parent[directory]) {
    if (directory == ancestor) return true;
  }
  return false;
}

static void* move(void* arg) {
  int directory = *(int*)arg;
  int target = directory == MUSIC ? PHOTOS : MUSIC;
  pthread_mutex_lock(&tree);
  bool loop = is_inside(target, directory);
  pthread_mutex_unlock(&tree);
  if (loop) return NULL;
  pthread_mutex_lock(&tree);
  parent[directory] = target;
  size_t length = path_length(directory, NULL);
  pthread_mutex_unlock(&tree);
  return length > 0 ? arg : NULL;
}

int main(void) {
  static int music = MUSIC, photos = PHOTOS;
  pthread_t first, second;
  pthread_create(&first, NULL, move, &music);
  pthread_create(&second, NULL, move, &photos);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  return 0;
}
