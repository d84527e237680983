#!/usr/bin/env python3
"""Measures what 1,000, 100,000 and 1,000,000 definitions cost: start, memory, an edit, a list.

usage: scale.py TMINUS [--markdown] [COUNT...]

Writes figures for table.py, or with --markdown the tables of the article Scale and of the README. Each definition is an
event in 2099 with a reminder, in 1,000 files (10 files for 1,000 definitions). A start is over when the daemon answers
for the last of them; an edit changes one event and is live when the daemon answers with the new instant.
"""

import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

from daemon import Daemon, age, runs, say, status_megabytes
from table import Row

TARGETS = {
    ("first start", 100_000, "yaml"): 2.5,
    ("first start", 100_000, "json"): 1.2,
    ("first start", 1_000_000, "json"): 15,
    ("most memory", 1_000_000, "json"): 700,
    ("edit", 1_000, "yaml"): 150,
    ("edit", 100_000, "yaml"): 150,
    ("edit", 100_000, "json"): 150,
    ("edit", 1_000_000, "json"): 150,
    ("list memory", 1_000_000, "json"): 20,
    ("kept memory", 1_000_000, "json"): 20,
}
UNITS = {"first start": "s", "next start": "s", "most memory": "MB", "memory": "MB", "edit": "ms", "list": "s",
         "list memory": "MB", "kept memory": "MB"}
NAMES = {
    "first start": "first start",
    "next start": "later start",
    "most memory": "peak memory during the start",
    "memory": "memory after the start",
    "edit": "from an edit to its effect",
    "list": "`tminus list --json`",
    "list memory": "memory of the daemon during that, above idle",
    "kept memory": "the same, 6 s after",
}
CASES = [(1_000, 10, "yaml"), (100_000, 1_000, "yaml"), (100_000, 1_000, "json"), (1_000_000, 1_000, "json")]


def text(file, count, form, minute=0):
    """So many events, of which the first is at a minute that an edit can change."""
    def at(number):
        return f"2099-{1 + number % 12:02}-{1 + number % 28:02} 09:{0 if number else minute:02}"

    if form == "json":
        events = ",\n".join(f'"e{file}-{n}": {{"at": "{at(n)}", "remind": ["1 day"]}}' for n in range(count))
        return f'{{"events": {{\n{events}\n}}}}\n'
    return "events:\n" + "".join(f"  e{file}-{n}: {{ at: {at(n)}, remind: [1 day] }}\n" for n in range(count))


def measure(binary, count, files, form):
    """The values of each figure."""
    values = {name: [] for name in NAMES}
    each = count // files
    with tempfile.TemporaryDirectory(prefix="tminus-bench-") as directory:
        root = pathlib.Path(directory)
        config = root / "config"
        config.mkdir(mode=0o700)
        for file in range(files):
            (config / f"f{file:04}.{form}").write_text(text(file, each, form))
        age(config)
        last = f"e{files - 1}-{each - 1}"
        for number in range(runs()):
            subprocess.run(["rm", "-rf", root / "state"], check=True)
            with Daemon(binary, root) as daemon:
                values["first start"].append(daemon.item(last) - daemon.began)
                values["most memory"].append(status_megabytes(daemon.pid, "VmHWM"))
            with Daemon(binary, root) as daemon:
                values["next start"].append(daemon.item(last) - daemon.began)
                # Unused memory is given back by then.
                time.sleep(3)
                values["memory"].append(status_megabytes(daemon.pid))
                for edit in range(2):
                    file = (37 * number + edit) % files
                    minute = 1 + 2 * number + edit
                    (config / f"f{file:04}.{form}").write_text(text(file, each, form, minute))
                    saved = time.monotonic()
                    live = daemon.item(f"e{file}-0", lambda item, end=f"{minute:02}": item["due"][14:16] == end)
                    values["edit"].append((live - saved) * 1000)
                    time.sleep(0.5)
                measure_list(binary, daemon, values)
    return values


def measure_list(binary, daemon, values):
    """How long a list takes, and what memory the daemon needs for it. The first list meets a cold store."""
    command = [binary, "list", "--json", "--socket", daemon.socket]
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
    time.sleep(6)
    idle = status_megabytes(daemon.pid)
    # Lowers VmHWM to the memory that is in use now; see proc(5).
    pathlib.Path(f"/proc/{daemon.pid}/clear_refs").write_text("5")
    began = time.monotonic()
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
    values["list"].append(time.monotonic() - began)
    values["list memory"].append(max(0, status_megabytes(daemon.pid, "VmHWM") - idle))
    time.sleep(6)
    values["kept memory"].append(max(0, status_megabytes(daemon.pid) - idle))


def name(count, form):
    return f"{count:,} definitions, {form.upper()}"


def cell(figure, values):
    if not values[figure]:
        return "refused"
    return f"{statistics.median(values[figure]):,{'.2f' if UNITS[figure] == 's' else '.0f'}} {UNITS[figure]}"


def short(results):
    """The table of the README."""
    figures = ["first start", "memory", "edit", "list"]
    print("| definitions | first start | memory | an edit is live after | `tminus list` |")
    print("| --- |" + " ---: |" * len(figures))
    for (count, form), values in results.items():
        if (count, form) != (100_000, "yaml"):
            cells = " | ".join(cell(figure, values) for figure in figures)
            print(f"| {count:,} ({form.upper()}) | {cells} |")


def markdown(results):
    head = "| | " + " | ".join(name(count, form) for count, form in results) + " |"
    lines = [head, "| --- |" + " ---: |" * len(results)]
    for figure, title in NAMES.items():
        lines.append(f"| {title} | " + " | ".join(cell(figure, values) for values in results.values()) + " |")
    print("\n".join(lines))


def main():
    words = [word for word in sys.argv[1:] if word != "--markdown"]
    binary = pathlib.Path(words[0]).resolve()
    counts = [int(word) for word in words[1:]] or [1_000, 100_000, 1_000_000]
    results = {}
    for count, files, form in CASES:
        if count not in counts:
            continue
        say(f"scale: {name(count, form)}")
        values = results[count, form] = measure(binary, count, files, form)
        if "--markdown" in sys.argv:
            continue
        for figure, title in NAMES.items():
            target = TARGETS.get((figure, count, form))
            if not values[figure]:
                say(f"scale: {name(count, form)}: no figure for {title}, because it was refused")
                continue
            Row(f"{name(count, form)}: {title}", UNITS[figure], values[figure], target).write()
    if "--markdown" in sys.argv:
        print(f"Measured on {time.strftime('%Y-%m-%d')}, {os.cpu_count()} cores, medians.\n")
        markdown(results)
        print()
        short(results)


if __name__ == "__main__":
    main()
