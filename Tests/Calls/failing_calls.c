// Every call that can be counted and can fail, in front of that of the C library (LD_PRELOAD).
//
// Calls that the C library makes by itself do not come here, such as those of getaddrinfo(3) and of a FILE.
#define _GNU_SOURCE
#include "counted.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/select.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

// The C library's own function.
#define NEXT(name)                                                                                                     \
    static __typeof__(name) *next;                                                                                     \
    if (next == NULL) next = (__typeof__(name) *)dlsym(RTLD_NEXT, #name)

// A call with fixed arguments that gives `failed` if it fails.
#define CALL(result, name, parameters, arguments, failed, is_failing)                                                  \
    result name parameters {                                                                                           \
        NEXT(name);                                                                                                    \
        if (is_failing) return failed;                                                                                 \
        return next arguments;                                                                                         \
    }

// Calls that open, whose mode is there if the flags ask for it.
#define MODE(flags)                                                                                                    \
    mode_t mode = 0;                                                                                                   \
    if ((flags) & (O_CREAT | O_TMPFILE)) {                                                                             \
        va_list list;                                                                                                  \
        va_start(list, flags);                                                                                         \
        mode = va_arg(list, mode_t);                                                                                   \
        va_end(list);                                                                                                  \
    }
#define OPEN(name)                                                                                                     \
    int name(const char *path, int flags, ...) {                                                                       \
        NEXT(name);                                                                                                    \
        MODE(flags)                                                                                                    \
        return fails(kind_open, path, -1) ? -1 : next(path, flags, mode);                                              \
    }
#define OPENAT(name)                                                                                                   \
    int name(int directory, const char *path, int flags, ...) {                                                        \
        NEXT(name);                                                                                                    \
        MODE(flags)                                                                                                    \
        return fails(kind_openat, path, -1) ? -1 : next(directory, path, flags, mode);                                 \
    }
OPEN(open)
OPEN(open64)
OPENAT(openat)
OPENAT(openat64)

CALL(FILE *, fopen, (const char *path, const char *mode), (path, mode), NULL, fails(kind_fopen, path, -1))
CALL(FILE *, fopen64, (const char *path, const char *mode), (path, mode), NULL, fails(kind_fopen, path, -1))
CALL(DIR *, opendir, (const char *path), (path), NULL, fails(kind_opendir, path, -1))
CALL(DIR *, fdopendir, (int file), (file), NULL, fails(kind_opendir, NULL, file))

// The descriptor is closed whatever close(2) answers.
int close(int file) {
    NEXT(close);
    bool is_failing = fails(kind_close, NULL, file);
    int error = errno, result = next(file);
    if (!is_failing) return result;
    errno = error;
    return -1;
}

CALL(ssize_t, read, (int file, void *bytes, size_t count), (file, bytes, count), -1, descriptor_fails(kind_read, file))
CALL(ssize_t, write, (int file, const void *bytes, size_t count), (file, bytes, count), -1,
     descriptor_fails(kind_write, file))
CALL(ssize_t, writev, (int file, const struct iovec *parts, int count), (file, parts, count), -1,
     fails(kind_writev, NULL, file))
CALL(ssize_t, pread, (int file, void *bytes, size_t count, off_t at), (file, bytes, count, at), -1,
     fails(kind_pread, NULL, file))
CALL(ssize_t, pread64, (int file, void *bytes, size_t count, off64_t at), (file, bytes, count, at), -1,
     fails(kind_pread, NULL, file))
CALL(ssize_t, pwrite, (int file, const void *bytes, size_t count, off_t at), (file, bytes, count, at), -1,
     fails(kind_pwrite, NULL, file))
CALL(ssize_t, pwrite64, (int file, const void *bytes, size_t count, off64_t at), (file, bytes, count, at), -1,
     fails(kind_pwrite, NULL, file))
CALL(int, fsync, (int file), (file), -1, fails(kind_fsync, NULL, file))
CALL(int, fdatasync, (int file), (file), -1, fails(kind_fdatasync, NULL, file))
CALL(int, ftruncate, (int file, off_t size), (file, size), -1, fails(kind_ftruncate, NULL, file))
CALL(int, ftruncate64, (int file, off64_t size), (file, size), -1, fails(kind_ftruncate, NULL, file))

CALL(int, rename, (const char *from, const char *to), (from, to), -1, fails(kind_rename, from, -1))
CALL(int, renameat, (int one, const char *from, int other, const char *to), (one, from, other, to), -1,
     fails(kind_rename, from, -1))
CALL(int, renameat2, (int one, const char *from, int other, const char *to, unsigned flags),
     (one, from, other, to, flags), -1, fails(kind_rename, from, -1))
CALL(int, link, (const char *from, const char *to), (from, to), -1, fails(kind_link, from, -1))
CALL(int, linkat, (int one, const char *from, int other, const char *to, int flags), (one, from, other, to, flags), -1,
     fails(kind_link, from, -1))
CALL(int, unlink, (const char *path), (path), -1, fails(kind_unlink, path, -1))
CALL(int, unlinkat, (int directory, const char *path, int flags), (directory, path, flags), -1,
     fails(kind_unlink, path, -1))
CALL(int, mkdir, (const char *path, mode_t mode), (path, mode), -1, fails(kind_mkdir, path, -1))
CALL(int, stat, (const char *path, struct stat *status), (path, status), -1, fails(kind_stat, path, -1))
CALL(int, stat64, (const char *path, struct stat64 *status), (path, status), -1, fails(kind_stat, path, -1))
CALL(int, lstat, (const char *path, struct stat *status), (path, status), -1, fails(kind_stat, path, -1))
CALL(int, lstat64, (const char *path, struct stat64 *status), (path, status), -1, fails(kind_stat, path, -1))
CALL(int, fstatat, (int directory, const char *path, struct stat *status, int flags), (directory, path, status, flags),
     -1, fails(kind_stat, path, -1))
CALL(int, fstat, (int file, struct stat *status), (file, status), -1, fails(kind_fstat, NULL, file))
CALL(int, fstat64, (int file, struct stat64 *status), (file, status), -1, fails(kind_fstat, NULL, file))
CALL(int, access, (const char *path, int mode), (path, mode), -1, fails(kind_access, path, -1))
CALL(int, statfs, (const char *path, struct statfs *status), (path, status), -1, fails(kind_statfs, path, -1))
CALL(int, statfs64, (const char *path, struct statfs64 *status), (path, status), -1, fails(kind_statfs, path, -1))
CALL(int, statvfs, (const char *path, struct statvfs *status), (path, status), -1, fails(kind_statfs, path, -1))
CALL(ssize_t, readlink, (const char *path, char *bytes, size_t count), (path, bytes, count), -1,
     fails(kind_readlink, path, -1))
CALL(ssize_t, readlinkat, (int directory, const char *path, char *bytes, size_t count), (directory, path, bytes, count),
     -1, fails(kind_readlink, path, -1))
CALL(int, flock, (int file, int operation), (file, operation), -1,
     !(operation & LOCK_UN) && fails(kind_flock, NULL, file))
CALL(int, fchmod, (int file, mode_t mode), (file, mode), -1, fails(kind_fchmod, NULL, file))
CALL(int, fchown, (int file, uid_t user, gid_t group), (file, user, group), -1, fails(kind_fchown, NULL, file))

// Only the taking of locks: the errors of the other commands mean that their arguments are wrong.
#define FCNTL(name)                                                                                                    \
    int name(int file, int command, ...) {                                                                             \
        NEXT(name);                                                                                                    \
        va_list list;                                                                                                  \
        va_start(list, command);                                                                                       \
        void *argument = va_arg(list, void *);                                                                         \
        va_end(list);                                                                                                  \
        bool is_lock = (command == F_SETLK || command == F_SETLKW || command == F_OFD_SETLK) &&                        \
                       ((const struct flock *)argument)->l_type != F_UNLCK;                                            \
        return is_lock && fails(kind_fcntl_lock, NULL, file) ? -1 : next(file, command, argument);                     \
    }
FCNTL(fcntl)
FCNTL(fcntl64)

CALL(void *, mmap, (void *at, size_t size, int access, int flags, int file, off_t offset),
     (at, size, access, flags, file, offset), MAP_FAILED, fails(kind_mmap, NULL, file))
CALL(void *, mmap64, (void *at, size_t size, int access, int flags, int file, off64_t offset),
     (at, size, access, flags, file, offset), MAP_FAILED, fails(kind_mmap, NULL, file))
CALL(void *, mremap, (void *at, size_t size, size_t new_size, int flags, ...), (at, size, new_size, flags), MAP_FAILED,
     fails(kind_mmap, NULL, -1))

// dlsym allocates, so these have names that need no search.
extern void *__libc_malloc(size_t size), *__libc_calloc(size_t count, size_t size),
    *__libc_realloc(void *old, size_t size);
void *malloc(size_t size) { return fails(kind_malloc, NULL, -1) ? NULL : __libc_malloc(size); }
void *calloc(size_t count, size_t size) { return fails(kind_calloc, NULL, -1) ? NULL : __libc_calloc(count, size); }
void *realloc(void *old, size_t size) { return fails(kind_realloc, NULL, -1) ? NULL : __libc_realloc(old, size); }

// These give the error instead of setting errno.
CALL(int, posix_memalign, (void **memory, size_t alignment, size_t size), (memory, alignment, size), errno,
     fails(kind_posix_memalign, NULL, -1))
CALL(int, pthread_create, (pthread_t * thread, const pthread_attr_t *attributes, void *(*run)(void *), void *argument),
     (thread, attributes, run, argument), errno, fails(kind_pthread_create, NULL, -1))

// The child of vfork(2) must not return through a frame that its parent needs. The call at the end is a jump, which
// leaves no frame, if the compiler optimizes.
#ifndef __OPTIMIZE__
#error "compile with -O2"
#endif
pid_t vfork(void) {
    static pid_t (*next)(void);
    if (next == NULL) next = (pid_t(*)(void))dlsym(RTLD_NEXT, "vfork");
    if (fails(kind_vfork, NULL, -1)) return -1;
    return next();
}

CALL(int, chdir, (const char *path), (path), -1, fails(kind_chdir, path, -1))
CALL(int, dup2, (int file, int number), (file, number), -1, fails(kind_dup2, NULL, file))
CALL(int, execve, (const char *path, char *const arguments[], char *const environment[]),
     (path, arguments, environment), -1, fails(kind_execve, path, -1))
CALL(pid_t, waitpid, (pid_t process, int *status, int options), (process, status, options), -1,
     fails(kind_waitpid, NULL, -1))
CALL(int, waitid, (idtype_t type, id_t id, siginfo_t *status, int options), (type, id, status, options), -1,
     fails(kind_waitid, NULL, -1))

// Only pidfd_open(2) is made by number and can fail in a way that matters.
long syscall(long number, ...) {
    static long (*next)(long, ...);
    if (next == NULL) next = (long (*)(long, ...))dlsym(RTLD_NEXT, "syscall");
    long argument[6];
    va_list list;
    va_start(list, number);
    for (int index = 0; index < 6; index++) argument[index] = va_arg(list, long);
    va_end(list);
    if (number == SYS_pidfd_open && fails(kind_pidfd_open, NULL, -1)) return -1;
    return next(number, argument[0], argument[1], argument[2], argument[3], argument[4], argument[5]);
}

CALL(int, pipe2, (int ends[2], int flags), (ends, flags), -1, fails(kind_pipe2, NULL, -1))
CALL(int, pipe, (int ends[2]), (ends), -1, fails(kind_pipe2, NULL, -1))
CALL(int, socket, (int domain, int type, int protocol), (domain, type, protocol), -1, fails(kind_socket, NULL, -1))
CALL(int, socketpair, (int domain, int type, int protocol, int ends[2]), (domain, type, protocol, ends), -1,
     fails(kind_socketpair, NULL, -1))
CALL(int, bind, (int socket, const struct sockaddr *address, socklen_t size), (socket, address, size), -1,
     fails(kind_bind, NULL, socket))
CALL(int, listen, (int socket, int waiting), (socket, waiting), -1, fails(kind_listen, NULL, socket))
CALL(int, accept, (int socket, struct sockaddr *address, socklen_t *size), (socket, address, size), -1,
     fails(kind_accept, NULL, socket))
CALL(int, accept4, (int socket, struct sockaddr *address, socklen_t *size, int flags), (socket, address, size, flags),
     -1, fails(kind_accept, NULL, socket))
CALL(int, connect, (int socket, const struct sockaddr *address, socklen_t size), (socket, address, size), -1,
     fails(kind_connect, NULL, socket))
CALL(ssize_t, send, (int socket, const void *bytes, size_t count, int flags), (socket, bytes, count, flags), -1,
     fails(kind_send, NULL, socket))
CALL(ssize_t, sendto,
     (int socket, const void *bytes, size_t count, int flags, const struct sockaddr *to, socklen_t size),
     (socket, bytes, count, flags, to, size), -1, fails(kind_send, NULL, socket))
CALL(ssize_t, sendmsg, (int socket, const struct msghdr *message, int flags), (socket, message, flags), -1,
     fails(kind_send, NULL, socket))
CALL(ssize_t, recv, (int socket, void *bytes, size_t count, int flags), (socket, bytes, count, flags), -1,
     fails(kind_recv, NULL, socket))
CALL(ssize_t, recvfrom, (int socket, void *bytes, size_t count, int flags, struct sockaddr *from, socklen_t *size),
     (socket, bytes, count, flags, from, size), -1, fails(kind_recv, NULL, socket))
CALL(ssize_t, recvmsg, (int socket, struct msghdr *message, int flags), (socket, message, flags), -1,
     fails(kind_recv, NULL, socket))
CALL(int, getpeername, (int socket, struct sockaddr *address, socklen_t *size), (socket, address, size), -1,
     fails(kind_getpeername, NULL, socket))
CALL(int, setsockopt, (int socket, int level, int name, const void *value, socklen_t size),
     (socket, level, name, value, size), -1, fails(kind_setsockopt, NULL, socket))

CALL(int, epoll_create1, (int flags), (flags), -1, fails(kind_epoll_create, NULL, -1))
CALL(int, epoll_create, (int size), (size), -1, fails(kind_epoll_create, NULL, -1))
CALL(int, epoll_ctl, (int poller, int operation, int file, struct epoll_event *event), (poller, operation, file, event),
     -1, fails(kind_epoll_ctl, NULL, file))
CALL(int, epoll_wait, (int poller, struct epoll_event *events, int count, int milliseconds),
     (poller, events, count, milliseconds), -1, fails(kind_epoll_wait, NULL, -1))
CALL(int, poll, (struct pollfd * files, nfds_t count, int milliseconds), (files, count, milliseconds), -1,
     fails(kind_poll, NULL, -1))
CALL(int, select, (int count, fd_set * in, fd_set * out, fd_set * other, struct timeval * time),
     (count, in, out, other, time), -1, fails(kind_select, NULL, -1))
CALL(int, eventfd, (unsigned value, int flags), (value, flags), -1, fails(kind_eventfd, NULL, -1))
CALL(int, timerfd_create, (int clock, int flags), (clock, flags), -1, fails(kind_timerfd_create, NULL, -1))
// Only timers that notice that the clock was set can fail, namely by that, and are armed all the same (timerfd_create(2),
// NOTES).
int timerfd_settime(int timer, int flags, const struct itimerspec *value, struct itimerspec *former) {
    NEXT(timerfd_settime);
    int result = next(timer, flags, value, former);
    return (flags & TFD_TIMER_CANCEL_ON_SET) && fails(kind_timerfd_settime, NULL, timer) ? -1 : result;
}
CALL(int, signalfd, (int file, const sigset_t *signals, int flags), (file, signals, flags), -1,
     fails(kind_signalfd, NULL, -1))
CALL(int, inotify_init, (void), (), -1, fails(kind_inotify_init, NULL, -1))
CALL(int, inotify_init1, (int flags), (flags), -1, fails(kind_inotify_init, NULL, -1))
CALL(int, inotify_add_watch, (int watcher, const char *path, uint32_t mask), (watcher, path, mask), -1,
     fails(kind_inotify_add_watch, path, -1))
