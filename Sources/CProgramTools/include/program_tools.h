// What Swift's Glibc module lacks to start programs and to notice their ends. The names of types of the system are left out on
// purpose: a type that two modules define belongs to one of them, and which one may be another in the next build.
#pragma once
#include <stdbool.h>
#include <stdint.h>

// Starts a program in a session of its own, with those descriptors, each above 2, as its standard streams and no other, with the
// signals of a fresh process, in that directory (vfork(2), execve(2)). Returns 0 or an errno, and whether that is of the directory.
int tminus_spawn(int *process, bool *is_directory, const char *path, char *const *arguments, char *const *environment,
                 const char *directory, int input, int output, int errors);

// A descriptor that can be read from once the process has ended (pidfd_open(2)); -1 with errno.
int tminus_process_descriptor(int process);

// pipe2(2) with O_CLOEXEC.
int tminus_pipe(int ends[2]);

// epoll(7): a new one; -1 with errno.
int tminus_epoll(void);

// Tells by `key` when there is something to read, or room to write; -1 with errno.
int tminus_epoll_add(int epoll, int descriptor, bool writes, uint64_t key);

// Tells by `key`, once, when there is something to read, and no more, even while a copy of the descriptor is open; -1 with errno.
int tminus_epoll_add_once(int epoll, int descriptor, uint64_t key);

// A timer (timerfd_create(2)) whose end is told by `key`; -1 with errno.
int tminus_epoll_timer(int epoll, uint64_t key);

// Lets a timer end once, so long from now.
void tminus_timer_set(int timer, int64_t nanoseconds);

// Tells no more of a descriptor.
void tminus_epoll_remove(int epoll, int descriptor);

// Waits for at least one of them; returns how many of the `count` keys are set, 0 after an interruption.
int tminus_epoll_wait(int epoll, uint64_t *keys, int count);
