"""A PostgreSQL server of a benchmark's own, and what it is asked."""

import contextlib
import pathlib
import re
import subprocess
import sys
import tempfile
import typing

from daemon import until

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "Tests/Fleet"))
from database import Database


class Statement(typing.NamedTuple):
    """A statement of a machine that the server has carried out."""

    at: float
    machine: str
    connection: str
    sql: str
    # Texts, and None for NULL.
    parameters: list[str | None]


class Server(Database):
    """A server that survives a crash of the machine, as a real one does. Each fleet gets a database of its own."""

    def __init__(self):
        super().__init__(tempfile.gettempdir())
        self.log_file = self.directory / "log"
        self.databases = 0
        self.set("fsync", "on")
        # The instant, the machine and the connection of each statement.
        self.set("log_line_prefix", "%n %a %p ")

    def sql(self, text, database="postgres"):
        command = ["psql", "-XAtq", "-v", "ON_ERROR_STOP=1", "-h", self.directory, "-U", "tminus", database, "-c", text]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout.removesuffix("\n")

    def set(self, name, value):
        """Changes a setting, and waits until it is in force."""
        self.sql(f"ALTER SYSTEM SET {name} = '{value}'")
        self.sql("SELECT pg_reload_conf()")
        until(lambda: self.sql(f"SHOW {name}") == value, f"the setting {name}", pause=0.05)

    def create(self, template="template1"):
        """The name of a new database, a copy of another one that nobody uses."""
        self.databases += 1
        name = f"fleet{self.databases}"
        self.sql(f"CREATE DATABASE {name} TEMPLATE {template}")
        return name

    def address(self, database, machine):
        """The address for a machine, by which the log knows it."""
        return f"postgresql://tminus@/{database}?host={self.directory}&application_name={machine}"

    def store(self, database, machine):
        """The options of a daemon for it."""
        return ["--store", self.address(database, machine)]

    @contextlib.contextmanager
    def logged(self):
        """A list that has all statements of the block after it."""
        statements = []
        start = self.log_file.stat().st_size
        self.set("log_statement", "all")
        try:
            yield statements
        finally:
            self.set("log_statement", "none")
        with open(self.log_file, errors="replace") as file:
            file.seek(start)
            statements += read_log(file.read())


def read_log(text):
    """The statements in the log; those of no machine are left out."""
    # Further lines of a text begin with a tab.
    pattern = r"^(\d+\.\d+) (\w+) (\d+) (?:LOG|DETAIL):  (execute [^:]+|statement|parameters): (.*(?:\n\t.*)*)"
    statements, last = [], {}
    for at, machine, connection, kind, words in re.findall(pattern, text, re.MULTILINE):
        words = words.replace("\n\t", "\n")
        if kind != "parameters":
            last[connection] = Statement(float(at), machine, connection, words, [])
            statements.append(last[connection])
        elif connection in last:
            values = re.findall(r"\$\d+ = (?:NULL|('(?:[^']|'')*'))", words)
            last[connection].parameters.extend(value[1:-1].replace("''", "'") if value else None for value in values)
    return statements
