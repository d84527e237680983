#!/usr/bin/env python3
"""Builds the package of the last commit in two directories, each of which appears at /usr/src/tminus, and compares
the packages; the program in them section by section.

usage: check_repro.py [--scratch DIRECTORY] [--poll]   (two release builds)
       check_repro.py --compare PROGRAM PROGRAM
"""

import argparse
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scratch", type=pathlib.Path, default=ROOT / ".build", help="where the packages are resolved")
    parser.add_argument("--poll", action="store_true", help="without libinotifytools")
    parser.add_argument("--compare", type=pathlib.Path, nargs=2, metavar="PROGRAM")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="tminus-repro-") as directory:
        root = pathlib.Path(directory)
        if options.compare:
            differences = list(compare_programs(root, *options.compare))
        else:
            packages = [build(root / place, options) for place in ("one", "two/and/further")]
            differences = list(compare_packages(root, *packages))
    for difference in differences:
        print(difference)
    print("the same, byte for byte" if not differences else f"{len(differences)} differences")
    return 1 if differences else 0


def build(place, options):
    """The directory with the packages of the last commit, built in a copy of its own."""
    command = [ROOT / "scripts/clean_deb.py", "--scratch", options.scratch, place]
    subprocess.run(command + ["--poll"] * options.poll, check=True, stdout=subprocess.DEVNULL)
    return place / ".build/deb"


def compare_packages(root, first, second):
    """A line for each package that is not the same in both, and then for what differs in it."""
    names = sorted({file.name for directory in (first, second) for file in directory.glob("*.deb")})
    for name in names:
        pair = [directory / name for directory in (first, second)]
        if not all(file.exists() for file in pair):
            yield f"{name}: only in one"
        elif pair[0].read_bytes() != pair[1].read_bytes():
            yield f"{name}: differs"
            yield from compare_contents(root / name, *pair)


def compare_contents(root, *packages):
    """A line for each file that is not the same in both packages, or for each of its sections."""
    trees = [root / str(number) for number in range(2)]
    for package, tree in zip(packages, trees, strict=True):
        subprocess.run(["dpkg-deb", "--raw-extract", package, tree], check=True)
    names = sorted({file.relative_to(tree) for tree in trees for file in tree.rglob("*") if file.is_file()})
    for name in names:
        pair = [tree / name for tree in trees]
        if not all(file.is_file() for file in pair):
            yield f"  {name}: only in one"
        elif pair[0].read_bytes() != pair[1].read_bytes():
            is_program = pair[0].read_bytes()[:4] == b"\x7fELF"
            details = compare(*pair) if is_program else ["differs"]
            yield from (f"  {name}: {detail}" for detail in details)


def compare_programs(root, *programs):
    stripped = [strip(program, root / f"stripped-{number}") for number, program in enumerate(programs)]
    return compare(*stripped)


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
