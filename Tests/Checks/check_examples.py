#!/usr/bin/env python3
"""Runs the command lines of README, the articles and the help; `make check-examples` runs it.

usage: check_examples.py TMINUS [-v]

The lines of each `sh` and `console` block run in order, in a directory that stands for a machine, with a daemon of
TMINUS and a database. What a `console` block shows must be what they print, but for times, ids and addresses. Code in
running text runs too if it is a whole command line; else it may name only commands and options that there are. What
cannot run here must be in the table of example_texts.py, which names the nearest test. Of files of systemd
the commands are started; those of proxies, and code in Swift, must be a part of a file in Examples. The receiver in
Python gets a request that TMINUS signed, so this needs the library standardwebhooks. ExamplesTests has the definition
files and the payloads. With -v each line is listed with what became of it.
"""

import collections
import contextlib
import http.server
import os
import pathlib
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import urllib.request

import example_texts as texts
from example_machine import LIMIT, Failure, Machine, Receiver
from waiting import wait_for

sys.path.insert(0, str(texts.ROOT / "Tests/Fleet"))
from database import Database

# Command lines of blocks that end with another status than 0, as the text beside them says.
STATUSES = {"tminus fire launch": 1, "crontab -l | tminus import crontab --output ~/.config/tminus/cron.yaml": 1,
            "tminus doctor": 65}
RUNNABLE = {"tminus", "curl", "echo", "crontab", "tar", "tee", "createdb", "pg_dump"}
TOOLS = re.compile(r"(sudo|make|export|systemctl|apt|apt-get|journalctl|man|ssh|pg_dump|systemd-analyze|tminus) \S")
# What TMINUS says of a command line that running text names without all its words.
INCOMPLETE = re.compile(r"Error: (Missing (expected argument|value for)|give )")
# Findings of `tminus doctor` that belong to the machine, and the line below each.
MACHINE = re.compile(r"^\w+: (clock|inotify|descriptors|disk|inodes|zone|machine|memory|no-daemon)\S*: .*\n(    .*\n)?",
                     re.M)
NORMAL = ((r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?( ?[+-]\d\d:\d\d|Z)?", "TIME"),
          (r"https?://[^:\s]+(:\d+)?", "URL"),
          (r"\b(config|store|hash|tzdata)=\S+", r"\1="), (r"^\d+ errors?, \d+ warnings?$", "FINDINGS"),
          (r'"id":"[0-9a-f]{4}', '"id":"'))


class Report:
    """What became of each example."""

    def __init__(self, is_verbose):
        self.counts, self.failures, self.used, self.statuses = collections.Counter(), [], set(), set()
        self.is_verbose = is_verbose

    def add(self, outcome, place, example, reason=""):
        self.counts[outcome] += 1
        if outcome == "failed":
            self.failures.append(f"{place}: {example}: {reason}")
        if self.is_verbose:
            print(f"{outcome:9}  {place}: {example}", flush=True)


def normal(text):
    text = MACHINE.sub("", text)
    for pattern, replacement in NORMAL:
        text = re.sub(pattern, replacement, text, flags=re.M)
    return text.splitlines()


def is_shown(shown, printed):
    """Whether a program printed what is shown, where an ellipsis stands for any text."""
    shown, printed = normal(shown), normal(printed)
    patterns = [re.escape(line).replace(r"\.\.\.", ".*") for line in shown]
    return len(shown) == len(printed) and all(map(re.fullmatch, patterns, printed))


def run_line(machine, report, place, command, shown=None):
    """Runs each part of a command line of a block, or finds it in the table."""
    for part in texts.parts(command):
        if part.startswith("make "):
            fault = texts.make_fault(texts.words_of(part))
            report.add("failed" if fault else "parsed", place, part, fault)
            continue
        is_control = re.match(r"systemctl (start|restart|stop|disable --now) tminus$", part)
        if not is_control and part.split()[0] not in RUNNABLE:
            report.add("elsewhere" if texts.elsewhere(part, report.used) else "failed", place, part, "runs nowhere")
            continue
        wanted = STATUSES.get(part, 0) if shown else 0
        report.statuses.update({part} if wanted else ())
        status, printed = machine.run_documented(part, shown)
        if status != wanted or (shown and not is_shown(shown, printed)):
            report.add("failed", place, part, f"status {status}, printed:\n{printed}")
        else:
            report.add("compared" if shown else "ran", place, part)


def run_console(machine, report, block):
    """Runs the lines after `$ `, and compares what follows each."""
    commands = re.split(r"^\$ ", block.text, flags=re.M)
    for text in commands[1:]:
        command, shown = text.split("\n", 1)
        run_line(machine, report, block, command, shown)
    if len(commands) == 1 and block.file != "README.md":
        report.add("failed", block, "console", "has no command")


def check_excerpt(report, block, pattern):
    """Holds a block against the files in Examples: its lines must stand in one of them, in this order."""
    def lines(text):
        return "\n".join(line.strip() for line in text.splitlines())

    is_there = any(lines(block.text) in lines(path.read_text()) for path in texts.ROOT.glob(f"Examples/{pattern}"))
    report.add("compared" if is_there else "failed", block, block.language, f"is no part of a file Examples/{pattern}")


def check_receiver(machine, report, block):
    """Has the daemon send a signed request to the function of the article."""
    known, results = set(), []

    def insert_id(identifier):
        is_new = identifier not in known
        known.add(identifier)
        return is_new

    names = {"SECRET": machine.environment["CHAT_SECRET"], "database": contextlib.nullcontext(),
             "insert_id": insert_id, "work": lambda data: results.append(data["id"])}
    exec(block.text, names)

    def receive(headers, body):
        """The answer to the request; the same request again and a damaged one must be known as such."""
        answers = [names["receive"](headers, text) for text in (body, body, body + b" ")]
        results.append(answers)
        return answers[0]

    Receiver.receive = receive
    status, printed = machine.run_documented("tminus fire signed")
    is_right = status == 0 and results == ["signed", [204, 200, 401]]
    report.add("ran" if is_right else "failed", block, "receive()", f"{results}, {printed}")


def check_block(machine, report, block):
    if block.language not in texts.LANGUAGES:
        report.add("failed", block, "fence", f"has no known language: '{block.language}'")
    elif block.language == "sh":
        for command in texts.commands(block.text):
            run_line(machine, report, block, command)
    elif block.language == "console":
        run_console(machine, report, block)
    elif block.language == "ini":
        for command in re.findall(r"^ExecStart=/usr/bin/(.+)", block.text, re.M):
            run_line(machine, report, block, command)
    elif block.language in ("nginx", "caddyfile"):
        check_excerpt(report, block, "proxies/*")
    elif block.language == "swift":
        check_excerpt(report, block, "CustomSink/**/*.swift")
    elif block.language == "python":
        check_receiver(machine, report, block)
    elif block.language == "yml":
        # Files of other programs, which fetch these paths.
        for path in re.findall(r"path: (/[\w/]+)", block.text):
            run_line(machine, report, block, f"curl http://127.0.0.1:9108{path}")
    elif re.search(r"^(\$|sudo|tminus) \w", block.text, re.M):
        report.add("failed", block, block.language, "has a command line")


def check_span(machine, report, commands, place, span):
    """Runs code in running text, or looks whether there are the commands and options that it names."""
    for part in texts.parts(span):
        words = texts.words_of(part)
        if words[0] == "make":
            fault = texts.make_fault(words)
            report.add("failed" if fault else "parsed", place, part, fault)
            continue
        if words[0] in commands.names and re.search(r" \[?-", part):
            part, words = f"tminus {part}", ["tminus", *words]
        if part.startswith("-u tminus ") or not TOOLS.match(part):
            continue
        if texts.elsewhere(part, report.used):
            report.add("elsewhere", place, part)
        elif words[0] == "tminus" and (fault := commands.fault(texts.words_of(part.split(" | ")[0])[1:])):
            report.add("failed", place, part, fault)
        elif texts.has_placeholder(part) or words[:2] == ["tminus", "run"]:
            report.add("parsed", place, part)
        elif words[0] != "export":
            status, printed = machine.run_documented(part)
            is_named = status == 64 and INCOMPLETE.search(printed)
            report.add("parsed" if is_named else "failed" if status else "ran", place, part, f"{status}: {printed}")


class FirstSteps:
    """The steps of README with `make run`, in a copy of config: begun first, because one of them takes ten seconds."""

    def __init__(self, program, spans, blocks):
        self.root = pathlib.Path(tempfile.mkdtemp(prefix="tminus-examples-"))
        shutil.copytree(texts.ROOT / "config", self.root / "config")
        (self.root / ".build/debug").mkdir(parents=True)
        (self.root / ".build/debug/tminus").symlink_to(program)
        self.export, = (span for span in spans if span.startswith("export "))
        self.make, = (span for span in spans if span.startswith("make run LISTEN="))
        self.added, = (block.text for block in blocks if "pasta" in block.text)
        self.shown, = (block.text for block in blocks if block.language == "console")
        self.process = None

    def begin(self):
        # Not as a part of the make that runs this check: that one would hold its output back.
        alone = {name: value for name, value in os.environ.items() if name not in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL")}
        words = ["-f", str(texts.ROOT / "Makefile"), "-o", "build", *shlex.split(self.make.replace(":8080", ":0"))[1:]]
        with open(self.root / "out", "wb") as out:
            self.process = subprocess.Popen(["make", *words], cwd=self.root, stdout=out, stderr=out, env=alone)
        # Together the two steps take ten seconds, after the three of the first countdown.
        self.wait(" hello: ", 1)
        timers = self.root / "config/timers.yaml"
        timers.write_text(timers.read_text().replace("duration: 3s", "duration: 10s") + "\n" + self.added)

    def wait(self, text, count):
        wait_for(lambda: (self.root / "out").read_text().count(text) >= count, LIMIT,
                 lambda: Failure(f"README: {self.make}: no '{text}': {(self.root / 'out').read_text()}"), self.process)

    def run(self, command):
        return subprocess.run(["sh", "-c", f"{self.export} && {command}"], cwd=self.root, check=True, text=True,
                              capture_output=True, timeout=LIMIT).stdout

    def end(self, report):
        link = self.run("tminus web --level control").split("#")[0]
        urllib.request.urlopen(link, timeout=LIMIT).close()
        self.wait(" hello: ", 2)
        self.wait(" pasta: ", 1)
        if "is ready" not in (self.root / "config/pasta.log").read_text():
            raise Failure("README: the hook of pasta wrote no line")
        timers = self.root / "config/timers.yaml"
        timers.write_text(timers.read_text().replace("duration: 50m", "duraton: 50m"))
        self.wait("^", 1)
        printed = "".join(line for line in (self.root / "out").read_text().splitlines(True)
                          if re.search(r"(notice: (tminus runs|definitions in force)| hello:) ", line))
        if not printed or not is_shown(self.shown, "".join(printed.splitlines(True)[:3])):
            raise Failure(f"README: 'make run' does not print what is shown:\n{printed}")
        report.add("compared", "README.md", self.make)
        report.add("ran", "README.md", self.export)

    def close(self):
        with contextlib.suppress(FileNotFoundError, IndexError, ProcessLookupError, ValueError):
            os.kill(int((self.root / ".build/demo-state/tminus.lock").read_text().split()[0]), signal.SIGTERM)
        if self.process:
            self.process.wait(LIMIT)
        shutil.rmtree(self.root)


def check_documents(make_machine, commands, report):
    for path in texts.FILES:
        with contextlib.closing(make_machine()) as machine:
            for block in texts.blocks(path):
                check_block(machine, report, block)
            status, printed = machine.run("tminus check")
            if status:
                report.add("failed", path.name, "the definition files that it has written", printed)
    with contextlib.closing(make_machine()) as machine:
        seen = set()
        for path in texts.FILES:
            for span in texts.spans(path):
                if span not in seen:
                    seen.add(span)
                    check_span(machine, report, commands, path.name, span)
        for example in commands.examples("tminus store "):
            run_line(machine, report, "help", example)


def main():
    program, report = str(pathlib.Path(sys.argv[1]).resolve()), Report("-v" in sys.argv)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Receiver)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    readme = texts.FILES[0]
    steps = FirstSteps(program, list(texts.spans(readme)), list(texts.blocks(readme)))
    with contextlib.closing(steps), contextlib.closing(Database()) as database:
        try:
            steps.begin()
            check_documents(lambda: Machine(program, f"http://127.0.0.1:{server.server_port}/", database),
                            texts.Help(program), report)
            steps.end(report)
        except (Failure, OSError, subprocess.SubprocessError) as failure:
            report.add("failed", "README.md", steps.make, f"{failure} {getattr(failure, 'stderr', None) or ''}")
    unused = [f"STATUSES: no example is '{command}'" for command in STATUSES.keys() - report.statuses]
    faults = [*report.failures, *texts.elsewhere_faults(report.used), *unused]
    print(", ".join(f"{count} {outcome}" for outcome, count in sorted(report.counts.items())))
    sys.exit("\n".join(["check_examples:", *faults]) if faults else 0)


if __name__ == "__main__":
    main()
