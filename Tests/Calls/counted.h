// Counts calls by kind, and says which one fails. failing_calls.c defines the calls, counted.c decides.
#ifndef TMINUS_COUNTED_H
#define TMINUS_COUNTED_H

#include <stdbool.h>

// A dot separates a call from what it is used for: an error that a disk gives is none that a pipe gives.
#define KINDS(X)                                                                                                       \
    X(open, "open")                                                                                                    \
    X(openat, "openat")                                                                                                \
    X(fopen, "fopen")                                                                                                  \
    X(opendir, "opendir")                                                                                              \
    X(close, "close")                                                                                                  \
    X(read, "read")                                                                                                    \
    X(read_pipe, "read.pipe")                                                                                          \
    X(read_socket, "read.socket")                                                                                      \
    X(read_event, "read.event")                                                                                        \
    X(pread, "pread")                                                                                                  \
    X(write, "write")                                                                                                  \
    X(write_pipe, "write.pipe")                                                                                        \
    X(write_socket, "write.socket")                                                                                    \
    X(write_event, "write.event")                                                                                      \
    X(pwrite, "pwrite")                                                                                                \
    X(writev, "writev")                                                                                                \
    X(fsync, "fsync")                                                                                                  \
    X(fdatasync, "fdatasync")                                                                                          \
    X(ftruncate, "ftruncate")                                                                                          \
    X(rename, "rename")                                                                                                \
    X(link, "link")                                                                                                    \
    X(unlink, "unlink")                                                                                                \
    X(mkdir, "mkdir")                                                                                                  \
    X(stat, "stat")                                                                                                    \
    X(fstat, "fstat")                                                                                                  \
    X(access, "access")                                                                                                \
    X(statfs, "statfs")                                                                                                \
    X(readlink, "readlink")                                                                                            \
    X(flock, "flock")                                                                                                  \
    X(fcntl_lock, "fcntl.lock")                                                                                        \
    X(fchmod, "fchmod")                                                                                                \
    X(fchown, "fchown")                                                                                                \
    X(mmap, "mmap")                                                                                                    \
    X(malloc, "malloc")                                                                                                \
    X(calloc, "calloc")                                                                                                \
    X(realloc, "realloc")                                                                                              \
    X(posix_memalign, "posix_memalign")                                                                                \
    X(pthread_create, "pthread_create")                                                                                \
    X(vfork, "vfork")                                                                                                  \
    X(chdir, "chdir")                                                                                                  \
    X(dup2, "dup2")                                                                                                    \
    X(execve, "execve")                                                                                                \
    X(waitpid, "waitpid")                                                                                              \
    X(waitid, "waitid")                                                                                                \
    X(pidfd_open, "pidfd_open")                                                                                        \
    X(pipe2, "pipe2")                                                                                                  \
    X(socket, "socket")                                                                                                \
    X(socketpair, "socketpair")                                                                                        \
    X(bind, "bind")                                                                                                    \
    X(listen, "listen")                                                                                                \
    X(accept, "accept")                                                                                                \
    X(connect, "connect")                                                                                              \
    X(send, "send")                                                                                                    \
    X(recv, "recv")                                                                                                    \
    X(getpeername, "getpeername")                                                                                      \
    X(setsockopt, "setsockopt")                                                                                        \
    X(epoll_create, "epoll_create")                                                                                    \
    X(epoll_ctl, "epoll_ctl")                                                                                          \
    X(epoll_wait, "epoll_wait")                                                                                        \
    X(poll, "poll")                                                                                                    \
    X(select, "select")                                                                                                \
    X(eventfd, "eventfd")                                                                                              \
    X(timerfd_create, "timerfd_create")                                                                                \
    X(timerfd_settime, "timerfd_settime")                                                                              \
    X(signalfd, "signalfd")                                                                                            \
    X(inotify_init, "inotify_init")                                                                                    \
    X(inotify_add_watch, "inotify_add_watch")

enum kind {
#define AS_KIND(kind, name) kind_##kind,
    KINDS(AS_KIND)
#undef AS_KIND
};

// Counts one call. If it is the one that is to fail, this is logged, and errno is set. `path` and `descriptor` say what
// the call was about, for the log; NULL or -1 if there is none.
bool fails(enum kind kind, const char *path, int descriptor);

// A call on a descriptor. Its kind is the file's, or that of a pipe, a socket or another descriptor, which follow it.
bool descriptor_fails(enum kind file, int descriptor);

#endif
