#!/usr/bin/env python3
"""Passes standard input on, and fails if a line of it is too long or has a secret; `make test` runs it.

A line may have 2,000 characters. The usual cause of a longer one is a test whose argument is a long text: swift-testing
prints all arguments. Make the text in the test, or give the argument a type that is CustomTestStringConvertible.

The tests that follow a secret through a daemon make it as `canary-`, perhaps a kind, and a UUID. No source contains
such a text, so one in the log came out of a daemon, a command or a message.
"""

import re
import sys

LIMIT = 2_000
CANARY = re.compile(r"canary-(?:[a-z]+-)?[0-9A-F]{8}-(?:[0-9A-F]{4}-){3}[0-9A-F]{12}", re.IGNORECASE)


def main():
    problems = 0
    for line in sys.stdin.buffer:
        text = line.decode(errors="replace").rstrip("\n")
        if CANARY.search(text):
            problems += 1
            print("check_log: the next line has a secret; it is masked")
            text = CANARY.sub("(canary)", text)
        if len(text) > LIMIT:
            problems += 1
            print(f"check_log: the next line has {len(text)} characters; it is cut")
            text = text[:LIMIT]
        print(text, flush=True)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
