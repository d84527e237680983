// Setup before `main`. Linking this target into an executable is enough.
//
// - idle_dispatch.c prevents libdispatch from waking an idle process once a second.
// - standard_streams.c replaces standard streams that are closed at the start.
// - heaps.c limits the number of heaps.
#pragma once

// How many of its own timers libdispatch was prevented from starting. A test checks with it that the workaround is
// still needed.
int tminus_withheld_timers(void);
