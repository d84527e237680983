#define _GNU_SOURCE
#include "process_memory.h"

#include <link.h>
#include <malloc.h>
#include <sys/mman.h>
#include <unistd.h>

void tminus_trim_heap(void) { malloc_trim(0); }

struct mapped {
    const struct tminus_range *ranges;
    size_t count;
};

// Releases the ranges that lie in a segment of one loaded object that nobody writes.
static int release_object(struct dl_phdr_info *object, size_t size, void *context)
{
    (void)size;
    const struct mapped *mapped = context;
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    for (int i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &object->dlpi_phdr[i];
        if (segment->p_type != PT_LOAD || segment->p_flags & PF_W) continue;
        const uintptr_t begin = object->dlpi_addr + segment->p_vaddr;
        const uintptr_t start = begin / page * page;
        const uintptr_t end = (begin + segment->p_memsz + page - 1) / page * page;
        for (size_t n = 0; n < mapped->count; n++) {
            const struct tminus_range range = mapped->ranges[n];
            if (range.start < start || range.end > end) continue;
            madvise((void *)range.start, range.end - range.start, MADV_DONTNEED);
        }
    }
    return 0;
}

void tminus_release_code(const struct tminus_range *ranges, size_t count)
{
    struct mapped mapped = { ranges, count };
    dl_iterate_phdr(release_object, &mapped);
}
