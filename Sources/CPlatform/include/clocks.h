// The state of the system's clock, which Swift's Glibc module does not export.
#pragma once

// Whether the kernel takes the wall clock for synchronised (adjtimex(2)): 1 or 0; -1 if it does not tell.
int tminus_clock_is_synchronised(void);
