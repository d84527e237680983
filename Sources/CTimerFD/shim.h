// Swift's Glibc module does not export timerfd_create(2).
#pragma once
#include <sys/timerfd.h>
