/* Runs COUNT times /bin/true, PARALLEL at a time, by posix_spawn(3) with a session and three pipes as a supervisor needs them,
   and prints how many it ran in a second. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

struct job {
    pid_t pid;
    int in, out, err;
};

static struct job start(void) {
    int in[2], out[2], err[2];
    char *argv[] = {"/bin/true", NULL};
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    struct job job;
    if (pipe2(in, O_CLOEXEC) || pipe2(out, O_CLOEXEC) || pipe2(err, O_CLOEXEC)) exit(2);
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, in[0], 0);
    posix_spawn_file_actions_adddup2(&actions, out[1], 1);
    posix_spawn_file_actions_adddup2(&actions, err[1], 2);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID);
    if (posix_spawn(&job.pid, argv[0], &actions, &attributes, argv, environ)) exit(3);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    close(in[0]);
    close(out[1]);
    close(err[1]);
    job.in = in[1];
    job.out = out[0];
    job.err = err[0];
    return job;
}

/* Reads what it wrote to the end, and reaps it. */
static void finish(struct job job) {
    char buffer[4096];
    close(job.in);
    while (read(job.out, buffer, sizeof buffer) > 0) {}
    while (read(job.err, buffer, sizeof buffer) > 0) {}
    close(job.out);
    close(job.err);
    waitpid(job.pid, NULL, 0);
}

int main(int argc, char **argv) {
    int count = argc > 1 ? atoi(argv[1]) : 4000, parallel = argc > 2 ? atoi(argv[2]) : 8;
    struct job jobs[64];
    struct timespec began, ended;
    if (parallel < 1 || parallel > 64) return 64;
    clock_gettime(CLOCK_MONOTONIC, &began);
    for (int started = 0, finished = 0; finished < count; finished++) {
        for (; started < count && started - finished < parallel; started++) jobs[started % parallel] = start();
        finish(jobs[finished % parallel]);
    }
    clock_gettime(CLOCK_MONOTONIC, &ended);
    printf("%.1f\n", count / (ended.tv_sec - began.tv_sec + (ended.tv_nsec - began.tv_nsec) / 1e9));
    return 0;
}
