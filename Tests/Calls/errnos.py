"""Which errors each call can give, by its manual page in section 2 or 3.

Left out are the errors that say that the program called wrongly (EBADF, EFAULT, EINVAL, ENOTSOCK, ...) and those that
say something about a path (ENOENT, ENOTDIR, EEXIST, ELOOP, ...): they would be a false statement about a directory, not
a failure. EAGAIN is left out where it says "not now" of a descriptor that was reported as ready, or that another
process holds a lock.
"""

DISK = ["EIO", "ENOSPC", "EDQUOT"]
SHORTAGE = ["EMFILE", "ENFILE", "ENOMEM"]
ACCESS = ["EACCES", "EPERM", "EROFS"]
MEMORY = ["ENOMEM"]
NETWORK = ["EINTR", "ENOMEM", "ENOBUFS", "ECONNRESET", "ETIMEDOUT"]

ERRNOS = {
    "open": ["EINTR", "EIO", "ENOSPC", "EDQUOT", *SHORTAGE, *ACCESS],
    "openat": ["EINTR", "EIO", "ENOSPC", "EDQUOT", *SHORTAGE, *ACCESS],
    "fopen": ["EINTR", *SHORTAGE, "EACCES"],
    "opendir": [*SHORTAGE, "EACCES"],
    "close": ["EINTR", *DISK],
    "read": ["EINTR", "EIO"],
    "read.pipe": ["EINTR", "EIO"],
    "read.socket": NETWORK,
    "read.event": ["EINTR"],
    "pread": ["EINTR", "EIO"],
    "write": ["EINTR", *DISK, "EFBIG", "EPERM"],
    "write.pipe": ["EINTR", "EPIPE"],
    "write.socket": [*NETWORK, "EPIPE"],
    "write.event": ["EINTR"],
    "pwrite": ["EINTR", *DISK, "EFBIG", "EPERM"],
    "writev": [*NETWORK, "EPIPE"],
    "fsync": ["EINTR", *DISK],
    "fdatasync": ["EINTR", *DISK],
    "ftruncate": ["EINTR", "EIO", "EFBIG", "EPERM"],
    "rename": [*DISK, "ENOMEM", "EBUSY", *ACCESS],
    "link": [*DISK, "EMLINK", "ENOMEM", *ACCESS],
    "unlink": ["EIO", "ENOMEM", "EBUSY", *ACCESS],
    "mkdir": ["ENOSPC", "EDQUOT", "ENOMEM", *ACCESS],
    "stat": ["EACCES", "ENOMEM"],
    "fstat": MEMORY,
    "access": ["EACCES", "EIO", "ENOMEM", "EROFS", "ETXTBSY"],
    "statfs": ["EACCES", "EINTR", "EIO", "ENOMEM"],
    "readlink": ["EACCES", "EIO", "ENOMEM"],
    "flock": ["EINTR", "ENOLCK"],
    "fcntl.lock": ["EACCES", "EAGAIN", "EINTR", "ENOLCK"],
    "fchmod": ["EIO", "EPERM", "EROFS", "ENOMEM"],
    "fchown": ["EIO", "EPERM", "EROFS", "ENOMEM"],
    "mmap": ["EACCES", "EAGAIN", "ENFILE", "ENODEV", "ENOMEM", "EPERM"],
    "malloc": MEMORY,
    "calloc": MEMORY,
    "realloc": MEMORY,
    "posix_memalign": MEMORY,
    "pthread_create": ["EAGAIN", "EPERM"],
    "vfork": ["EAGAIN", "ENOMEM"],
    "chdir": ["EACCES", "EIO", "ENOMEM"],
    "dup2": ["EBUSY", "EINTR", "EMFILE"],
    "execve": ["E2BIG", "EACCES", "EIO", "EMFILE", "ENFILE", "ENOMEM", "EPERM", "ETXTBSY", "EAGAIN"],
    "waitpid": ["EINTR", "ECHILD"],
    "waitid": ["EINTR", "ECHILD"],
    "pidfd_open": [*SHORTAGE, "ENODEV", "ESRCH"],
    "pipe2": ["EMFILE", "ENFILE"],
    "socket": ["EACCES", "ENOBUFS", *SHORTAGE],
    "socketpair": SHORTAGE,
    "bind": ["EACCES", "EADDRINUSE", "ENOMEM", "EROFS"],
    "listen": ["EADDRINUSE"],
    "accept": ["ECONNABORTED", "EINTR", "ENOBUFS", "EPERM", *SHORTAGE],
    "connect": ["EACCES", "EADDRNOTAVAIL", "EAGAIN", "ECONNREFUSED", "EINTR", "ENETUNREACH", "ETIMEDOUT"],
    "send": [*NETWORK, "EPIPE"],
    "recv": [*NETWORK, "ECONNREFUSED"],
    "getpeername": ["ENOBUFS"],
    "setsockopt": MEMORY,
    "epoll_create": SHORTAGE,
    "epoll_ctl": ["ENOMEM", "ENOSPC"],
    "epoll_wait": ["EINTR"],
    "poll": ["EINTR", "ENOMEM"],
    "select": ["EINTR", "ENOMEM"],
    "eventfd": [*SHORTAGE, "ENODEV"],
    "timerfd_create": [*SHORTAGE, "ENODEV", "EPERM"],
    "timerfd_settime": ["ECANCELED"],
    "signalfd": [*SHORTAGE, "ENODEV"],
    "inotify_init": SHORTAGE,
    "inotify_add_watch": ["EACCES", "ENOMEM", "ENOSPC"],
}

# Where a library ends the process, and the program cannot help it. A restart must lose nothing. Found by the backtraces
# of a debug build; a fault elsewhere may not end the process.
LIBRARY = {
    **dict.fromkeys(
        ["malloc", "calloc", "realloc", "posix_memalign"], "Swift ends a process that gets no memory by a trap"),
    "accept:EPERM": "Hummingbird drops the connection, and SwiftNIO (NIOAsyncWriter.deinit) traps at that",
    "epoll_create": "libdispatch (_dispatch_epoll_init) and SwiftNIO (Selector.init) trap without a poller",
    "epoll_ctl": "libdispatch (_dispatch_epoll_init) traps if its poller takes no descriptor",
    "eventfd": "libdispatch (_dispatch_runloop_queue_handle_init) and SwiftNIO (Selector.init) trap without one",
    "timerfd_create": "SwiftNIO (Selector.init) traps without a timer",
    "signalfd": "libdispatch does not tell that a signal will never arrive; only SIGKILL ends the daemon then",
    "pthread_create": "SwiftNIO (ThreadOpsPosix.run) traps if it gets no thread",
}

# Where a library leaves the daemon without something and says nothing. A restart must lose nothing here, too.
LIBRARY_SILENT = {
    "epoll_ctl": "SwiftNIO says nothing of a socket that its poller does not take; a control socket stays closed",
}

# Where a library ends the process if it is about a certain file.
LIBRARY_FILES = {
    ("close", path): "SwiftNIO (Linux) traps if it cannot close the files by which it counts processors"
    for path in ["/sys/fs/cgroup/", "/proc/self/cgroup"]
}


def library_reason(call, errno, target):
    """Why a library may end the process when that call fails so; None if it may not."""
    below = (reason for (name, path), reason in LIBRARY_FILES.items() if name == call and target.startswith(path))
    return LIBRARY.get(call) or LIBRARY.get(f"{call}:{errno}") or next(below, None)
