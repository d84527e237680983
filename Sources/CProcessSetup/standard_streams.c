// Takes the place of standard streams that are closed when the program starts.
//
// It has to happen before anything else opens a file: the runtime of Swift and libdispatch make descriptors of their own before
// `main`, and would get the number 1, so that output would be written into them. Open for reading only, so that a write fails, as
// it does on a closed stream.
#include <fcntl.h>
#include <unistd.h>

__attribute__((constructor(101))) static void tminus_occupy_standard_streams(void) {
    for (int descriptor = STDIN_FILENO; descriptor <= STDERR_FILENO; descriptor++) {
        // The lowest free number is taken, which is this one (open(2)).
        if (fcntl(descriptor, F_GETFD) < 0) (void)open("/dev/null", O_RDONLY);
    }
}
