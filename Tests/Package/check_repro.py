#!/usr/bin/env python3
"""Builds the last commit in two directories and compares the programs as they are packaged, section by section.

usage: check_repro.py [--scratch DIRECTORY]            (two release builds)
       check_repro.py --compare PROGRAM PROGRAM
"""

import argparse
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
# What `swift package resolve` leaves in the scratch directory.
RESOLVED = ["checkouts", "repositories", "workspace-state.json"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scratch", type=pathlib.Path, default=ROOT / ".build", help="where the packages are resolved")
    parser.add_argument("--compare", type=pathlib.Path, nargs=2, metavar="PROGRAM")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="tminus-repro-") as directory:
        root = pathlib.Path(directory)
        # Of different lengths, so that a path that is kept shows.
        programs = options.compare or [build(root / place, options.scratch) for place in ("one", "two/and/further")]
        stripped = [strip(program, root / f"stripped-{number}") for number, program in enumerate(programs)]
        differences = list(compare(*stripped))
    for difference in differences:
        print(difference)
    print("the same, byte for byte" if not differences else f"{len(differences)} sections differ")
    return 1 if differences else 0


def build(place, scratch):
    """The program of the last commit, built in a directory of its own with the packages of this one."""
    (place / ".build").mkdir(parents=True)
    archive = subprocess.run(["git", "archive", "HEAD"], cwd=ROOT, check=True, capture_output=True).stdout
    subprocess.run(["tar", "--extract", "--directory", place], input=archive, check=True)
    shutil.copy2(ROOT / "Package.resolved", place)
    for name in RESOLVED:
        subprocess.run(["cp", "-a", scratch / name, place / ".build"], check=True)
    subprocess.run(["make", "-C", place, "release"], check=True, stdout=subprocess.DEVNULL)
    return place / ".build/release/tminus"


def strip(program, output):
    """The program as it is packaged."""
    subprocess.run(["strip", "-o", output, program], check=True)
    return output


def compare(first, second):
    """A line for each section that is not the same in both."""
    bytes_of = [file.read_bytes() for file in (first, second)]
    sections_of = [sections(file) for file in (first, second)]
    if bytes_of[0] == bytes_of[1]:
        return
    found = False
    for name in sorted(sections_of[0].keys() | sections_of[1].keys()):
        ranges = [places.get(name) for places in sections_of]
        if None in ranges:
            yield f"{name}: only in one"
            found = True
            continue
        contents = [data[start : start + size] for data, (start, size) in zip(bytes_of, ranges, strict=True)]
        if contents[0] != contents[1]:
            differing = [place for place, (a, b) in enumerate(zip(*contents, strict=False)) if a != b]
            sizes = " and ".join(str(len(content)) for content in contents)
            spread = f", {len(differing)} bytes from {differing[0]} to {differing[-1]}" if differing else ""
            yield f"{name}: {sizes} bytes{spread}"
            found = True
    if not found:
        yield "headers"


def sections(file):
    """The offset and size in the file of each section with content."""
    listing = subprocess.run(["readelf", "-SW", file], check=True, capture_output=True, text=True).stdout
    row = re.compile(r"\[ *\d+\] (\S+) +(\S+) +[0-9a-f]+ ([0-9a-f]+) ([0-9a-f]+)")
    rows = row.findall(listing)
    return {name: (int(start, 16), int(size, 16)) for name, kind, start, size in rows if kind != "NOBITS"}


if __name__ == "__main__":
    sys.exit(main())
