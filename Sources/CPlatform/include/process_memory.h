// The memory of the process.
#pragma once

#include <stddef.h>
#include <stdint.h>

// Returns free memory of the heap to the kernel (malloc_trim(3)).
void tminus_trim_heap(void);

// Addresses from `start` up to but not including `end`.
struct tminus_range {
    uintptr_t start;
    uintptr_t end;
};

// Returns the pages of these mappings to the kernel (madvise(2), MADV_DONTNEED), of those that belong to the program or a library.
// While dl_iterate_phdr(3) runs, none is loaded or unloaded, so no other mapping can have taken their place.
void tminus_release_code(const struct tminus_range *ranges, size_t count);
