#include "timers.h"

#include <sys/timerfd.h>

static struct itimerspec once(int64_t nanoseconds) {
    return (struct itimerspec){.it_value = {nanoseconds / 1000000000, nanoseconds % 1000000000}};
}

int tminus_timer(void) { return timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK); }

void tminus_timer_set(int timer, int64_t nanoseconds) {
    struct itimerspec time = once(nanoseconds < 1 ? 1 : nanoseconds);
    timerfd_settime(timer, 0, &time, NULL);
}

int tminus_wall_timer(void) { return timerfd_create(CLOCK_REALTIME, TFD_CLOEXEC | TFD_NONBLOCK); }

int tminus_wall_timer_set(int timer, int64_t nanoseconds) {
    struct itimerspec time = once(nanoseconds);
    return timerfd_settime(timer, TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET, &time, NULL);
}
