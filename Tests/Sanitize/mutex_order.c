// Tells ThreadSanitizer that a Mutex of Swift was taken. `make sanitize` preloads it.
//
// The library of Mutex is not built for ThreadSanitizer. What it does without waiting is inlined where it is used, so that is
// seen. What it does after waiting is not, and then all that the lock protects looks like a race.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>

#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
typedef __attribute__((swiftcall)) void (*Lock)(uint32_t thread, __attribute__((swift_context)) void *mutex);

// Not there in programs without ThreadSanitizer, which inherit what is preloaded.
__attribute__((weak)) void __tsan_acquire(void *address);

__attribute__((swiftcall)) void lock(uint32_t thread, __attribute__((swift_context)) void *mutex) __asm__(LOCK);

__attribute__((swiftcall)) void lock(uint32_t thread, __attribute__((swift_context)) void *mutex) {
    ((Lock)dlsym(RTLD_NEXT, LOCK))(thread, mutex);
    if (__tsan_acquire) __tsan_acquire(mutex);
}
