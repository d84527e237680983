// epoll(7) and eventfd(2), which Swift's Glibc module does not export.
//
// The headers of this module name no types of the system: a type that two modules define belongs to one of them, and the next build
// may choose the other one.
#pragma once
#include <stdint.h>

// What a poller reports of a descriptor.
enum {
    // It can be read from, or it can be written to.
    TMINUS_READABLE = 1,
    TMINUS_WRITABLE = 2,
    // Only the first time (EPOLLONESHOT), even while a copy of the descriptor is open.
    TMINUS_ONCE = 4,
    // Only changes (EPOLLET).
    TMINUS_EDGE = 8,
};

// A new poller; -1 with errno.
int tminus_poller(void);

// Reports `descriptor` by `key`; -1 with errno.
int tminus_poller_add(int poller, int descriptor, int events, uint64_t key);

// Reports a descriptor no longer.
void tminus_poller_remove(int poller, int descriptor);

// Waits up to that many milliseconds, without limit if negative, and stores the keys of at most `count` ready descriptors. Returns how
// many; 0 after an interruption.
int tminus_poller_wait(int poller, uint64_t *keys, int count, int milliseconds);

// A non-blocking counter for waking a thread (eventfd(2)); -1 with errno.
int tminus_event(void);
