"""The database of a fleet: a PostgreSQL server of its own, which ends with this process."""

import os
import pathlib
import shutil
import subprocess
import tempfile

SCRIPT = pathlib.Path(__file__).resolve().parents[1] / "PostgresTestServer/cluster.sh"
# What a server may take on a busy machine to start or stop.
PATIENCE = 120


def roomy_directory():
    """In memory where there is room, else where temporary files are."""
    memory = "/dev/shm"
    return memory if os.access(memory, os.W_OK) and shutil.disk_usage(memory).free >= 1 << 30 else None


class Database:
    """A server in a new directory in `place`. It can be stopped at once, as a crash does, and started again."""

    def __init__(self, place=None):
        self.directory = pathlib.Path(tempfile.mkdtemp(prefix="tminus-pg-", dir=place or roomy_directory()))
        self.socket = self.directory / ".s.PGSQL.5432"
        # Not of the group that Ctrl-C ends: the daemons end first.
        self.process = subprocess.Popen(
            ["sh", SCRIPT, self.directory], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
            start_new_session=True,
        )
        answer = self.process.stdout.readline().strip()
        if answer != "ready":
            self.close()
            raise SystemExit(f"no database: {answer or 'the server did not start'}")

    def crash(self):
        self.order("stop")

    def start(self):
        self.order("start")

    def order(self, word):
        self.process.stdin.write(word + "\n")
        self.process.stdin.flush()
        if self.process.stdout.readline().strip() != "done":
            raise SystemExit(f"the database did not {word}: {self.log()}")

    def log(self):
        file = self.directory / "log"
        return file.read_text(errors="replace")[-2000:] if file.exists() else ""

    def close(self):
        self.process.stdin.close()
        self.process.wait(timeout=PATIENCE)
        shutil.rmtree(self.directory, ignore_errors=True)
