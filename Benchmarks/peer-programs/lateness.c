/* How late a bare loop of timerfd_create(2) and epoll_wait(2) is. Prints the median and the 99th percentile in microseconds.

   usage: lateness PER-SECOND SECONDS */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
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
    if (argc != 3) return 64;
    int64_t count = atoi(argv[1]) * atoi(argv[2]), spacing = 1000000000LL / atoi(argv[1]), start = now() + 500000000;
    int64_t *late = malloc(count * sizeof *late);
    int timer = timerfd_create(CLOCK_REALTIME, TFD_NONBLOCK | TFD_CLOEXEC), poll = epoll_create1(EPOLL_CLOEXEC);
    struct epoll_event event = {.events = EPOLLIN};
    if (!late || timer < 0 || poll < 0 || epoll_ctl(poll, EPOLL_CTL_ADD, timer, &event)) return 71;
    for (int64_t fired = 0; fired < count;) {
        int64_t due = start + fired * spacing;
        struct itimerspec at = {.it_value = {due / 1000000000, due % 1000000000}};
        uint64_t expirations;
        timerfd_settime(timer, TFD_TIMER_ABSTIME, &at, NULL);
        if (epoll_wait(poll, &event, 1, -1) < 1) continue;
        if (read(timer, &expirations, sizeof expirations) < 0) continue;
        for (; fired < count && (due = start + fired * spacing) <= now(); fired++) late[fired] = now() - due;
    }
    qsort(late, count, sizeof *late, compare);
    printf("%.1f %.1f\n", late[count / 2] / 1e3, late[count * 99 / 100] / 1e3);
    return 0;
}
