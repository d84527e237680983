#define _GNU_SOURCE
#include "program_tools.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/epoll.h>
#include <sys/syscall.h>
#include <unistd.h>

static int add_actions(posix_spawn_file_actions_t *actions, const char *directory, int input, int output, int errors) {
    int error = posix_spawn_file_actions_addchdir_np(actions, directory);
    if (error == 0) error = posix_spawn_file_actions_adddup2(actions, input, STDIN_FILENO);
    if (error == 0) error = posix_spawn_file_actions_adddup2(actions, output, STDOUT_FILENO);
    if (error == 0) error = posix_spawn_file_actions_adddup2(actions, errors, STDERR_FILENO);
    // Those of libraries too that were opened without O_CLOEXEC.
    if (error == 0) error = posix_spawn_file_actions_addclosefrom_np(actions, STDERR_FILENO + 1);
    return error;
}

int tminus_spawn(int *process, const char *path, char *const *arguments, char *const *environment, const char *directory,
                 int input, int output, int errors) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &all);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    int error = add_actions(&actions, directory, input, output, errors);
    if (error == 0) error = posix_spawn(process, path, &actions, &attributes, arguments, environment);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

// By its number, because glibc has a function for it only since 2.36.
int tminus_process_descriptor(int process) { return (int)syscall(SYS_pidfd_open, process, 0); }

int tminus_pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC); }

int tminus_epoll(void) { return epoll_create1(EPOLL_CLOEXEC); }

int tminus_epoll_add(int epoll, int descriptor, bool writes, uint64_t key) {
    struct epoll_event event = {.events = writes ? EPOLLOUT : EPOLLIN, .data.u64 = key};
    return epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor, &event);
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
