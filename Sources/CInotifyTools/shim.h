// The order matters: with <sys/inotify.h> first, `struct inotify_event` is a complete type in Swift; with
// inotifytools.h alone it is opaque. <sys/vfs.h> is here because Swift's Glibc module does not export statfs(2).
#pragma once
#include <sys/inotify.h>
#include <inotifytools/inotifytools.h>
#include <sys/vfs.h>
