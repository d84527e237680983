#define _GNU_SOURCE
#include "processes.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/close_range.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

// The instructions for a child, and the error if its start fails.
struct start {
    const char *path, *directory;
    char *const *arguments, *const *environment;
    int input, output, errors;
    struct tminus_entry *entry;
    pid_t parent;
    volatile int error;
    volatile bool is_directory;
};

// Marks all other descriptors to be closed by execve(2), including those that libraries opened without O_CLOEXEC.
static void mark_others(void) {
    if (syscall(SYS_close_range, STDERR_FILENO + 1, ~0U, CLOSE_RANGE_CLOEXEC) == 0) return;
    // An older kernel, or a container that lacks the call.
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
    for (rlim_t number = STDERR_FILENO + 1; number < limit.rlim_cur; number++) fcntl((int)number, F_SETFD, FD_CLOEXEC);
}

// Nanoseconds since the boot, by the clock of starttime in proc_pid_stat(5).
static int64_t since_boot(void) {
    struct timespec time = {0};
    clock_gettime(CLOCK_BOOTTIME, &time);
    return time.tv_sec * INT64_C(1000000000) + time.tv_nsec;
}

// Runs in the child. It shares the memory of its waiting parent, so it only makes system calls (vfork(2)). All signals
// stay blocked until the parent's handlers are removed, because a handler must not run here.
__attribute__((noinline, noreturn)) static void become(struct start *start) {
    const struct sigaction standard = {.sa_handler = SIG_DFL};
    sigset_t none;
    for (int number = 1; number < NSIG; number++) sigaction(number, &standard, NULL);
    setsid();
    // The signal comes when the thread that called vfork() ends, and only to this process, not to its children. The
    // setting survives execve(2), except for a program that is set-user-ID or has capabilities
    // (PR_SET_PDEATHSIG(2const)).
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    // If the parent had ended before, no signal will come.
    if (getppid() != start->parent) _exit(127);
    if (start->entry != NULL) {
        struct tminus_record *record = &start->entry->record;
        record->group = getpid();
        record->latest = since_boot();
        // A full disk does not prevent the program from running.
        (void)!pwrite(start->entry->file, record, sizeof *record, start->entry->offset);
    }
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
                 const char *directory, int input, int output, int errors, struct tminus_entry *entry) {
    struct start start = {path, directory, arguments, environment, input, output, errors, entry, getpid(), 0, false};
    sigset_t blocked, former;
    sigfillset(&blocked);
    // The end of a child signals the thread that started it. If that thread blocks SIGCHLD, the kernel does not discard
    // the signal, as the default action would, but wakes another thread of the process for each child. posix_spawn(3)
    // blocks it during a start.
    sigdelset(&blocked, SIGCHLD);
    pthread_sigmask(SIG_SETMASK, &blocked, &former);
    if (entry != NULL) entry->record.earliest = since_boot();
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

// By number, because glibc has a function for it only since 2.36.
int tminus_process_descriptor(int process) { return (int)syscall(SYS_pidfd_open, process, 0); }

int tminus_pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC); }

void tminus_name_thread(const char *name) { prctl(PR_SET_NAME, name); }
