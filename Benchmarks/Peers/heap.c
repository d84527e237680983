#include "peers.h"

#include <stdlib.h>

static const uint32_t absent = UINT32_MAX;

void bench_heap_make(bench_heap *heap, uint32_t slots) {
    heap->entries = NULL;
    heap->count = 0;
    heap->capacity = 0;
    heap->positions = malloc(slots * sizeof *heap->positions);
    for (uint32_t slot = 0; slot < slots; slot++) heap->positions[slot] = absent;
}

void bench_heap_free(bench_heap *heap) {
    free(heap->entries);
    free(heap->positions);
}

static void put(bench_heap *heap, uint32_t at, struct bench_heap_entry entry) {
    heap->entries[at] = entry;
    heap->positions[entry.slot] = at;
}

static void sift_up(bench_heap *heap, uint32_t at, struct bench_heap_entry entry) {
    while (at > 0) {
        uint32_t parent = (at - 1) / 2;
        if (heap->entries[parent].due <= entry.due) break;
        put(heap, at, heap->entries[parent]);
        at = parent;
    }
    put(heap, at, entry);
}

static void sift_down(bench_heap *heap, uint32_t at, struct bench_heap_entry entry) {
    for (;;) {
        uint32_t child = 2 * at + 1;
        if (child >= heap->count) break;
        if (child + 1 < heap->count && heap->entries[child + 1].due < heap->entries[child].due) child++;
        if (heap->entries[child].due >= entry.due) break;
        put(heap, at, heap->entries[child]);
        at = child;
    }
    put(heap, at, entry);
}

static void move(bench_heap *heap, uint32_t at, struct bench_heap_entry entry) {
    if (at > 0 && heap->entries[(at - 1) / 2].due > entry.due) sift_up(heap, at, entry);
    else sift_down(heap, at, entry);
}

void bench_heap_arm(bench_heap *heap, uint32_t slot, int64_t due) {
    struct bench_heap_entry entry = {due, slot};
    if (heap->positions[slot] != absent) {
        move(heap, heap->positions[slot], entry);
        return;
    }
    if (heap->count == heap->capacity) {
        heap->capacity = heap->capacity == 0 ? 64 : 2 * heap->capacity;
        heap->entries = realloc(heap->entries, heap->capacity * sizeof *heap->entries);
    }
    heap->count++;
    sift_up(heap, heap->count - 1, entry);
}

void bench_heap_cancel(bench_heap *heap, uint32_t slot) {
    uint32_t at = heap->positions[slot];
    if (at == absent) return;
    heap->positions[slot] = absent;
    heap->count--;
    if (at < heap->count) move(heap, at, heap->entries[heap->count]);
}

int64_t bench_heap_pop(bench_heap *heap, int64_t now) {
    if (heap->count == 0 || heap->entries[0].due > now) return -1;
    uint32_t slot = heap->entries[0].slot;
    heap->positions[slot] = absent;
    heap->count--;
    if (heap->count > 0) sift_down(heap, 0, heap->entries[heap->count]);
    return slot;
}
