#!/usr/bin/env python3
"""Passes standard input on, and fails if a line of it is longer than 2,000 characters; `make test` runs it.

The usual cause is a test whose argument is a long text: swift-testing prints all arguments. Make the text in the
test, or give the argument a type that is CustomTestStringConvertible.
"""

import sys

LIMIT = 2_000


def main():
    too_long = 0
    for line in sys.stdin.buffer:
        text = line.decode(errors="replace").rstrip("\n")
        if len(text) > LIMIT:
            too_long += 1
            print(f"check_log: the next line has {len(text)} characters; it is cut")
            text = text[:LIMIT]
        print(text, flush=True)
    return 1 if too_long else 0


if __name__ == "__main__":
    sys.exit(main())
