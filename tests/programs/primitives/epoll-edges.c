// Edge-triggered epoll is refused by name.
#include <sys/epoll.h>
#include <sys/eventfd.h>

int main(void) {
    const int bell = eventfd(0, 0), loop = epoll_create1(0);
    struct epoll_event wanted = {.events = EPOLLIN | EPOLLET};
    return epoll_ctl(loop, EPOLL_CTL_ADD, bell, &wanted) != 0;
}
