// Extended attributes, and two files that change places: Swift's Glibc module exports neither.
#pragma once
#include <sys/xattr.h>

// Lets two names of one file system change places at once (renameat2(2) with RENAME_EXCHANGE); -1 with errno.
int tminus_exchange(const char *one, const char *other);
