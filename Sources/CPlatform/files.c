#define _GNU_SOURCE
#include "files.h"

#include <fcntl.h>
#include <stdio.h>

int tminus_exchange(const char *one, const char *other) {
    return renameat2(AT_FDCWD, one, AT_FDCWD, other, RENAME_EXCHANGE);
}
