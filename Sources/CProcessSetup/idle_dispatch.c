// Keeps an idle process from waking once a second.
//
// On Linux, libdispatch starts a timer as soon as one job has run on a global queue that does not overcommit; from then on it
// looks at its worker threads every second for the rest of the process (_dispatch_workq_init_once in its source file
// event/workqueue.c). Swift's global executor is such a queue: a concurrent one, as wide as the machine has cores. A daemon that
// has nothing to do for days must not wake 86,400 times a day.
//
// This definition takes the place of libdispatch's own function of that name, for the whole process, and never starts that timer:
// the one of a second that libdispatch sets for itself. What is lost is another thread for one that blocks in a global queue, where
// nothing here may block. Queues that overcommit have no such timer either, but a burst of 500 deliveries every second kept 255
// threads of them; so it has 10. Measured in 30 s of idleness, all threads: 6 voluntary context switches.
#define _GNU_SOURCE
#include "process_setup.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

void dispatch_source_set_timer(void *source, uint64_t start, uint64_t interval, uint64_t leeway) {
    void (*original)(void *, uint64_t, uint64_t, uint64_t) = dlsym(RTLD_NEXT, "dispatch_source_set_timer");
    Dl_info caller, library;
    if (original == NULL) return;
    bool is_own = dladdr(__builtin_return_address(0), &caller) != 0 && dladdr((void *)original, &library) != 0 &&
                  caller.dli_fbase == library.dli_fbase;
    original(source, is_own && interval == 1000000000 ? ~0ULL : start, interval, leeway);
}
