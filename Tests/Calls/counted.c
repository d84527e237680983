// Counts the calls of the program into a file and has one of them fail.
//
// TMINUS_FAIL=openat:17:EMFILE  the 17th openat fails; without it, calls are only counted
// TMINUS_FAIL_LOG=FILE          gets one line, with what the call was about, when it fails
// TMINUS_CALLS=FILE             gets the counts: for each kind 24 bytes of name and 8 of count
//
// The program starts other programs, which are not to be counted: the variables are removed before main. All system
// calls of this file are made by number, so that it does not count itself.
#define _GNU_SOURCE
#include "counted.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

struct counter {
    char name[24];
    _Atomic uint64_t count;
};

static const char *const names[] = {
#define AS_NAME(kind, name) name,
    KINDS(AS_NAME)
#undef AS_NAME
};
enum { kinds = sizeof names / sizeof *names };

static struct counter *counters;
static int failing = -1, failing_errno, log_file = -1;
static uint64_t failing_number;

// The number of an errno by its name; 0 if there is none.
static int number_of(const char *name) {
    for (int number = 1; number < 256; number++) {
        const char *known = strerrorname_np(number);
        if (known != NULL && strcmp(known, name) == 0) return number;
    }
    return 0;
}

__attribute__((noreturn)) static void refuse(const char *why) {
    fprintf(stderr, "failing_calls: %s\n", why);
    _exit(120);
}

static void read_fault(const char *text) {
    char kind[24], name[24], extra;
    unsigned long number;
    if (sscanf(text, "%23[^:]:%lu:%23[A-Z0-9]%c", kind, &number, name, &extra) != 3) refuse("TMINUS_FAIL is no fault");
    for (int index = 0; index < kinds; index++) {
        if (strcmp(names[index], kind) == 0) failing = index;
    }
    failing_number = number;
    failing_errno = number_of(name);
    if (failing < 0 || failing_errno == 0) refuse("TMINUS_FAIL names no known call or errno");
}

static int open_file(const char *path, int flags) {
    int file = (int)syscall(SYS_openat, AT_FDCWD, path, flags | O_CREAT | O_CLOEXEC, 0600);
    // Out of the way of the low numbers, which the program expects.
    int high = file < 0 ? -1 : (int)syscall(SYS_fcntl, file, F_DUPFD_CLOEXEC, 900);
    if (high < 0) refuse("a file cannot be opened");
    syscall(SYS_close, file);
    return high;
}

__attribute__((constructor)) static void begin(void) {
    const char *fault = getenv("TMINUS_FAIL"), *log = getenv("TMINUS_FAIL_LOG"), *calls = getenv("TMINUS_CALLS");
    if (calls == NULL) return;
    if (fault != NULL) read_fault(fault);
    if (log != NULL) log_file = open_file(log, O_WRONLY | O_APPEND);
    int file = open_file(calls, O_RDWR | O_TRUNC);
    size_t size = kinds * sizeof(struct counter);
    if (syscall(SYS_ftruncate, file, size) != 0) refuse("the counts cannot be made");
    // A mapping is complete however the process ends.
    long mapped = syscall(SYS_mmap, NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (mapped == -1) refuse("the counts cannot be mapped");
    syscall(SYS_close, file);
    struct counter *made = (struct counter *)mapped;
    for (int index = 0; index < kinds; index++) strncpy(made[index].name, names[index], sizeof made->name - 1);
    for (const char **name = (const char *[]){"TMINUS_FAIL", "TMINUS_FAIL_LOG", "TMINUS_CALLS", "LD_PRELOAD", NULL};
         *name != NULL; name++) {
        unsetenv(*name);
    }
    counters = made;
}

// No stdio: the caller may be a child that shares the memory of its parent, or malloc.
static void note(const char *path, int descriptor) {
    char line[512], target[256] = "";
    if (path == NULL && descriptor >= 0) {
        char link[32];
        snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
        long length = syscall(SYS_readlinkat, AT_FDCWD, link, target, sizeof target - 1);
        target[length < 0 ? 0 : length] = 0;
        path = target;
    }
    int length = snprintf(line, sizeof line, "%s %lu %s %s\n", names[failing], (unsigned long)failing_number,
                          strerrorname_np(failing_errno), path == NULL ? "" : path);
    if (length > (int)sizeof line - 1) length = sizeof line - 1;
    if (log_file >= 0) syscall(SYS_write, log_file, line, length);
}

bool fails(enum kind kind, const char *path, int descriptor) {
    if (counters == NULL) return false;
    uint64_t number = atomic_fetch_add(&counters[kind].count, 1) + 1;
    if ((int)kind != failing || number != failing_number) return false;
    note(path, descriptor);
    errno = failing_errno;
    return true;
}

bool descriptor_fails(enum kind file, int descriptor) {
    struct stat status;
    if (counters == NULL || syscall(SYS_newfstatat, descriptor, "", &status, AT_EMPTY_PATH) != 0) return false;
    int offset = S_ISREG(status.st_mode) || S_ISDIR(status.st_mode) ? 0
               : S_ISFIFO(status.st_mode)                           ? 1
               : S_ISSOCK(status.st_mode)                           ? 2
                                                                    : 3;
    return fails(file + offset, NULL, descriptor);
}
