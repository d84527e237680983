#!/usr/bin/env bash
# Builds and runs all tests under a sanitizer of the compiler, each in a build of its own; `make sanitize` does it.
# usage: sanitize.sh address|thread...
# WIDTH has the option of `swift test` for how many tests run at a time, as in `make test`.
#
# A program of the tests that a sanitizer reports ends with a status that no test expects.
set -euo pipefail
cd "$(dirname "$0")/../.."

for kind in "$@"; do
    place=.build-$kind
    echo "sanitize: $kind"
    swift build --build-tests --sanitize "$kind" --scratch-path "$place"
    # The daemons of this test get their clock from libfaketime, and do not start with a sanitizer beside it.
    preloaded='' left_out=(--skip 'DatabaseClockTests.*wrongMachines')
    if [ "$kind" = address ]; then
        # It keeps memory that was freed, so what a process uses says nothing. A program of a hook does not get its options,
        # and looks for leaks.
        left_out+=(--skip 'ControlServerTests.*giantBody' --skip 'WhichDaemonTests.*ofHook')
    else
        preloaded=$PWD/$place/mutex_order.so
        clang -shared -fPIC -O1 -Wall -o "$preloaded" Tests/Sanitize/mutex_order.c
        # It makes vfork(2) a fork, so nobody learns that a program could not be started. It maps a file that it writes at
        # the start, so a program ends by SIGBUS where no file may grow.
        left_out+=(--skip '/notStarted\(' --skip 'ProgramTests.*tooLong' --skip 'CommandMisdeedTests.*deleted')
        left_out+=(--skip 'FileCommandTests.*unwritable')
    fi
    # Swift keeps bits of its own in pointers, so the search for leaks would take what a global holds for lost.
    LD_PRELOAD=$preloaded ASAN_OPTIONS=detect_leaks=0 SWIFT_BACKTRACE=enable=no \
        swift test --skip-build ${WIDTH:-} --sanitize "$kind" --scratch-path "$place" "${left_out[@]}" 2>&1 | Tests/Checks/check_log.py
done
