#!/usr/bin/env python3
"""Asks tminus and independent libraries the same random questions about times; `make oracles` runs it.

Cron expressions are compared with cronsim and croniter, recurrence rules with python-dateutil, dates and reminders with
Python's zoneinfo. Where a library differs, a rule of rules.py must say why. Any other difference is printed with the
question, and the status is 1. Question N of a seed is always the same.
"""

import argparse
import collections
import datetime
import json
import os
import pathlib
import signal
import subprocess
import sys
import time

import cron_oracles
import date_oracles
import questions
import rrule_oracles
import rules
import zones

FOREVER = datetime.datetime(2262, 1, 1, tzinfo=zones.UTC)
# No more differences than this are printed.
SHOWN = 20
# Seconds of processor time that the oracles may take for a question.
PATIENCE = 10


def ask_oracles(question):
    """The answers by oracle, and up to when they are compared."""
    # A library that does not end is stopped.
    signal.setitimer(signal.ITIMER_VIRTUAL, PATIENCE)
    try:
        return ask(question)
    except TimeoutError:
        return {"an oracle that ends": None}, FOREVER
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)


def stop(*_):
    raise TimeoutError


def ask(question):
    kind = questions.kind_of(question)
    if kind == "cron":
        return cron_oracles.answers(question)
    if kind == "rrule":
        return rrule_oracles.answers(question)
    return {"zoneinfo": getattr(date_oracles, kind)(question)}, FOREVER


def ask_tminus(program, asked):
    """The answers in the order of the questions: instants, or a text that says what is wrong."""
    lines = "".join(json.dumps(question) + "\n" for question in asked)
    run = subprocess.run([program, "next", "--batch"], input=lines, stdout=subprocess.PIPE, text=True, check=True)
    answers = [json.loads(line) for line in run.stdout.splitlines()]
    if [answer.get("id") for answer in answers] != [question["id"] for question in asked]:
        sys.exit("oracles: tminus did not answer each question once, in order")
    return [answer["error"] if "error" in answer else [zones.instant(text) for text in answer["next"]]
            for answer in answers]


class Comparison:
    """Counts what was compared, and keeps what nothing explains."""

    def __init__(self):
        self.compared, self.left_out, self.explained = (collections.Counter() for _ in range(3))
        self.differences = []

    def compare(self, question, answer, answers, horizon):
        """Whether all agree, or a rule says why not."""
        kind = questions.kind_of(question)
        documented, *others = answers
        if answers[documented] is None:
            self.left_out[kind] += 1
            return True
        self.compared[kind] += 1
        wrong = [] if agrees(question, answer, answers[documented], horizon) else [documented]
        for oracle in others:
            if agrees(question, answer, answers[oracle], horizon):
                continue
            if rule := rules.explain(oracle, question, answers[documented]):
                self.explained[oracle, rule.name] += 1
            else:
                wrong.append(oracle)
        if wrong:
            self.differences.append((question, answer, answers, wrong))
        return not wrong

    def report(self, program):
        for question, answer, answers, wrong in self.differences[:SHOWN]:
            print(f"\nNothing explains the difference from {' and '.join(wrong)}:\n  {json.dumps(question)}")
            for name, found in {"tminus": answer, **answers}.items():
                print(f"    {name:24} {shown(found)}")
            print(f"  to repeat it: {sys.executable} {sys.argv[0]} {program} --question '{json.dumps(question)}'")
        for (oracle, name), count in sorted(self.explained.items()):
            print(f"oracles: {count:6} times {oracle} differs: {name}")
        for kind, count in self.left_out.items():
            print(f"oracles: {count:6} questions ({kind}) were left out: no oracle answers as Time.md says, or in time")
        kinds = ", ".join(f"{count} {kind}" for kind, count in self.compared.items())
        print(f"oracles: {self.compared.total()} questions ({kinds}), {len(self.differences)} differences unexplained")


def agrees(question, answer, expected, horizon):
    if expected is None:
        return False
    if isinstance(answer, str):
        # An expression or a rule without any occurrence is an error; a rule has its start in any case.
        return ": never fires: " in answer and len(expected) <= ("rrule" in question)
    return [moment for moment in answer if moment < horizon] == [moment for moment in expected if moment < horizon]


def shown(answer):
    if answer is None or isinstance(answer, str):
        return answer or "an error"
    return " ".join(map(zones.written, answer)) or "never"


def wrong_answers(answer):
    """Answers that differ from the right one in a single place."""
    hour = datetime.timedelta(hours=1)
    yield "the program refuses it"
    yield answer[1:]
    yield answer[:-1]
    for shift in (-hour, -zones.SECOND, zones.SECOND, hour):
        yield [*answer[:-1], answer[-1] + shift]
        yield [answer[0] + shift, *answer[1:]]


def self_test(asked):
    """Fails if a wrong answer to any question is not noticed."""
    tried = missed = 0
    for question in asked:
        answers, horizon = ask_oracles(question)
        right = next(iter(answers.values()))
        if not right or right[-1] >= horizon:
            continue
        for wrong in [right, *wrong_answers(right)]:
            tried += 1
            if Comparison().compare(question, wrong, answers, horizon) != (wrong is right):
                missed += 1
                what = "refused" if wrong is right else "missed"
                print(f"oracles: {what}: {shown(wrong)} for {json.dumps(question)}")
    print(f"oracles: self-test: {tried} answers, {missed} judged wrongly")
    return 1 if missed or not tried else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=pathlib.Path, nargs="?")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=20_000)
    parser.add_argument("--kinds", nargs="+", choices=questions.KINDS, default=list(questions.KINDS))
    parser.add_argument("--question", type=json.loads, help="compare this question alone")
    parser.add_argument("--self-test", action="store_true", help="only show that wrong answers are noticed")
    options = parser.parse_args()
    # The same zones as tminus has, and none of a package.
    zones.use_system_zones(os.environ.get("TZDIR", "/usr/share/zoneinfo"))
    signal.signal(signal.SIGVTALRM, stop)
    asked = [questions.draw(options.seed, number, options.kinds) for number in range(options.count)]
    if options.self_test:
        return self_test(asked)
    if options.program is None:
        parser.error("which program?")
    if options.question:
        asked = [options.question]
    begun = time.monotonic()
    comparison = Comparison()
    for question, answer in zip(asked, ask_tminus(options.program, asked), strict=True):
        comparison.compare(question, answer, *ask_oracles(question))
    comparison.report(options.program)
    print(f"oracles: seed {options.seed}, {time.monotonic() - begun:.0f} s")
    return 1 if comparison.differences else 0


if __name__ == "__main__":
    sys.exit(main())
