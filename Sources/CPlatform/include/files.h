// Extended attributes and the exchange of two files, which Swift's Glibc module does not export.
#pragma once
#include <sys/xattr.h>

// Exchanges two names of one file system atomically (renameat2(2) with RENAME_EXCHANGE); -1 with errno.
int tminus_exchange(const char *one, const char *other);
