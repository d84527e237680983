// Starts programs, reports their ends, and names threads.
#pragma once
#include <stdbool.h>
#include <stdint.h>

// The record of a running program in a file, by which a later process recognizes and ends it.
struct tminus_record {
    // The process, which leads its group; 0 if the place is empty.
    int32_t group;
    // How long it may take to end after TERM, in milliseconds.
    int32_t patience;
    // The process started between these times, in nanoseconds since the boot (CLOCK_BOOTTIME in clock_gettime(2)).
    int64_t earliest, latest;
    // The value of a variable in its environment.
    uint64_t token;
    // The purpose of the program, padded with NUL.
    char label[88];
};

// A record and its offset in a file.
struct tminus_entry {
    int file;
    int64_t offset;
    struct tminus_record record;
};

// Starts a program in a session of its own, in `directory`, with the signals of a fresh process. The three descriptors,
// each above 2, become its standard streams, and it gets no others (vfork(2), execve(2)). Returns 0 or an errno, and
// whether that concerns the directory.
//
// Before the program runs, the child writes the record of `entry`, which may be NULL, to its file. It gets TERM when
// the calling thread ends (prctl(2), PR_SET_PDEATHSIG).
int tminus_spawn(int *process, bool *is_directory, const char *path, char *const *arguments, char *const *environment,
                 const char *directory, int input, int output, int errors, struct tminus_entry *entry);

// A descriptor that becomes readable when the process has ended (pidfd_open(2)); -1 with errno.
int tminus_process_descriptor(int process);

// A pipe whose ends are closed in other programs (pipe2(2) with O_CLOEXEC); -1 with errno.
int tminus_pipe(int ends[2]);

// Gives the calling thread a name, which the kernel cuts after 15 bytes (prctl(2), PR_SET_NAME).
void tminus_name_thread(const char *name);
