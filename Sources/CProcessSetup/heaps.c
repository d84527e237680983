// Two heaps instead of up to eight for each core (mallopt(3)).
//
// Memory freed in one heap is not available to the others. With 16 heaps, 500 firings a second held 73 MB for 23 MB in
// use.
#include <malloc.h>

__attribute__((constructor(102))) static void tminus_share_heaps(void) { mallopt(M_ARENA_MAX, 2); }
