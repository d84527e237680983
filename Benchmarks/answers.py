#!/usr/bin/env python3
"""Measures requests for an item and for the files of the page, beside a bare server that answers the same bytes.

usage: answers.py TMINUS BARE-SERVER

Both are asked in turn, by TCP, over connections that are kept. Writes figures for table.py.
"""

import contextlib
import functools
import http.client
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from daemon import Daemon, Failed, age, runs, say
from table import Row

# As a browser does.
FIELDS = {"accept-encoding": "gzip"}


def answer(port, path, fields=FIELDS):
    """The body of an answer and its header fields."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    with contextlib.closing(connection):
        connection.request("GET", path, headers=fields)
        response = connection.getresponse()
        body = response.read()
        if response.status != 200:
            raise Failed(f"GET {path}: {response.status} {body.decode()}")
        return body, [f"{name}: {value}" for name, value in response.getheaders() if name.lower() != "content-length"]


@contextlib.contextmanager
def bare_server(program, file, fields):
    """The port of a server that answers everything with that file and these header fields."""
    with subprocess.Popen([program, file, *fields], stdout=subprocess.PIPE, text=True) as process:
        try:
            yield int(process.stdout.readline())
        finally:
            process.kill()


def rate(port, path, seconds=3):
    """Answers a second."""
    fields = [f"-H{name}: {value}" for name, value in FIELDS.items()]
    command = ["wrk", "-t1", "-c16", f"-d{seconds}s", *fields, f"http://127.0.0.1:{port}{path}"]
    printed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    if "Non-2xx" in printed or "Socket errors" in printed:
        raise Failed(printed)
    return float(re.search(r"Requests/sec:\s*([0-9.]+)", printed)[1])


def main(tminus, bare):
    if not shutil.which("wrk"):
        raise Failed("answers: wrk is needed; scripts/setup.sh bench installs it")
    with tempfile.TemporaryDirectory(prefix="tminus-bench-") as directory:
        root = pathlib.Path(directory)
        (root / "config").mkdir(mode=0o700)
        (root / "config" / "a.yaml").write_text("timers: { hello: { duration: 1h }, probe: { duration: 1ms } }\n")
        age(root / "config")
        with Daemon(tminus, root, "--listen", "127.0.0.1:0") as daemon:
            address = daemon.next(lambda line: line["message"] == "HTTP open")[1]["address"]
            port = int(address.rsplit(":", 1)[1])
            daemon.first_delivery()
            script = re.search(r"page/[^/]+/draw\.js", answer(port, "/", {})[0].decode())[0]
            # With the least share of the bare server's rate.
            for path, name, target in [("/items/hello", "an item", 0.8), (f"/{script}", "a file of the page", 0.9)]:
                say(f"answers: {name}")
                body, fields = answer(port, path)
                (root / "body").write_bytes(body)
                with bare_server(bare, root / "body", fields) as other:
                    again, others = answer(other, path)
                    if again != body or not set(fields) <= set(others):
                        raise Failed(f"answers: the bare server does not answer {path} as tminus does: {others}")
                    measures = [functools.partial(rate, port, path), functools.partial(rate, other, path)]
                    ours, theirs = zip(*[[measure() for measure in measures] for _ in range(runs())], strict=True)
                Row(f"{name}, {len(body):,} bytes", "1/s", ours, target, more_is_better=True,
                    target_is_ratio=True, reference="bare Hummingbird", reference_values=theirs).write()


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*(pathlib.Path(argument).resolve() for argument in sys.argv[1:]))
