#include "clocks.h"

#include <sys/timex.h>

int tminus_clock_is_synchronised(void) {
    struct timex clock = {.modes = 0};
    int state = adjtimex(&clock);
    return state < 0 ? -1 : state != TIME_ERROR && (clock.status & STA_UNSYNC) == 0;
}
