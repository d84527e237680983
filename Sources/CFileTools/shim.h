// Swift's Glibc module exports neither the extended attributes of files nor renameat2(2), which glibc has for _GNU_SOURCE.
#pragma once
#include <sys/xattr.h>
int renameat2(int, const char *, int, const char *, unsigned int);
