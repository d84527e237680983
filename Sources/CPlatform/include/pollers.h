// epoll(7) and eventfd(2), which Swift's Glibc module does not export.
//
// The headers of this module name no types of the system: a type that two modules define belongs to one of them, and
// the next build may choose the other one.
#pragma once
#include <stdint.h>

// What a poller reports about a descriptor.
enum {
    // It can be read from, or it can be written to.
    TMINUS_READABLE = 1,
    TMINUS_WRITABLE = 2,
    // Report the first time only (EPOLLONESHOT), even while a copy of the descriptor is open.
    TMINUS_ONCE = 4,
    // Report changes only (EPOLLET).
    TMINUS_EDGE = 8,
};

// A new poller; -1 with errno.
int tminus_poller(void);

// Starts to report `descriptor` with `key`; -1 with errno.
int tminus_poller_add(int poller, int descriptor, int events, uint64_t key);

// Stops reporting a descriptor.
void tminus_poller_remove(int poller, int descriptor);

// Waits up to `milliseconds`, without limit if negative, and stores the keys of at most `count` ready descriptors.
// Returns their number; 0 after an interruption.
int tminus_poller_wait(int poller, uint64_t *keys, int count, int milliseconds);

// A non-blocking counter for waking a thread (eventfd(2)); -1 with errno.
int tminus_event(void);
