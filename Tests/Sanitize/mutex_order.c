// Tells ThreadSanitizer when a Mutex of Swift is taken and given back. `make sanitize` preloads it.
//
// The library of Mutex is not built for ThreadSanitizer. What needs no waiting is inlined where a Mutex is used, so that is
// seen. The library does the rest. Without this, all that a Mutex protects would look like a race as soon as a thread waited.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>

// `_MutexHandle._lockSlow(_:)` and `_MutexHandle._unlockSlow()`: methods, which get the Mutex as their context.
#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"
#define METHOD __attribute__((swiftcall)) void
#define SELF __attribute__((swift_context)) void *mutex

// Not there in programs without ThreadSanitizer, which inherit what is preloaded.
__attribute__((weak)) void __tsan_acquire(void *address);
__attribute__((weak)) void __tsan_release(void *address);

METHOD lock(uint32_t thread, SELF) __asm__(LOCK);
METHOD unlock(SELF) __asm__(UNLOCK);

METHOD lock(uint32_t thread, SELF) {
    ((METHOD (*)(uint32_t, SELF))dlsym(RTLD_NEXT, LOCK))(thread, mutex);
    if (__tsan_acquire) __tsan_acquire(mutex);
}

METHOD unlock(SELF) {
    if (__tsan_release) __tsan_release(mutex);
    ((METHOD (*)(SELF))dlsym(RTLD_NEXT, UNLOCK))(mutex);
}
