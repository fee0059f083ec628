// An event loop: a worker adds jobs and rings the eventfd, the loop waits in epoll and takes what is there.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

static int bell, loop;
static atomic_int jobs;

static void *worker(void *arg) {
    for (int i = 0; i < 2; ++i) {
        uint64_t one = 1;
        atomic_fetch_add(&jobs, 1);
        assert(write(bell, &one, sizeof one) == sizeof one);
    }
    return arg;
}

int main(void) {
    pthread_t thread;
    bell = eventfd(0, EFD_NONBLOCK);
    loop = epoll_create1(0);
    struct epoll_event wanted = {.events = EPOLLIN, .data = {.u32 = 77}};
    assert(epoll_ctl(loop, EPOLL_CTL_ADD, bell, &wanted) == 0);
    pthread_create(&thread, NULL, worker, NULL);
    for (int done = 0; done < 2;) {
        struct epoll_event events[4];
        uint64_t rings = 0;
        assert(epoll_wait(loop, events, 4, -1) == 1 && events[0].data.u32 == 77);
        assert(read(bell, &rings, sizeof rings) == sizeof rings);
        done += atomic_exchange(&jobs, 0);
    }
    pthread_join(thread, NULL);
    close(loop);
    close(bell);
    return 0;
}
