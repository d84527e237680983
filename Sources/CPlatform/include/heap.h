// The heap of the process.
#pragma once

// Returns free memory of the heap to the kernel (malloc_trim(3)).
void tminus_trim_heap(void);
