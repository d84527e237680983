// Replaces standard streams that are closed when the program starts.
//
// This must happen before anything else opens a file: the Swift runtime and libdispatch open descriptors before `main`.
// They would get the number 1, and output would be written into them. The streams are opened for reading only, so that
// writing fails as on a closed stream.
#include <fcntl.h>
#include <unistd.h>

__attribute__((constructor(101))) static void tminus_occupy_standard_streams(void) {
    for (int descriptor = STDIN_FILENO; descriptor <= STDERR_FILENO; descriptor++) {
        // The kernel takes the lowest free number, which is this one (open(2)).
        if (fcntl(descriptor, F_GETFD) < 0) (void)open("/dev/null", O_RDONLY);
    }
}
