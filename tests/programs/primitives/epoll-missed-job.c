// The worker rings before it adds the job: the loop may come too early and wait for ever.
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

static int bell, loop;
static atomic_int jobs;

static void *worker(void *arg) {
    uint64_t one = 1;
    (void)!write(bell, &one, sizeof one);
    atomic_fetch_add(&jobs, 1);
    return arg;
}

int main(void) {
    pthread_t thread;
    bell = eventfd(0, 0);
    loop = epoll_create1(0);
    struct epoll_event wanted = {.events = EPOLLIN, .data = {.u32 = 1}};
    epoll_ctl(loop, EPOLL_CTL_ADD, bell, &wanted);
    pthread_create(&thread, NULL, worker, NULL);
    for (int done = 0; done < 1;) {
        struct epoll_event event;
        uint64_t rings = 0;
        epoll_wait(loop, &event, 1, -1); /* BUG */
        (void)!read(bell, &rings, sizeof rings);
        done += atomic_exchange(&jobs, 0);
    }
    pthread_join(thread, NULL);
    return 0;
}
