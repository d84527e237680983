// The threads of the process.
#pragma once

// Gives the calling thread a name, which the kernel cuts after 15 bytes (prctl(2), PR_SET_NAME).
void tminus_name_thread(const char *_Nonnull name);
