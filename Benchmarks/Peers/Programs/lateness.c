/* How late a bare loop of timerfd_create(2) and epoll_wait(2) over a binary heap is. Prints microseconds.

   usage: lateness rate PER-SECOND SECONDS: the median and the 99th percentile of timers that come due one after the other
          lateness flood COUNT: the last of so many timers that come due at one instant */
#include "peers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

static int64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_REALTIME, &time);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static int compare(const void *left, const void *right) {
    int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;
    return a < b ? -1 : a > b;
}

int main(int argc, char **argv) {
    int is_rate = argc == 4 && !strcmp(argv[1], "rate");
    if (!is_rate && !(argc == 3 && !strcmp(argv[1], "flood"))) return 64;
    uint32_t count = is_rate ? atoi(argv[2]) * atoi(argv[3]) : atoi(argv[2]);
    int64_t spacing = is_rate ? 1000000000LL / atoi(argv[2]) : 0, start = now() + 500000000;
    int64_t *dues = malloc(count * sizeof *dues), *late = malloc(count * sizeof *late);
    bench_heap heap;
    bench_heap_make(&heap, count);
    for (uint32_t slot = 0; slot < count; slot++) {
        dues[slot] = start + spacing * slot;
        bench_heap_arm(&heap, slot, dues[slot]);
    }
    int timer = timerfd_create(CLOCK_REALTIME, TFD_NONBLOCK | TFD_CLOEXEC), poll = epoll_create1(EPOLL_CLOEXEC);
    struct epoll_event event = {.events = EPOLLIN};
    if (timer < 0 || poll < 0 || epoll_ctl(poll, EPOLL_CTL_ADD, timer, &event)) return 71;
    for (uint32_t fired = 0; fired < count;) {
        int64_t due = heap.entries[0].due, slot;
        struct itimerspec at = {.it_value = {due / 1000000000, due % 1000000000}};
        uint64_t rings;
        timerfd_settime(timer, TFD_TIMER_ABSTIME, &at, NULL);
        if (epoll_wait(poll, &event, 1, -1) < 1) continue;
        if (read(timer, &rings, sizeof rings) < 0) continue;
        while ((slot = bench_heap_pop(&heap, now())) >= 0) late[fired++] = now() - dues[slot];
    }
    qsort(late, count, sizeof *late, compare);
    if (late[0] < 0) return 70;
    if (is_rate) printf("%.1f %.1f\n", late[count / 2] / 1e3, late[count * 99LL / 100] / 1e3);
    else printf("%.1f\n", late[count - 1] / 1e3);
    return 0;
}
