#ifndef TMINUS_BENCH_PEERS_H
#define TMINUS_BENCH_PEERS_H

#include <stdint.h>

/// A binary heap of timers that knows where each of them is, as event loops in C have it.
typedef struct {
    struct bench_heap_entry {
        int64_t due;
        uint32_t slot;
    } *entries;
    uint32_t *positions;
    uint32_t count;
    uint32_t capacity;
} bench_heap;

/// Makes an empty heap for slots below `slots`.
void bench_heap_make(bench_heap *heap, uint32_t slots);
/// Frees its memory.
void bench_heap_free(bench_heap *heap);
/// Arms a slot, in place of what it was armed for.
void bench_heap_arm(bench_heap *heap, uint32_t slot, int64_t due);
/// Disarms a slot.
void bench_heap_cancel(bench_heap *heap, uint32_t slot);
/// Disarms the earliest slot and gives its number; -1 if it is not due at `now`.
int64_t bench_heap_pop(bench_heap *heap, int64_t now);

/// The bytes that are allocated now, with what the allocator adds to each piece.
uint64_t bench_allocated_bytes(void);

#endif
