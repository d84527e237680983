"""What the parts share."""

import contextlib
import dataclasses
import datetime
import json
import math
import pathlib
import tempfile
import time

from daemon import Connection, Daemon, Failed, say, until


@dataclasses.dataclass(frozen=True)
class Figure:
    """A figure of a part. The target is a value, or with `of_reference` a multiple of the reference."""

    name: str
    unit: str
    target: float | None = None
    more_is_better: bool = False
    of_reference: bool = False


class Part:
    """One part; `size` is the share of the full size, to try it out."""

    figures: tuple[Figure, ...]
    reference_name = ""

    def __init__(self, size=1.0):
        self.size = size

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass

    def count(self, full):
        """A number of definitions, by the size."""
        return max(8, round(full * self.size))

    def measure(self, binary):
        """Measures a program: values by the names of figures."""
        raise NotImplementedError

    def reference(self):
        """Measures the reference: values by the names of those figures that have one."""
        raise NotImplementedError


@contextlib.contextmanager
def directory():
    """A new temporary directory."""
    with tempfile.TemporaryDirectory(prefix="tminus-drive-") as path:
        yield pathlib.Path(path)


@contextlib.contextmanager
def started(binary, root, files, *options):
    """A daemon on these files (text by name), once its definitions are in force."""
    write(root / "config", files)
    with Daemon(binary, root, *options) as daemon:
        daemon.live()
        yield daemon


def write(config, files):
    config.mkdir(mode=0o700)
    for name, text in files.items():
        (config / name).write_text(text)


def events(dues, action, files=8):
    """Files of events named e0, e1, ... that are due at these instants, each with one action."""
    parts = [{} for _ in range(files)]
    for number, due in enumerate(dues):
        parts[number % files][f"e{number}"] = {"at": rfc3339(due), "on-expiry": [action]}
    return {f"f{number}.json": json.dumps({"events": part}) for number, part in enumerate(parts) if part}


def sinks(**sinks):
    return {"tminus.json": json.dumps({"sinks": sinks})}


def rfc3339(instant):
    moment = datetime.datetime.fromtimestamp(instant, datetime.UTC)
    return moment.strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def soon(count):
    """A whole second that leaves time to write and load that many definitions."""
    return float(math.ceil(time.time() + 4 + count / 10_000))


def sleep_until(instant):
    if time.time() > instant:
        say("loading took longer than planned: the figure includes the rest of it")
    time.sleep(max(0.0, instant - time.time()))


def wait_for_lines(path, count, limit):
    """Waits until a file has that many lines. Returns the time when it had."""
    deadline = time.time() + limit
    seen, offset = 0, 0
    while time.time() < deadline:
        if path.exists():
            with open(path, "rb") as file:
                file.seek(offset)
                added = file.read()
            seen, offset = seen + added.count(b"\n"), offset + len(added)
            if seen >= count:
                return time.time()
        time.sleep(0.01)
    raise Failed(f"only {seen} of {count} lines were written within {limit} s")


def wait_for_outbox(daemon, delivered, waiting=0):
    """Waits until the sink `out` was given so many since the start and so many wait, as the store has it."""
    connection = Connection(daemon.connect())
    states = {"waiting": waiting, "running": 0, "retrying": 0}
    wanted = {f'tminus_outbox_deliveries{{state="{state}"}} {count}' for state, count in states.items()}
    if delivered:
        wanted.add(f'tminus_deliveries_total{{sink="out",outcome="delivered"}} {delivered}')
    until(lambda: wanted <= set(connection.take("GET", "/metrics").decode().splitlines()),
          f"{delivered} deliveries are settled and {waiting} wait", 120, pause=0.01)


def payloads(path):
    with open(path, "rb") as file:
        return [json.loads(line) for line in file]
