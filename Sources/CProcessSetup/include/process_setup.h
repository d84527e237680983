// What has to be set up before `main`: linking this target into an executable is enough.
//
// - idle_dispatch.c keeps libdispatch from waking an idle process once a second.
// - standard_streams.c replaces standard streams that are closed at the start.
// - heaps.c limits the number of heaps.
#pragma once

// How many timers of its own libdispatch was kept from starting; for the test that this is still needed.
int tminus_withheld_timers(void);
