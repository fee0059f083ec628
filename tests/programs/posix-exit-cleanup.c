// pthread_exit deep inside calls: the pushed handlers run last-in first-out, one of them unlocks, and join gets the value.
#include <assert.h>
#include <pthread.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int visits;

struct job {
    char trace[16];
    int result;
};

static void note(struct job *job, char c) {
    size_t n = strlen(job->trace);
    job->trace[n] = c;
    job->trace[n + 1] = '\0';
}
static void outer(void *arg) { note(arg, 'o'); }
static void inner(void *arg) { note(arg, 'i'); }
static void popped(void *arg) { note(arg, 'p'); }
static void dropped(void *arg) { note(arg, 'd'); }
static void unlock(void *arg) {
    (void)arg;
    assert(pthread_mutex_unlock(&lock) == 0);
}

static void leave(struct job *job) {
    pthread_cleanup_push(inner, job);
    job->result = ++visits;
    pthread_exit(&job->result);
    pthread_cleanup_pop(0);
}

static void *worker(void *arg) {
    struct job *job = arg;
    pthread_cleanup_push(outer, job);
    pthread_cleanup_push(popped, job);
    pthread_cleanup_push(dropped, job);
    pthread_cleanup_pop(0);
    pthread_cleanup_pop(1);
    assert(pthread_mutex_lock(&lock) == 0);
    pthread_cleanup_push(unlock, NULL);
    leave(job);
    pthread_cleanup_pop(0);
    pthread_cleanup_pop(0);
    return NULL;
}

int main(void) {
    pthread_t first, second;
    struct job jobs[2] = {{"", 0}, {"", 0}};
    void *value;
    assert(visits == 0);
    assert(pthread_create(&first, NULL, worker, &jobs[0]) == 0);
    assert(pthread_create(&second, NULL, worker, &jobs[1]) == 0);
    assert(pthread_join(first, &value) == 0 && value == &jobs[0].result);
    assert(pthread_join(second, &value) == 0 && value == &jobs[1].result);
    assert(jobs[0].result + jobs[1].result == 3);
    assert(strcmp(jobs[0].trace, "pio") == 0 && strcmp(jobs[1].trace, "pio") == 0);
    assert(pthread_mutex_trylock(&lock) == 0); // left free by the handlers
    assert(pthread_mutex_unlock(&lock) == 0);
    return 0;
}
