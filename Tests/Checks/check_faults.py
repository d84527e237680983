#!/usr/bin/env python3
"""Holds what /healthz, /readyz and /metrics say of each fault against a table; `make check-metrics` runs it.

usage: check_faults.py TMINUS

Each row starts TMINUS anew, makes a fault from outside, waits until the signs are those of the row, and expects that
all others stay as they are without a fault. A full disk needs a tmpfs and a disk that hangs an ext4 on a loop device,
so root; without them those rows are left out.
"""

import contextlib
import ctypes
import os
import pathlib
import re
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import urllib.error
import urllib.request

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "Crash"))
from surroundings import freezing_disk, small_disk
from waiting import wait_for

# Seconds in which a sign shows, on a busy machine.
LIMIT = 60
# The beat keeps the store busy.
CONFIG = """\
sinks: {{lines: {{stdout: , format: json}}, {sinks}}}
timers:
  beat: {{duration: 1s, repeat: immediately, on-expiry: [lines]}}
  {timers}
"""


def get(port, path):
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=30) as answer:
            return answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.read().decode()


def signs(port):
    """Everything by which a fault can show."""
    samples = {name: float(value) for name, value in (
        line.rsplit(" ", 1) for line in get(port, "/metrics").splitlines() if not line.startswith("#"))}

    def total(pattern):
        return sum(value for name, value in samples.items() if re.match(pattern, name))

    return {
        "healthz": get(port, "/healthz").strip(), "readyz": get(port, "/readyz").strip(),
        "tminus_ready": samples["tminus_ready"] == 1,
        "files_in_order": samples["tminus_config_last_reload_successful"] == 1,
        "reloads_failed": samples['tminus_config_reloads_total{result="failure"}'] > 0,
        "dead_letters": samples['tminus_outbox_deliveries{state="dead"}'] > 0,
        "retries": total(r'tminus_delivery_attempts_total.*result="(retry|timeout)"') > 0,
        "attempts_failed": total(r'tminus_delivery_attempts_total.*result="dead"') > 0,
        "commands_run": total(r'tminus_deliveries_running.*sink="slow"') > 0,
        "store_errors": total("tminus_store_errors_total") > 0,
    }


SOUND = {
    "healthz": "ok", "readyz": "ready", "tminus_ready": True, "files_in_order": True, "reloads_failed": False,
    "dead_letters": False, "retries": False, "attempts_failed": False, "commands_run": False, "store_errors": False,
}
NO_STORE = {"readyz": "not ready: store", "tminus_ready": False, "store_errors": True}

PTRACE_DETACH, PTRACE_SEIZE, PTRACE_INTERRUPT = 17, 0x4206, 0x4207


@contextlib.contextmanager
def stopped(thread):
    """Stops one thread of another process, while its others run (ptrace(2))."""
    library = ctypes.CDLL(None, use_errno=True)
    library.ptrace.argtypes = [ctypes.c_long] * 4

    def trace(request):
        if library.ptrace(request, thread, 0, 0) != 0:
            raise OSError(ctypes.get_errno(), f"ptrace {request:#x} of thread {thread}")

    trace(PTRACE_SEIZE)
    trace(PTRACE_INTERRUPT)
    os.waitpid(thread, 0x40000000)  # __WALL: threads too
    try:
        yield
    finally:
        trace(PTRACE_DETACH)


class Scene:
    """A daemon on a directory, or on a small disk, of its own."""

    def __init__(self, program, root, state, sinks="", timers=""):
        self.root, self.config, self.state = root, root / "config", state
        self.config.mkdir()
        state.mkdir(mode=0o700)
        (self.config / "a.yaml").write_text(CONFIG.format(sinks=sinks, timers=timers))
        with open(root / "log", "wb") as log:
            self.process = subprocess.Popen(
                [program, "run", "--config", self.config, "--state", state, "--listen", "127.0.0.1:0"],
                stdout=subprocess.DEVNULL, stderr=log)
        found = wait_for(lambda: re.search(r"HTTP open.*127\.0\.0\.1:(\d+)", (root / "log").read_text()), LIMIT,
                         lambda: AssertionError((root / "log").read_text()), self.process)
        self.port = int(found[1])

    def expect(self, **other):
        """Waits until the signs are those of a sound daemon but for these."""
        wanted = SOUND | other

        def different():
            found = signs(self.port)
            return {name: found.get(name) for name, value in wanted.items() if found.get(name) != value}

        wait_for(lambda: not different(), LIMIT,
                 lambda: AssertionError(f"signs that do not belong there: {different()}"))

    def thread(self, name):
        """The id of the thread of that name."""
        tasks = pathlib.Path(f"/proc/{self.process.pid}/task").iterdir()
        for task in tasks:
            # A thread may end meanwhile.
            with contextlib.suppress(OSError):
                if (task / "comm").read_text().strip() == name:
                    return int(task.name)
        raise AssertionError(f"no thread has the name {name}")

    def end(self):
        self.process.kill()
        self.process.wait()


def sound(make):
    make().expect()


def broken_file(make):
    scene = make()
    scene.expect()
    (scene.config / "b.yaml").write_text("timers: { wrong: { duratoin: 1h } }\n")
    scene.expect(files_in_order=False, reloads_failed=True)
    (scene.config / "b.yaml").unlink()
    scene.expect(reloads_failed=True)


def closed_port():
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        return closed.getsockname()[1]


def dead_sink(make):
    scene = make(f'gone: {{webhook: "http://127.0.0.1:{closed_port()}/", retry: {{on: any, first: 1h, max: 1h}}}}',
                 "late: {duration: 1ms, on-expiry: [gone]}")
    scene.expect(retries=True)


def dead_letter(make):
    scene = make('fails: {exec: ["false"]}', "late: {duration: 1ms, on-expiry: [fails]}")
    scene.expect(dead_letters=True, attempts_failed=True)


def locked_store(make):
    scene = make()
    scene.expect()
    with contextlib.closing(sqlite3.connect(scene.state / "tminus.sqlite", isolation_level=None, timeout=60)) as store:
        store.execute("BEGIN IMMEDIATE")
        scene.expect(**NO_STORE)
    scene.expect(store_errors=True)


def full_disk(make, disk):
    scene = make(state=disk.path / "state")
    scene.expect()
    with disk.full():
        scene.expect(**NO_STORE)
    scene.expect(store_errors=True)


def hung_scheduler(make):
    scene = make()
    scene.expect()
    with stopped(scene.thread("engine")):
        scene.expect(healthz="hanging: scheduler")
    scene.expect()


def hung_dispatcher(make, disk):
    scene = make(state=disk.path / "state")
    scene.expect()
    with disk.frozen():
        scene.expect(healthz="hanging: dispatcher")
    scene.expect()


def stopping(make):
    # The command ends when the test makes the file; a shell can only look for it.
    scene = make("slow: {shell: 'until [ -e go ]; do sleep 0.05; done'}", "late: {duration: 1ms, on-expiry: [slow]}")
    scene.expect(commands_run=True)
    scene.process.send_signal(signal.SIGTERM)
    scene.expect(commands_run=True, readyz="not ready: stopping", tminus_ready=False)
    (scene.config / "go").touch()
    assert scene.process.wait(LIMIT) == 0, "the daemon did not end with 0"


def attempt(program, row, *more):
    """What went wrong in a row; None if nothing."""
    root = pathlib.Path(tempfile.mkdtemp(prefix="tminus-faults-"))
    scenes = []

    def make(sinks="", timers="", state=None):
        scenes.append(Scene(program, root, state or root / "state", sinks, timers))
        return scenes[-1]

    try:
        row(make, *more)
    except (AssertionError, OSError, KeyError, subprocess.SubprocessError) as error:
        return f"{row.__name__.replace('_', ' ')}: {error}"
    finally:
        for scene in scenes:
            scene.end()
        shutil.rmtree(root)
    return None


def main(program):
    rows = [sound, broken_file, dead_sink, dead_letter, locked_store, hung_scheduler, stopping]
    problems = [attempt(program, row) for row in rows]
    for row, kind in [(full_disk, small_disk), (hung_dispatcher, freezing_disk)]:
        place = pathlib.Path(tempfile.mkdtemp(prefix="tminus-disk-"))
        with kind(place / "disk") as disk:
            if disk.is_ours:
                rows.append(row)
                problems.append(attempt(program, row, disk))
        shutil.rmtree(place)
    problems = [problem for problem in problems if problem]
    for problem in problems:
        print(f"check_faults: {problem}", file=sys.stderr)
    if not problems:
        names = ", ".join(row.__name__.replace("_", " ") for row in rows)
        print(f"check_faults: {names}: each shows where it should, and nowhere else")
    return 1 if problems else 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.exit(main(os.path.abspath(sys.argv[1])))
