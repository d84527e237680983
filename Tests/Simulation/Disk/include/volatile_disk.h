// A disk that forgets what was not synchronized when its power is cut.
#pragma once

#include <stdbool.h>
#include <stdint.h>

// Has SQLite use the disk for the files that it opens from now on: each is written as always, and what was not synchronized is
// noted beside it. Returns 0 or an error code of SQLite.
int volatile_disk_install(void);

// Writes the files that SQLite opened in the directory `from` into the directory `to`, as a power cut now would leave them: each
// change since the last synchronization of its file is there, is missing, or is there in part. `seed` decides.
// Returns how many changes were lost, or -1 and errno.
long volatile_disk_cut(const char *from, const char *to, uint64_t seed);

// The files of the directory `to` are copies of those in `from`, with the same changes that are not synchronized.
void volatile_disk_move(const char *from, const char *to);

// From now on the files of a directory take only so many more changes and synchronizations; the next ones fail. One directory at
// a time can be stopped.
void volatile_disk_stop(const char *directory, long changes);

// Ends the stop. Returns whether something failed by it.
bool volatile_disk_go_on(void);

// Forgets the files of a directory that is no longer used.
void volatile_disk_forget(const char *directory);
