#!/usr/bin/env python3
"""Type-checks the watcher as `make poll-only` builds it, without libinotifytools, against the modules of a build.

usage: check_poll.py

No other target knows of libinotifytools. A build of its own would compile everything below the watcher once more.
"""

import json
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
MANIFEST = ROOT / ".build" / "debug.yaml"
# What the trait adds.
TRAIT, LIBRARY = "-DInotify", "CInotifyTools"
# The options, each with a value, that name what a build writes.
OUTPUTS = ("-emit-module-path", "-output-file-map", "-index-store-path", "-emit-objc-header-path")


def flags():
    """How the last build compiled the watcher, as far as types depend on it."""
    lines = (line.strip() for line in MANIFEST.read_text().splitlines())
    commands = (json.loads(line[5:]) for line in lines if line.startswith("args: ["))
    command = next((args for args in commands if args[1:3] == ["-module-name", "TminusWatch"]), None)
    if command is None:
        sys.exit(f"{MANIFEST} does not say how the watcher is compiled; run `make build` first")
    kept, former = [], None
    for flag in command[1:]:
        if former == "-Xcc" and LIBRARY in flag:
            # With the option before it.
            kept.pop()
        elif flag not in (*OUTPUTS, TRAIT) and former not in OUTPUTS and not is_of_output(flag):
            kept.append(flag)
        former = flag
    return [command[0], *kept, "-typecheck"]


def is_of_output(flag):
    return flag.startswith(("-emit-", "-j")) or flag in (
        "-c", "-incremental", "-enable-batch-mode", "-serialize-diagnostics", "-parseable-output")


sys.exit(subprocess.run(flags(), check=False, cwd=ROOT).returncode)
