#define _GNU_SOURCE
#include "program_tools.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/close_range.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <unistd.h>

// What a child has to do, and what became of it.
struct start {
    const char *path, *directory;
    char *const *arguments, *const *environment;
    int input, output, errors;
    volatile int error;
    volatile bool is_directory;
};

// Those of libraries too that were opened without O_CLOEXEC. execve(2) closes what is marked.
static void mark_others(void) {
    if (syscall(SYS_close_range, STDERR_FILENO + 1, ~0U, CLOSE_RANGE_CLOEXEC) == 0) return;
    // An older kernel, or a container that does not know the call.
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
    for (rlim_t number = STDERR_FILENO + 1; number < limit.rlim_cur; number++) fcntl((int)number, F_SETFD, FD_CLOEXEC);
}

// The child. It has the memory of its parent, which waits, so it makes system calls only (vfork(2)). All signals are blocked until
// no handler of the parent is left that could run here.
__attribute__((noinline, noreturn)) static void become(struct start *start) {
    const struct sigaction standard = {.sa_handler = SIG_DFL};
    sigset_t none;
    for (int number = 1; number < NSIG; number++) sigaction(number, &standard, NULL);
    setsid();
    start->is_directory = chdir(start->directory) != 0;
    if (!start->is_directory) {
        mark_others();
        if (dup2(start->input, STDIN_FILENO) >= 0 && dup2(start->output, STDOUT_FILENO) >= 0 &&
            dup2(start->errors, STDERR_FILENO) >= 0) {
            sigemptyset(&none);
            sigprocmask(SIG_SETMASK, &none, NULL);
            execve(start->path, start->arguments, start->environment);
        }
    }
    start->error = errno;
    _exit(127);
}

int tminus_spawn(int *process, bool *is_directory, const char *path, char *const *arguments, char *const *environment,
                 const char *directory, int input, int output, int errors) {
    struct start start = {path, directory, arguments, environment, input, output, errors, 0, false};
    sigset_t blocked, former;
    sigfillset(&blocked);
    // The end of a child tells the thread that started it. If that blocks the signal, it is not dropped, as the default has it, but
    // wakes another thread of the process, for each child and for nothing; posix_spawn(3) blocks it for as long as a start takes.
    sigdelset(&blocked, SIGCHLD);
    pthread_sigmask(SIG_SETMASK, &blocked, &former);
    pid_t child = vfork();
    if (child == 0) become(&start);
    int error = child < 0 ? errno : start.error;
    sigdelset(&former, SIGCHLD);
    pthread_sigmask(SIG_SETMASK, &former, NULL);
    *is_directory = start.is_directory;
    if (child > 0 && error != 0) {
        while (waitpid(child, NULL, 0) < 0 && errno == EINTR) {}
    }
    *process = child;
    return error;
}

// By its number, because glibc has a function for it only since 2.36.
int tminus_process_descriptor(int process) { return (int)syscall(SYS_pidfd_open, process, 0); }

int tminus_pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC); }

int tminus_epoll(void) { return epoll_create1(EPOLL_CLOEXEC); }

static int add(int epoll, int descriptor, uint32_t events, uint64_t key) {
    struct epoll_event event = {.events = events, .data.u64 = key};
    return epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor, &event);
}

int tminus_epoll_add(int epoll, int descriptor, bool writes, uint64_t key) {
    return add(epoll, descriptor, writes ? EPOLLOUT : EPOLLIN, key);
}

int tminus_epoll_add_once(int epoll, int descriptor, uint64_t key) {
    return add(epoll, descriptor, EPOLLIN | EPOLLONESHOT, key);
}

int tminus_epoll_timer(int epoll, uint64_t key) {
    int timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
    // Edge-triggered, so that nobody has to read it.
    if (timer < 0 || add(epoll, timer, EPOLLIN | EPOLLET, key) == 0) return timer;
    int error = errno;
    close(timer);
    errno = error;
    return -1;
}

void tminus_timer_set(int timer, int64_t nanoseconds) {
    if (nanoseconds < 1) nanoseconds = 1;
    struct itimerspec time = {.it_value = {nanoseconds / 1000000000, nanoseconds % 1000000000}};
    timerfd_settime(timer, 0, &time, NULL);
}

void tminus_epoll_remove(int epoll, int descriptor) {
    struct epoll_event event = {0};
    epoll_ctl(epoll, EPOLL_CTL_DEL, descriptor, &event);
}

int tminus_epoll_wait(int epoll, uint64_t *keys, int count) {
    struct epoll_event events[64];
    int happened = epoll_wait(epoll, events, count < 64 ? count : 64, -1);
    for (int index = 0; index < happened; index++) keys[index] = events[index].data.u64;
    return happened < 0 ? 0 : happened;
}
