#!/usr/bin/env python3
"""Builds the program with one deliberate fault at a time, and demands that the tests notice it; `make mutants` does it.

usage: mutants.py [--list] [WORD...]

The faults are in mutants.toml. With words, only those are taken whose promise or file contains one of them. A mutant is
killed if its tests fail or do not end. Without a mutant they must pass. It works on a copy of the sources in
.build-mutants, with a build directory of its own.
"""

import argparse
import os
import pathlib
import shutil
import subprocess
import sys
import time
import tomllib

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
PLACE = ROOT / ".build-mutants"
TREE, BUILD, OUTPUT = PLACE / "tree", PLACE / "build", PLACE / "output"
# The tests may take so many seconds without a mutant, and three times what they took with one.
LIMIT = 120


def mutants():
    """The table. Each fault must fit its file, in one place."""
    table = tomllib.loads((HERE / "mutants.toml").read_text())["mutant"]
    for mutant in table:
        count = (ROOT / mutant["file"]).read_text().count(mutant["find"])
        if count != 1:
            sys.exit(f"{mutant['file']} has {count} times what is to be found once: {mutant['find']}")
    return table


def copy():
    """Makes the copy the same as the sources. What is the same already is left alone, so it is not built again."""
    listing = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(listing, cwd=ROOT, check=True, capture_output=True, text=True).stdout.split("\0")
    known = {TREE / name for name in names if (ROOT / name).is_file()}
    for path in known:
        data = (ROOT / path.relative_to(TREE)).read_bytes()
        if not path.exists() or path.read_bytes() != data:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
    for path in TREE.rglob("*"):
        if path.is_file() and path not in known:
            path.unlink()


def build(tests):
    """What the compiler says if it refuses; else nothing."""
    what = ["--product", "tminus-sim"] if tests.startswith("sim") else ["--build-tests"]
    command = ["swift", "build", "--scratch-path", BUILD, "-debug-info-format", "none", *what]
    result = subprocess.run(command, check=False, cwd=TREE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return result.stdout[-3000:] if result.returncode != 0 else ""


def command(tests):
    simulation = [BUILD / "debug" / "tminus-sim", "--whole", "--stop"]
    match tests:
        case "sim":
            return [*simulation, "--seeds", "300"]
        case "sim-sqlite":
            return [*simulation, "--seeds", "100", "--store", "sqlite"]
        case "sim-fleet":
            return [*simulation, "--seeds", "100", "--store", "fleet"]
        case _:
            bundle = BUILD / "debug" / "tminusPackageTests.xctest"
            return [bundle, "--testing-library", "swift-testing", "--filter", f"^({tests})"]


def run(tests, limit):
    """How the tests end, and after how many seconds."""
    begun = time.monotonic()
    environment = {**os.environ, "SWIFT_BACKTRACE": "enable=no"}
    with (
        OUTPUT.open("w") as output,
        subprocess.Popen(
            command(tests), cwd=TREE, stdout=output, stderr=output, env=environment, start_new_session=True
        ) as process,
    ):
        try:
            end = "failed" if process.wait(limit) != 0 else "passed"
        except subprocess.TimeoutExpired:
            end = "hung"
        # With what the tests left running.
        subprocess.run(["pkill", "-KILL", "--session", str(process.pid)], check=False)
    for left in pathlib.Path("/dev/shm").glob(f"tminus-sim-{process.pid}-*"):
        shutil.rmtree(left, ignore_errors=True)
    return end, time.monotonic() - begun


def check_tests(chosen):
    """The tests pass without a mutant. Returns how long each may take with one."""
    limits = {}
    for tests in sorted({mutant["by"] for mutant in chosen}):
        if refusal := build(tests):
            sys.exit(refusal)
        end, took = run(tests, LIMIT)
        if end != "passed":
            sys.exit(f"without a mutant {tests} {end}; see {OUTPUT}")
        print(f"passed {took:4.0f} s  {tests}", flush=True)
        limits[tests] = 30 + 3 * took
    return limits


def is_killed(mutant, limits):
    tests, path = mutant["by"], TREE / mutant["file"]
    sound = path.read_text()
    path.write_text(sound.replace(mutant["find"], mutant["replace"]))
    try:
        if refusal := build(tests):
            print(f"{refusal}\ndoes not build: {mutant['promise']}", flush=True)
            return False
        end, took = run(tests, limits[tests])
    finally:
        path.write_text(sound)
    print(f"{end} {took:4.0f} s  {tests:18} {mutant['promise']}", flush=True)
    return end != "passed"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--list", action="store_true", help="only print the table")
    parser.add_argument("words", nargs="*", metavar="WORD")
    arguments = parser.parse_args()
    chosen = [
        mutant for mutant in mutants()
        if not arguments.words or any(word in mutant["promise"] + mutant["file"] for word in arguments.words)
    ]
    if arguments.list:
        for mutant in chosen:
            print(f"{mutant['by']:18} {mutant['promise']}")
        return
    copy()
    limits = check_tests(chosen)
    survivors = [mutant for mutant in chosen if not is_killed(mutant, limits)]
    print(f"{len(chosen) - len(survivors)} of {len(chosen)} mutants are killed")
    for mutant in survivors:
        print(f"survives: {mutant['promise']} ({mutant.get('survives', 'no reason is known')})")
    sys.exit(any("survives" not in mutant for mutant in survivors))


main()
