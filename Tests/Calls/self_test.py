"""Whether failing_calls.py notices each kind of violation: in the life with the fault, a script that does wrong takes
the place of the daemon; and whether the library has a call fail at all."""

import concurrent.futures
import pathlib

from verdict import LIBRARY, NAMED, SURVIVED, VIOLATION, Fault

FAULT = Fault("openat", 1, "EIO", 1)
SAYS = "echo 'openat: Input/output error' >&2"
# What the script does, the verdict, and what the reasons must have. The next life is the daemon's own.
CASES = {
    "ends with a message": (f"{SAYS}; exit 74", NAMED, ""),
    "ends without a word": ("exit 74", VIOLATION, "nothing names the fault"),
    "ends in order, but too early": ("exit 0", VIOLATION, "nothing names the fault"),
    "crashes": (f"{SAYS}; kill -SEGV $$", VIOLATION, "ended by SIGSEGV"),
    # It hangs, whatever signal but KILL it gets.
    "does not stop": (f"{SAYS}; trap '' TERM; while :; do sleep 0.1; done", VIOLATION, "does not stop"),
    "tears a line": (f"echo '{{\"id\": \"to' >>payloads; {SAYS}; exit 74", VIOLATION, "torn: file"),
    "sends with another id": (f"echo 't1 expiry  0123' >>commands; {SAYS}; exit 74", VIOLATION, "has several ids"),
    "leaves a broken store": (
        f"mkdir -m 700 state; head -c 9000 /dev/zero >state/tminus.sqlite; {SAYS}; exit 74", VIOLATION, "lost: "),
    "loses a definition": (f"echo 'timers: {{}}' >config/a.yaml; {SAYS}; exit 74", VIOLATION, "lost: file t1 expiry"),
}
# What the daemon itself may come to.
REAL = {
    Fault("mkdir", 1, "ENOSPC", 1): {NAMED},
    Fault("epoll_wait", 5, "EINTR", 1): {SURVIVED},
    Fault("malloc", 20_000, "ENOMEM", 1): {LIBRARY, NAMED, SURVIVED},
}


def script(runner, name, text):
    """A program that does what `text` says after it has claimed that the library had a call fail."""
    path = pathlib.Path(runner.root) / f"{name.replace(' ', '-')}.sh"
    # Its arguments are those of the daemon: run --config ROOT/config --state ROOT/state.
    path.write_text(f'#!/bin/sh\nulimit -c 0\ncd "$3/.." || exit 1\necho "self-test" >fault\n{text}\n')
    path.chmod(0o700)
    return path


def liar(runner, name, program):
    """What is wrong with the judgement of a script; empty if nothing."""
    _, wanted, words = CASES[name]
    verdict, reasons, _ = runner.live(FAULT, program=program)
    is_right = verdict == wanted and any(words in reason for reason in reasons or [""])
    return "" if is_right else f"{name}: {verdict} {reasons}, not {wanted} {words!r}"


def real(runner, fault):
    """What is wrong with a real fault; empty if nothing."""
    verdict, reasons, target = runner.live(fault)
    is_right = verdict in REAL[fault] and target.startswith(fault.setting.replace(":", " "))
    return "" if is_right else f"{fault}: {verdict} ({target!r}) {reasons}"


def run(runner, jobs):
    """1 if a violation was overlooked or a sound run was judged wrongly, else 0."""
    # Before the first run: a process that starts meanwhile would hold a script open, which then could not be executed.
    programs = {name: script(runner, name, text) for name, (text, _, _) in CASES.items()}
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        judged = [pool.submit(liar, runner, name, program) for name, program in programs.items()]
        judged += [pool.submit(real, runner, one) for one in REAL]
    wrong = [case.result() for case in judged if case.result()]
    for line in wrong:
        print(f"self-test: {line}")
    if not wrong:
        print(f"self-test: {', '.join(CASES)}, {', '.join(map(str, REAL))}: each is judged as it should be")
    return 1 if wrong else 0
