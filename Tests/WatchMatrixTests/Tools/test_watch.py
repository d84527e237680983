#!/usr/bin/env python3
"""Runs the watching matrix with the real tools, and prints a line for each row: passed, failed, or why it cannot run
here.

usage: test_watch.py [NUMBERS]

NUMBERS such as 8,10 select rows; default all. Installs missing tools, builds the tests, and takes about ten minutes.
Exits with status 1 if a row failed or the tests did not finish.
"""

import math
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[3]
REPORT = ROOT / ".build" / "watch-matrix.tsv"
LOG = ROOT / ".build" / "watch-matrix.txt"
# Debian packages. A row whose tool is missing says so.
TOOLS = [
    "bindfs", "busybox", "curl", "ed", "emacs-nox", "fuse3", "git", "joe", "kakoune", "mc", "mg", "micro", "moreutils",
    "nano", "neovim", "patch", "perl", "python3-fusepy", "rsync", "sqlite3", "strace", "tar", "tmux", "unzip",
    "util-linux", "zip",
]
# Milliseconds from the last write until the change is in force, for 99 of 100 common saves. With notifications: 150, of
# which debouncing takes 50. With polling (row 41): the interval of the tests, 100, and 300.
LIMITS = {"events": 150, "poll": 100 + 300}
# For the debug build and other work on the machine.
ALLOWANCE = 100


def install():
    """Installs all tools at once; if that fails one by one, so that an unknown package does not stop the others."""
    setup = ROOT / "scripts/setup.sh"
    if subprocess.run([setup, "test", *TOOLS], check=False).returncode != 0:
        for tool in TOOLS:
            subprocess.run([setup, tool], check=False)


def run(rows):
    """Builds and runs the tests; returns whether they finished without a failure."""
    if subprocess.run(["swift", "build", "--build-tests"], cwd=ROOT, check=False).returncode != 0:
        sys.exit(1)
    REPORT.unlink(missing_ok=True)
    settings = os.environ | {"TMINUS_WATCH_MATRIX": rows, "TMINUS_WATCH_REPORT": str(REPORT)}
    with open(LOG, "wb") as log:
        command = ["swift", "test", "--skip-build", "--filter", "WatchMatrixTests"]
        return subprocess.run(command, cwd=ROOT, env=settings, stdout=log, stderr=log, check=False).returncode == 0


def table(rows):
    """Prints the rows with aligned columns, the reason last."""
    head = ["row", "title", "mode", "result", "ms", ""]
    lines = [head] + [[*row[:5], row[5]] for row in rows]
    widths = [max(len(line[column]) for line in lines) for column in range(5)]
    for line in lines:
        print("  ".join([field.ljust(width) for field, width in zip(line, widths, strict=False)] + [line[5]]).rstrip())


def main():
    install()
    is_done = run(sys.argv[1] if len(sys.argv) > 1 else "all")
    rows = [line.split("\t") for line in REPORT.read_text().splitlines()] if REPORT.exists() else []
    table(rows)
    results = [row[3] for row in rows]
    print(f"\n{results.count('passed')} passed, {results.count('failed')} failed, "
          f"{results.count('not runnable here')} not runnable here")
    is_late = False
    for mode, limit in LIMITS.items():
        common = sorted(int(row[4]) for row in rows if row[2] == mode and row[6] == "common" and row[4] != "-")
        if len(common) < 30:
            continue
        p99 = common[math.ceil(0.99 * len(common)) - 1]
        is_late = is_late or p99 > limit + ALLOWANCE
        print(f"last write to in force, {mode}, {len(common)} common saves: "
              f"p50 {common[len(common) // 2]} ms, p99 {p99} ms "
              f"(at most {limit} ms, and {ALLOWANCE} ms for the debug build and a busy machine)")
    if not is_done:
        print(f"the tests failed: {LOG.relative_to(ROOT)}")
    sys.exit(0 if is_done and rows and "failed" not in results and not is_late else 1)


main()
