"""The loop of the checks for what nobody tells of: a port that opens, a line of a log, a sample, a row."""

import time


def wait_for(state, limit, failure, process=None):
    """The first value of `state()` that counts as true.

    After `limit` seconds, or when `process` has ended, it raises what `failure()` returns.
    """
    end = time.monotonic() + limit
    while not (found := state()):
        if (process and process.poll() is not None) or time.monotonic() > end:
            raise failure()
        # Nobody tells of it: ask again.
        time.sleep(0.05)
    return found
