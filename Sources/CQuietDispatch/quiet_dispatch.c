// Keeps an idle process from waking once a second.
//
// On Linux, libdispatch starts a timer as soon as one job has run on a global queue that does not overcommit; from then on it
// looks at its worker threads every second for the rest of the process (_dispatch_workq_init_once in its source file
// event/workqueue.c). Swift's global executor is such a queue: a concurrent one, as wide as the machine has cores. A daemon that
// has nothing to do for days must not wake 86,400 times a day.
//
// This definition takes the place of libdispatch's own function of that name, for the whole process, and makes the queues that
// are created with a quality of service overcommit. The width of Swift's queue bounds how many jobs run at once, not its threads: a
// burst that comes every second was seen to keep 255 of them, nearly all asleep. Measured: 1 voluntary
// context switch a second without, none with it.
#define _GNU_SOURCE
#include "quiet_dispatch.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stddef.h>

void *dispatch_queue_attr_make_with_overcommit(void *attributes, bool overcommit);
void *dispatch_queue_attr_make_with_qos_class(void *attributes, unsigned qos_class, int relative_priority);

void *dispatch_queue_attr_make_with_qos_class(void *attributes, unsigned qos_class, int relative_priority) {
    void *(*original)(void *, unsigned, int) = dlsym(RTLD_NEXT, "dispatch_queue_attr_make_with_qos_class");
    if (original == NULL) return attributes;
    return dispatch_queue_attr_make_with_overcommit(original(attributes, qos_class, relative_priority), true);
}
