#!/usr/bin/env python3
"""Lists the sleeps of the tests that have no reason beside them.

usage: check_sleeps.py

A test waits for an event. Where nothing tells of the event, or the pause itself is the test, a comment says so: on the
line of the sleep, directly above it, or directly above its statement. The last is for scripts in texts and for rows of
tables. A doc comment says what something is, so it does not count.

Found are sleeps in Swift, Python and shell, also in scripts in texts. Other waits, such as reads with a limit, are not.
"""

import pathlib
import re
import sys

TESTS = pathlib.Path(__file__).resolve().parents[1]
# A call; a command of a shell; a program and its argument in a list.
SLEEP = re.compile(r"""\b(?:Task|Thread|time|asyncio|Clock\(\))\.sleep\(|(?<![.\w])(?:u|nano)?sleep\("""
                   r"""|\bsleep[ ]["\d.$\\{]|\bsleep["')\]]*,[ ]\D{0,20}\d""")
# What has that name and does not wait.
ELSE = re.compile(r"\b(?:func|case) sleep\(|\.evaluate\(")
# What begins a comment, in the language of the file or of a script in it, and what opens a body: a statement in it
# is one of its own.
MARKS = {".swift": r"(?://(?!/)|#)", ".py": "#", ".sh": "#"}
BODIES = {".swift": re.compile(r"(?:\{|\bin)$"), ".py": re.compile(r":$"), ".sh": re.compile(r"(?:\{|\bdo|\bthen)$")}


def indent(line):
    return len(line) - len(line.lstrip())


def has_reason(lines, at, suffix):
    """Whether the line has a comment on it, or there is one directly above it or above the begin of its statement."""
    alone, beside = (re.compile(rf"{before}{MARKS[suffix]} +\S") for before in (r"\s*", r".*\S\s+"))
    if beside.match(lines[at]):
        return True
    while True:
        above = next(i for i in range(at - 1, -2, -1) if i < 0 or not lines[i].lstrip().startswith("///"))
        if above >= 0 and alone.match(lines[above]):
            return True
        outer = (i for i in range(at - 1, -1, -1) if lines[i].strip() and indent(lines[i]) < indent(lines[at]))
        above = next(outer, None)
        if above is None or BODIES[suffix].search(lines[above]):
            return False
        at = above


def sleeps():
    """Each sleep as its place and text, and whether it has a reason."""
    for path in sorted(TESTS.rglob("*")):
        if path.suffix not in MARKS or path == pathlib.Path(__file__).resolve():
            continue
        lines = path.read_text().splitlines()
        for at, line in enumerate(lines):
            if SLEEP.search(line) and not ELSE.search(line) and not re.match(r"\s*(?://|# )", line):
                place = f"{path.relative_to(TESTS.parent)}:{at + 1}: {line.strip()}"
                yield place, has_reason(lines, at, path.suffix)


if __name__ == "__main__":
    if sys.argv[1:]:
        sys.exit(__doc__)
    found = list(sleeps())
    bare = [place for place, is_explained in found if not is_explained]
    for place in bare:
        print(f"check_sleeps: no reason: {place}", file=sys.stderr)
    print(f"check_sleeps: {len(found)} sleeps, {len(bare)} without a reason")
    sys.exit(1 if bare else 0)
