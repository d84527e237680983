// timerfd_create(2), which Swift's Glibc module does not export.
#pragma once
#include <stdint.h>

// A timer by the monotonic clock; -1 with errno.
int tminus_timer(void);

// Lets a timer expire once, so many nanoseconds from now, at least one.
void tminus_timer_set(int timer, int64_t nanoseconds);

// A timer by the wall clock; -1 with errno.
int tminus_wall_timer(void);

// Lets a timer of the wall clock expire once, so many nanoseconds after 1970, or as soon as the clock is set
// (TFD_TIMER_CANCEL_ON_SET). -1 with errno; ECANCELED: the clock was set just before, and the timer is armed all the same.
int tminus_wall_timer_set(int timer, int64_t nanoseconds);
