"""Whether failing_calls.py notices each kind of violation: in the life with the fault, a script that does wrong takes
the place of the daemon; and whether the library has a call fail at all."""

import pathlib

from verdict import NAMED, SURVIVED, TRAPPED, VIOLATION, Fault

FAULT = Fault("openat", 1, "EIO", 1)
SAYS = "echo 'openat: Input/output error' >&2"
# What the script does, the verdict, and what the reasons must have. The next life is the daemon's own.
CASES = {
    "ends with a message": (f"{SAYS}; exit 74", NAMED, ""),
    "ends without a word": ("exit 74", VIOLATION, "nothing names the fault"),
    "ends in order, but too early": ("exit 0", VIOLATION, "nothing names the fault"),
    "crashes": (f"{SAYS}; kill -SEGV $$", VIOLATION, "ended by SIGSEGV"),
    "does not stop": (f"{SAYS}; trap '' TERM; while :; do sleep 0.1; done", VIOLATION, "does not stop"),
    "tears a line": (f"echo '{{\"id\": \"to' >>payloads; {SAYS}; exit 74", VIOLATION, "torn: file"),
    "sends with another id": (f"echo 't1 expiry  0123' >>commands; {SAYS}; exit 74", VIOLATION, "has several ids"),
    "leaves a broken store": (
        f"mkdir -m 700 state; head -c 9000 /dev/zero >state/tminus.sqlite; {SAYS}; exit 74", VIOLATION, "lost: "),
    "loses a definition": (f"echo 'timers: {{}}' >config/a.yaml; {SAYS}; exit 74", VIOLATION, "lost: file t1 expiry"),
}
# No file to write to in the state directory, no memory for the first thread, and an interrupted wait.
REAL = {
    Fault("mkdir", 1, "ENOSPC", 1): {NAMED},
    Fault("epoll_wait", 5, "EINTR", 1): {SURVIVED},
    Fault("malloc", 20_000, "ENOMEM", 1): {TRAPPED, NAMED, SURVIVED},
}


def script(runner, text):
    """A program that ends as `text` says, once the library has had its call fail."""
    path = pathlib.Path(runner.root) / "liar.sh"
    # The options of the daemon have the directories: run --config ROOT/config --state ROOT/state.
    path.write_text(f'#!/bin/sh\nulimit -c 0\ncd "$3/.." || exit 1\necho "of the self-test" >fault\n{text}\n')
    path.chmod(0o700)
    return path


def run(runner):
    """1 if a violation was overlooked or a sound run was judged wrongly, else 0."""
    wrong = 0
    for name, (text, wanted, words) in CASES.items():
        verdict, reasons, _ = runner.live(FAULT, program=script(runner, text))
        is_right = verdict == wanted and any(words in reason for reason in reasons or [""])
        wrong += not is_right
        print(f"self-test: {name}: {verdict}{'' if is_right else f', not {wanted} {words!r}: {reasons}'}", flush=True)
    for fault, wanted in REAL.items():
        verdict, reasons, target = runner.live(fault)
        is_right = verdict in wanted and target.startswith(fault.setting.replace(":", " "))
        wrong += not is_right
        print(f"self-test: {fault}: {verdict} ({target}){'' if is_right else f': {reasons}'}", flush=True)
    return 1 if wrong else 0
