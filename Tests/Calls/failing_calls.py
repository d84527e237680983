#!/usr/bin/env python3
"""Has every system call of a scripted run fail once; `make failing-calls` runs it.

A run is two lives of a daemon: a start with a few definitions, a reminder and expiries to a file, a web server and a
command, an edit seen, a control, two edits by the control socket, a stop; a file written meanwhile, a start, a stop.
One run counts the calls. Then, for each kind of call, each n and each errno of errnos.py, the n-th call fails, in the
first or the second life; what the run then lacks must come in one more life without a fault.

Verdicts: survived (all came in time, and nothing was refused), message (less came, or the daemon ended, and something
names the fault), library (a library ended the process, as errnos.py lists, and the next life made it good), not reached
(the run did not come to that call), violation. The exit status is 1 if there is a violation.
"""

import argparse
import collections
import concurrent.futures
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile

import errnos
import receiver
import scenario
import self_test
import verdict
from verdict import LIBRARY, NAMED, NOT_REACHED, SURVIVED, VIOLATION, Fault

HERE = pathlib.Path(__file__).resolve().parent
COLUMNS = [SURVIVED, NAMED, LIBRARY, NOT_REACHED, VIOLATION]


class Runner:
    """Runs scenarios with one program and one library."""

    def __init__(self, program, root):
        # A copy, so that a build at the same time does not take the program from under the daemon.
        self.program = shutil.copy2(program, root / "tminus")
        self.root, self.library, self.receiver = root, root / "failing_calls.so", receiver.Receiver()
        subprocess.run(
            ["cc", "-std=c11", "-O2", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-o", self.library,
             *sorted(HERE.glob("*.c"))], check=True)

    def environment(self, place, life, fault):
        more = {"LD_PRELOAD": str(self.library), "TMINUS_CALLS": str(place / f"calls.{life}")}
        if fault and fault.life == life:
            more |= {"TMINUS_FAIL": fault.setting, "TMINUS_FAIL_LOG": str(place / "fault")}
        # A process that writes a backtrace outlives the daemon, with its sockets.
        return {"SWIFT_BACKTRACE": "enable=no"} | os.environ | more

    def live(self, fault, keep=None, program=None):
        """The verdict of one run, its reasons, and what the call was about. `program` takes the place of the daemon in
        the life with the fault."""
        place = pathlib.Path(tempfile.mkdtemp(prefix="run-", dir=self.root))
        try:
            run = scenario.Scenario(place, self.receiver)
            lives = []
            for number in range(1, 4):
                if number == 3 and not verdict.is_impaired(lives[-1]):
                    break
                of_life = program if program and number == fault.life else self.program
                lives.append(run.run(number, of_life, self.environment(place, number, fault)))
            target = (place / "fault").read_text().strip() if (place / "fault").exists() else ""
            result, reasons = verdict.judge(run, lives, fault, target)
            if keep and result == VIOLATION:
                kept = keep / str(fault).replace(" ", "-").replace(":", "-")
                shutil.copytree(place, kept, dirs_exist_ok=True, ignore=shutil.ignore_patterns("*.sock"))
            return result, reasons, target
        finally:
            shutil.rmtree(place, ignore_errors=True)

    def count(self):
        """How often each kind is called in each of the two lives."""
        place = pathlib.Path(tempfile.mkdtemp(prefix="run-", dir=self.root))
        run = scenario.Scenario(place, self.receiver)
        lives = [run.run(number, self.program, self.environment(place, number, None)) for number in (1, 2)]
        if any(map(verdict.is_impaired, lives)) or run.missing(2):
            sys.exit("failing_calls: the run without a fault is not sound:\n" + "\n".join(
                f"{life.log}{life.refused} {life.status}" for life in lives) + f"\nmissing: {run.missing(2)}")
        return {number: scenario.counts(place / f"calls.{number}") for number in (1, 2)}


def numbers(count, every, at_most):
    """Which calls of a kind fail: all, each `every`th, or `at_most` of them at even distances."""
    chosen = list(range(1, count + 1, every))
    if len(chosen) > at_most:
        chosen = sorted({chosen[round(index * (len(chosen) - 1) / max(1, at_most - 1))] for index in range(at_most)})
    return chosen


def faults(counts, options):
    """All faults to try, and of how many calls of each kind."""
    result, tried = [], collections.Counter()
    for call in options.call or errnos.ERRNOS:
        for life in (1, 2):
            chosen = numbers(counts[life].get(call, 0), options.every, options.at_most)
            tried[call] += len(chosen)
            result += [Fault(call, number, errno, life) for number in chosen for errno in errnos.ERRNOS[call]]
    return result, tried


def try_all(runner, todo, options):
    """The verdicts by call and errno. After an interrupt (Ctrl-C) those that there are."""
    seen = {(fault.call, fault.errno): collections.Counter() for fault in todo}
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        running = {pool.submit(runner.live, fault, options.keep): fault for fault in todo}
        try:
            for done, future in enumerate(concurrent.futures.as_completed(running), 1):
                fault, (result, reasons, target) = running[future], future.result()
                seen[fault.call, fault.errno][result] += 1
                if result == VIOLATION:
                    print(f"failing_calls: {fault}: {target}: {'; '.join(reasons)}", flush=True)
                if done % 100 == 0:
                    print(f"failing_calls: {done} of {len(todo)} runs", file=sys.stderr, flush=True)
        except KeyboardInterrupt:
            print("failing_calls: interrupted; the table has what was done", file=sys.stderr)
            pool.shutdown(wait=False, cancel_futures=True)
    return seen


def table(seen, counts, tried):
    """The lines of the table of calls x errnos."""
    lines = [f"{'call':<18}{'calls':>7}{'tried':>7}  {'errno':<16}" + "".join(f"{name:>13}" for name in COLUMNS)]
    former = None
    for (call, errno), verdicts in seen.items():
        head = f"{call:<18}{counts[1].get(call, 0) + counts[2].get(call, 0):>7}{tried[call]:>7}"
        lines.append((head if call != former else " " * len(head)) + f"  {errno:<16}" + "".join(
            f"{verdicts[name] or '-':>13}" for name in COLUMNS))
        former = call
    total = sum(seen.values(), collections.Counter())
    lines.append(f"{'all':<18}{'':>7}{sum(tried.values()):>7}  {'':<16}" + "".join(
        f"{total[name] or '-':>13}" for name in COLUMNS))
    reasons = [*errnos.LIBRARY.items(), *errnos.LIBRARY_SILENT.items(),
               *((call, reason) for (call, _), reason in errnos.LIBRARY_FILES.items())]
    lines += [f"library: {case}: {reason}" for case, reason in dict.fromkeys(reasons)
              if any(verdicts[LIBRARY] for (call, _), verdicts in seen.items() if call == case.partition(":")[0])]
    if unused := [call for call in tried if not tried[call]]:
        lines.append(f"never called: {', '.join(unused)}")
    return lines


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary", type=pathlib.Path)
    parser.add_argument("--call", action="append", choices=errnos.ERRNOS, metavar="CALL",
                        help="only this kind; may be repeated")
    parser.add_argument("--every", type=int, default=1, help="take each n-th call only")
    parser.add_argument("--at-most", type=int, default=40, help="calls of a kind and life that fail (default 40)")
    parser.add_argument("--jobs", type=int, default=2 * (os.cpu_count() or 1), help="runs at a time")
    parser.add_argument("--one", help="one fault, such as openat:17:EMFILE:1; the last is the life")
    parser.add_argument("--keep", type=pathlib.Path, help="a directory for what violations leave")
    parser.add_argument("--self-test", action="store_true", help="whether each kind of violation is noticed")
    return parser.parse_args()


def main():
    options = arguments()
    # So that an end from outside, too, leaves no daemon and no directory behind.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    with tempfile.TemporaryDirectory(prefix="tminus-calls-") as directory:
        runner = Runner(options.binary, pathlib.Path(directory))
        if options.self_test:
            return self_test.run(runner, options.jobs)
        if options.one:
            call, number, errno, life = options.one.split(":")
            result, reasons, target = runner.live(Fault(call, int(number), errno, int(life)), options.keep)
            print(result, target, *reasons, sep="\n")
            return result == VIOLATION
        counts = runner.count()
        todo, tried = faults(counts, options)
        print(f"failing_calls: {len(todo)} runs", file=sys.stderr)
        seen = try_all(runner, todo, options)
    print("\n".join(table(seen, counts, tried)))
    return any(verdicts[VIOLATION] for verdicts in seen.values())


if __name__ == "__main__":
    sys.exit(main())
