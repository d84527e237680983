// timerfd_create(2), which Swift's Glibc module does not export.
#pragma once
#include <stdint.h>

// A timer of the monotonic clock; -1 with errno.
int tminus_timer(void);

// Arms a timer to expire once, after that many nanoseconds, at least one.
void tminus_timer_set(int timer, int64_t nanoseconds);

// A timer of the wall clock; -1 with errno.
int tminus_wall_timer(void);

// Arms a timer of the wall clock to expire once, that many nanoseconds after 1970, or as soon as the clock is set
// (TFD_TIMER_CANCEL_ON_SET). Returns -1 with errno. ECANCELED means that the clock was set just before; the timer is
// armed anyway.
int tminus_wall_timer_set(int timer, int64_t nanoseconds);
