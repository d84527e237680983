// Keeps an idle process from waking once a second.
//
// Upstream behaviour: on Linux, libdispatch starts a timer when the first job runs on a global queue that does not
// overcommit. From then on it checks its worker threads every second until the process ends (_dispatch_workq_init_once
// in event/workqueue.c of swift-corelibs-libdispatch, seen in Swift 6.3). Swift's global executor is such a queue:
// concurrent, as wide as the machine has cores. An idle daemon must not wake 86,400 times a day.
//
// Workaround: this file stands before libdispatch's own dispatch_source_set_timer and suppresses each timer of one
// second that libdispatch sets for itself. The cost: when a thread blocks in a global queue, libdispatch does not add
// another; nothing here may block in one. Queues that overcommit have no such timer, but with them a burst of 500
// deliveries every second kept 255 threads; now it keeps 10.
//
// There are two ways in, because there are two ways to link the Swift runtime:
// - libdispatch.so (debug builds, tests): the executable's definition comes before that of the library, for the
//   library's own calls too. It is weak, so that a static libdispatch, which has the same symbol, can be linked.
// - libdispatch.a (the release build, see the Makefile): the linker's --wrap=dispatch_source_set_timer sends all
//   calls to __wrap_dispatch_source_set_timer and calls the library's function __real_dispatch_source_set_timer.
//   A caller cannot be told from another there. No package in the program sets a timer of one second in this way.
//
// Still needed? ProcessSetupTests fails as soon as libdispatch no longer sets that timer. To check by hand, remove
// `CProcessSetup` from the dependencies of `tminus` in Package.swift, let a daemon idle for 30 s, and compare the sums
// of `voluntary_ctxt_switches` in /proc/PID/task/*/status before and after. A difference of 30 or more means that it is
// needed; with this file it was 6.
#define _GNU_SOURCE
#include "process_setup.h"

#include <dlfcn.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef void set_timer(void *source, uint64_t start, uint64_t interval, uint64_t leeway);

static const uint64_t one_second = 1000000000, never = ~0ULL;
static atomic_int withheld;

int tminus_withheld_timers(void) { return atomic_load(&withheld); }

static void set_or_withhold(set_timer *original, bool may_withhold, void *source, uint64_t start, uint64_t interval,
                            uint64_t leeway) {
    bool is_withheld = may_withhold && interval == one_second;
    if (is_withheld) atomic_fetch_add(&withheld, 1);
    original(source, is_withheld ? never : start, interval, leeway);
}

__attribute__((weak)) set_timer dispatch_source_set_timer;
void dispatch_source_set_timer(void *source, uint64_t start, uint64_t interval, uint64_t leeway) {
    set_timer *original = dlsym(RTLD_NEXT, "dispatch_source_set_timer");
    Dl_info caller, library;
    if (original == NULL) return;
    bool is_own = dladdr(__builtin_return_address(0), &caller) != 0 && dladdr((void *)original, &library) != 0 &&
                  caller.dli_fbase == library.dli_fbase;
    set_or_withhold(original, is_own, source, start, interval, leeway);
}

// Nothing refers to these two, and the second does not exist, unless the linker wraps.
__attribute__((weak)) set_timer __real_dispatch_source_set_timer;
set_timer __wrap_dispatch_source_set_timer;
void __wrap_dispatch_source_set_timer(void *source, uint64_t start, uint64_t interval, uint64_t leeway) {
    set_or_withhold(__real_dispatch_source_set_timer, true, source, start, interval, leeway);
}
