#!/usr/bin/env python3
"""Builds the Debian packages of the last commit in a clean copy of the sources, which appears at /usr/src/tminus.

usage: clean_deb.py [--scratch DIRECTORY] [--poll] COPY

COPY is made; the packages are in COPY/.build/deb.
"""

import argparse
import pathlib
import shutil
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[1]
# What `swift package resolve` leaves in the scratch directory.
RESOLVED = ["checkouts", "repositories", "workspace-state.json"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scratch", type=pathlib.Path, default=ROOT / ".build", help="where the packages are resolved")
    parser.add_argument("--poll", action="store_true", help="without libinotifytools")
    parser.add_argument("copy", type=pathlib.Path)
    options = parser.parse_args()

    scratch = options.copy / (".build-poll" if options.poll else ".build")
    scratch.mkdir(parents=True)
    archive = subprocess.run(["git", "archive", "HEAD"], cwd=ROOT, check=True, capture_output=True).stdout
    subprocess.run(["tar", "--extract", "--directory", options.copy], input=archive, check=True)
    shutil.copy2(ROOT / "Package.resolved", options.copy)
    for name in RESOLVED:
        subprocess.run(["cp", "-a", options.scratch / name, scratch], check=True)
    # The copy has no history.
    command = ["git", "log", "-1", "--format=%ct"]
    date = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout.strip()
    command = [ROOT / "scripts/at-fixed-path.sh", options.copy, "make", "deb", f"COMMIT_DATE={date}"]
    subprocess.run(command + ["POLL=1"] * options.poll, check=True)


if __name__ == "__main__":
    main()
