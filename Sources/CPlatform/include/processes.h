// How programs are started, and how their ends are noticed.
#pragma once
#include <stdbool.h>

// Starts a program in a session of its own, in `directory`, with the signals of a fresh process. The three descriptors, each above 2,
// become its standard streams, and it gets no others (vfork(2), execve(2)). Returns 0 or an errno, and whether that concerns the
// directory.
int tminus_spawn(int *process, bool *is_directory, const char *path, char *const *arguments, char *const *environment,
                 const char *directory, int input, int output, int errors);

// A descriptor that becomes readable when the process has ended (pidfd_open(2)); -1 with errno.
int tminus_process_descriptor(int process);

// A pipe whose ends are closed in other programs (pipe2(2) with O_CLOEXEC); -1 with errno.
int tminus_pipe(int ends[2]);
