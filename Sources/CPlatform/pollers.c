#include "pollers.h"

#include <sys/epoll.h>
#include <sys/eventfd.h>

int tminus_poller(void) { return epoll_create1(EPOLL_CLOEXEC); }

int tminus_poller_add(int poller, int descriptor, int events, uint64_t key) {
    struct epoll_event event = {.data.u64 = key};
    if (events & TMINUS_READABLE) event.events |= EPOLLIN;
    if (events & TMINUS_WRITABLE) event.events |= EPOLLOUT;
    if (events & TMINUS_ONCE) event.events |= EPOLLONESHOT;
    if (events & TMINUS_EDGE) event.events |= EPOLLET;
    return epoll_ctl(poller, EPOLL_CTL_ADD, descriptor, &event);
}

void tminus_poller_remove(int poller, int descriptor) {
    struct epoll_event event = {0};
    epoll_ctl(poller, EPOLL_CTL_DEL, descriptor, &event);
}

int tminus_poller_wait(int poller, uint64_t *keys, int count, int milliseconds) {
    struct epoll_event events[64];
    int ready = epoll_wait(poller, events, count < 64 ? count : 64, milliseconds);
    for (int index = 0; index < ready; index++) keys[index] = events[index].data.u64;
    return ready < 0 ? 0 : ready;
}

int tminus_event(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }
