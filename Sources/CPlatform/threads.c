#include "threads.h"

#include <sys/prctl.h>

void tminus_name_thread(const char *name) { prctl(PR_SET_NAME, name); }
