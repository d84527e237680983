// Swift's Glibc module exports neither timerfd_create(2) nor epoll(7) nor eventfd(2).
#pragma once
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
