#!/usr/bin/env python3
"""Prints measured figures as one table: each with its reference, its target and whether the target is met.

usage: table.py [FILE...]

Each line of input is a figure as JSON, with the fields of `Row`; the benchmarks write such lines. Exits with status 1
if a target is missed or there are no figures.
"""

import dataclasses
import fileinput
import json
import statistics
import sys


@dataclasses.dataclass
class Row:
    """A figure: one value for each run, and one value of the reference for each run."""

    figure: str
    unit: str
    values: list[float]
    target: float | None = None
    more_is_better: bool = False
    # The target is a multiple of the reference instead of a value.
    target_is_ratio: bool = False
    reference: str = ""
    reference_values: list[float] = dataclasses.field(default_factory=list)

    @property
    def median(self):
        return statistics.median(self.values)

    @property
    def ratio(self):
        """The median as a multiple of the reference's; None without a reference."""
        below = statistics.median(self.reference_values) if self.reference_values else 0
        return self.median / below if below else None

    @property
    def is_met(self):
        """Whether the target is met; None without a target."""
        if self.target is None:
            return None
        judged = self.ratio if self.target_is_ratio else self.median
        if judged is None:
            return False
        return judged >= self.target if self.more_is_better else judged <= self.target

    def cells(self):
        sign = "≥" if self.more_is_better else "≤"
        return [
            self.figure, self.unit, number(self.median), f"{number(min(self.values))} to {number(max(self.values))}",
            self.reference, number(statistics.median(self.reference_values)) if self.reference_values else "",
            "" if self.ratio is None else f"{self.ratio:.2f}",
            "" if self.target is None else f"{sign} {self.target:,g}{' x' if self.target_is_ratio else ''}",
            verdict(self.is_met),
        ]

    def write(self):
        """Writes the figure as a line of JSON."""
        print(json.dumps(dataclasses.asdict(self), ensure_ascii=False), flush=True)


def number(value):
    """A value with three significant digits, more only before the decimal point."""
    if value == 0 or abs(value) >= 100:
        return f"{value:,.0f}"
    return f"{value:.1f}" if abs(value) >= 10 else f"{value:.3g}" if abs(value) < 0.1 else f"{value:.2f}"


def verdict(is_met):
    return "" if is_met is None else "met" if is_met else "MISSED"


def print_columns(lines, right):
    """Prints lines of cells as aligned columns; the columns in `right` are aligned to the right."""
    widths = [max(len(line[column]) for line in lines) for column in range(len(lines[0]))]
    for line in lines:
        cells = [
            cell.rjust(width) if column in right else cell.ljust(width)
            for column, (cell, width) in enumerate(zip(line, widths, strict=True))
        ]
        print("  ".join(cells).rstrip())


def print_table(rows):
    """Prints the figures; returns whether every target is met."""
    head = ["figure", "unit", "median", "min to max", "reference", "median", "ratio", "target", ""]
    print_columns([head] + [row.cells() for row in rows], right={2, 5, 6})
    judged = [row.is_met for row in rows if row.is_met is not None]
    runs = max((len(row.values) for row in rows), default=0)
    print(f"{len(rows)} figures, medians of at most {runs} runs; {sum(judged)} of {len(judged)} targets met")
    return all(judged)


def main():
    with fileinput.input(encoding="utf-8") as lines:
        rows = [Row(**json.loads(line)) for line in lines]
    return 0 if rows and print_table(rows) else 1


if __name__ == "__main__":
    sys.exit(main())
