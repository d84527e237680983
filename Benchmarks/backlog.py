"""How fast the daemon works off a backlog in PostgreSQL, beside a program in C that only sends the same statements."""

import bisect
import pathlib
import subprocess
import time

from daemon import Daemon, Failed, runs
from parts.part import directory, events, sinks, soon, started, wait_for_lines, wait_for_outbox
from table import Row

PROGRAM = pathlib.Path(__file__).with_name("peer-programs") / "statements.c"
CLAIM, SETTLEMENT = "UPDATE delivery SET state = 'claimed'", "UPDATE delivery SET state = $1"


class Backlog:
    """A database in which everything waits for a machine with the label `bench`."""

    def __init__(self, binary, server, root, count):
        self.binary, self.server, self.root, self.count = binary, server, root, count
        self.out = root / "out.ndjson"
        self.program = root / "statements"
        subprocess.run(
            ["gcc", "-O2", "-Wall", "-I/usr/include/postgresql", "-o", self.program, PROGRAM, "-lpq"], check=True)
        sink = {"webhook-file": str(self.out), "sync": "never", "run-on": ["bench"]}
        files = sinks(out=sink) | events([soon(count)] * count, "out", 10)
        self.database = server.create()
        with started(binary, root, files, *server.store(self.database, "m1")) as daemon:
            wait_for_outbox(daemon, delivered=0, waiting=count)
        # As the server does by itself sooner or later.
        server.sql("VACUUM ANALYZE", self.database)

    def copy(self):
        name = self.server.create(self.database)
        # So that nobody writes to the disk what another one has left.
        self.server.sql("CHECKPOINT")
        return name

    def drain(self):
        """Deliveries a second of the daemon, from the instant of the first claim until the last settlement is read."""
        database = self.copy()
        self.out.unlink(missing_ok=True)
        with Daemon(self.binary, self.root, "--label", "bench", *self.server.store(database, "m1")) as daemon:
            wait_for_lines(self.out, self.count, 120)
            wait_for_outbox(daemon, delivered=self.count)
            ended = time.time()
        return self.count / (ended - int(self.server.sql("SELECT min(started) FROM tminus.delivery", database)) / 1e9)

    def send(self, recording):
        """Deliveries a second of the program in C."""
        database = self.copy()
        command = [self.program, self.server.address(database, "c"), str(recording.first)]
        printed = subprocess.run(command, input=recording.text, text=True, stdout=subprocess.PIPE, check=True).stdout
        ended = self.server.sql("SELECT count(*) FROM tminus.delivery WHERE state = 'delivered'", database)
        if int(ended) != self.count:
            raise Failed(f"statements: the program in C has settled {ended} of {self.count}")
        return self.count / float(printed)


class Recording:
    """The statements of the connection that has claimed, up to the end of the last transaction that settles. `first` is
    where the transaction of the first claim begins: before it, the daemon takes the lease and its files."""

    def __init__(self, statements, count):
        connection = next((each.connection for each in statements if is_like(each, CLAIM)), None)
        own = [each for each in statements if each.connection == connection]
        claims = [index for index, each in enumerate(own) if is_like(each, CLAIM)]
        settlements = [index for index, each in enumerate(own) if is_like(each, SETTLEMENT)]
        if not len(claims) == len(settlements) == count:
            raise Failed(f"statements: {len(claims)} claims and {len(settlements)} settlements of {count}")
        begins = [index for index, each in enumerate(own) if each.sql.startswith("BEGIN")]
        end = next(index for index in range(settlements[-1], len(own)) if own[index].sql == "COMMIT")
        self.first = begins[bisect.bisect(begins, claims[0]) - 1]
        # How many are claimed in a transaction.
        self.batch = count / len({bisect.bisect(begins, index) for index in claims})
        self.text = "".join(wire(each) for each in own[:end + 1])


def is_like(statement, beginning):
    return " ".join(statement.sql.split()).startswith(beginning)


def wire(statement):
    """A statement as peer-programs/statements.c reads it."""
    texts = [statement.sql, *statement.parameters]
    lengths = " ".join("-1" if text is None else str(len(text.encode())) for text in texts)
    return f"{lengths}\n{''.join(text or '' for text in texts)}"


def bench_statements(binary, server, count=4_000):
    """Into a file that is not synced, so that it costs little. The daemon makes and writes the payloads, too."""
    with directory() as root:
        backlog = Backlog(binary, server, root, count)
        with server.logged() as statements:
            backlog.drain()
        recording = Recording(statements, count)
        ours, theirs = zip(*[[backlog.drain(), backlog.send(recording)] for _ in range(runs())], strict=True)
    Row(f"{count:,} claims, payloads and settlements, {recording.batch:.0f} a batch", "1/s", ours, 0.9,
        more_is_better=True, target_is_ratio=True, reference="statements alone, C", reference_values=theirs).write()
