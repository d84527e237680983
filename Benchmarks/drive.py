#!/usr/bin/env python3
"""Measures the program from outside, as a user runs it: nothing of tminus is part of the measurement.

Each part is measured in turn with a reference that needs no tminus, so that a slow minute of the machine shows in both.
The table shows medians. With --compare two programs are measured in turn, and the second must reach 0.9 of the first.

    drive.py .build/release/tminus
    drive.py .build/release/tminus flood late --runs 5
    drive.py --compare OLD NEW flood
"""

import argparse
import contextlib
import dataclasses
import json
import pathlib
import shutil
import statistics
import sys

import parts
from daemon import Failed, runs, say
from table import Row, number, print_columns, print_table, verdict

FLOOR = 0.9


class Measured:
    """The values of one part: for each program and for the reference, by figure."""

    def __init__(self, name, part, binaries):
        self.name, self.part, self.binaries = name, part, binaries
        self.values = [{figure.name: [] for figure in part.figures} for _ in binaries]
        self.reference = {figure.name: [] for figure in part.figures}
        self.failure = None

    def measure(self, number):
        """One run. The programs take turns in being the first."""
        order = list(enumerate(self.binaries))
        for index, binary in order if number % 2 == 0 else reversed(order):
            self.note(self.values[index], self.part.measure(binary))
        self.note(self.reference, self.part.reference())

    @staticmethod
    def note(values, run):
        for name, value in run.items():
            values[name].append(value)

    def rows(self):
        """A row for each figure of each program."""
        for figure in self.part.figures:
            beside = self.reference[figure.name]
            yield [
                Row(f"{self.name}: {figure.name}", figure.unit, values[figure.name], figure.target,
                    figure.more_is_better, figure.of_reference, self.part.reference_name if beside else "", beside)
                for values in self.values
            ]


def measure(names, binaries, count, size):
    """Measures the parts, all of them once, then all again."""
    with contextlib.ExitStack() as stack:
        measured = [Measured(name, parts.ALL[name](size), binaries) for name in names]
        for one in measured:
            attempt(one, lambda one=one: stack.enter_context(one.part))
        for run in range(count):
            for one in measured:
                if one.failure is None:
                    say(f"drive: {one.name}, run {run + 1} of {count}")
                    attempt(one, lambda one=one, run=run: one.measure(run))
        return measured


def attempt(measured, work):
    """A part that fails leaves the others alone."""
    try:
        work()
    except Failed as failure:
        measured.failure = failure
        say(f"drive: {measured.name} failed: {failure}")


@dataclasses.dataclass
class Comparison:
    """A figure of two programs. The speed is 2 if the new one takes half of the time, or does twice as much in it."""

    figure: str
    unit: str
    old: float
    new: float
    speed: float
    is_met: bool

    @classmethod
    def of(cls, old, new):
        before, after = old.median, new.median
        upper, lower = (after, before) if old.more_is_better else (before, after)
        speed = upper / lower if lower else 1.0 if upper == lower else float("inf")
        return cls(old.figure, old.unit, before, after, speed, speed >= FLOOR)


def print_comparisons(comparisons, rows):
    lines = [["figure", "unit", "old", "new", "new to old", "reference", "median", ""]]
    for one, row in zip(comparisons, rows, strict=True):
        beside = number(statistics.median(row.reference_values)) if row.reference_values else ""
        lines.append([
            one.figure, one.unit, number(one.old), number(one.new), f"{one.speed:.2f} x", row.reference, beside,
            verdict(one.is_met)])
    print_columns(lines, right={2, 3, 4, 6})
    print(f"more than 1 x is better for every figure; at least {FLOOR} x is wanted")


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("words", nargs="*", metavar="PROGRAM [PART]", help=f"all, or some of {', '.join(parts.ALL)}")
    parser.add_argument("--compare", nargs=2, metavar=("OLD", "NEW"), help="compare two programs instead")
    parser.add_argument("--runs", type=int, default=runs(), help="runs of each part (default $RUNS, or 3)")
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    parser.add_argument("--size", type=float, default=1.0, help="share of the full size, to try this program out")
    options = parser.parse_args()
    words = options.words if options.compare else options.words[1:]
    options.binaries = options.compare or options.words[:1]
    options.parts = words or list(parts.ALL)
    unknown = [word for word in options.parts if word not in parts.ALL]
    if unknown or not options.binaries:
        parser.error(f"no such part: {' '.join(unknown)}" if unknown else "which program?")
    for binary in options.binaries:
        if not shutil.which(binary):
            parser.error(f"no such program: {binary}")
    return options


def main():
    options = arguments()
    binaries = [pathlib.Path(binary).resolve() for binary in options.binaries]
    measured = measure(options.parts, binaries, options.runs, options.size)
    has_failed = any(one.failure is not None for one in measured)
    rows = [row for one in measured if one.failure is None for row in one.rows()]
    if options.compare:
        results = [Comparison.of(*pair) for pair in rows]
        is_met = all(one.is_met for one in results)
    else:
        results = [row for row, in rows]
        is_met = all(row.is_met is not False for row in results)
    if options.json:
        print(json.dumps([dataclasses.asdict(one) for one in results], indent=2, ensure_ascii=False))
    elif options.compare:
        print_comparisons(results, [new for _, new in rows])
    else:
        print_table(results)
    return 0 if is_met and not has_failed else 1


if __name__ == "__main__":
    sys.exit(main())
