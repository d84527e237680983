"""How long it takes to deliver 100,000 expiries that are due at one instant."""

import os
import sqlite3
import time

from daemon import Failed, status_megabytes

from .part import Figure, Part, directory, events, payloads, sinks, sleep_until, soon, started, wait_for_lines

LAST = "last line after the instant"
BATCH = 1_000


class Flood(Part):
    """Into a `webhook-file` that is synced for every batch, with the ordinary store."""

    figures = (Figure(LAST, "s", 2.0), Figure("processor time, with loading", "s"), Figure("peak memory", "MB"))
    reference_name = "SQLite loop"

    def measure(self, binary):
        with directory() as root:
            count = self.count(100_000)
            due, out = soon(count), root / "out.ndjson"
            files = sinks(out={"webhook-file": str(out), "sync": "always"}) | events([due] * count, "out", 10)
            with started(binary, root, files) as daemon:
                sleep_until(due)
                last = wait_for_lines(out, count, 120)
                values = {
                    LAST: last - due,
                    "processor time, with loading": daemon.processor_seconds(),
                    "peak memory": status_megabytes(daemon.pid, "VmHWM"),
                }
            ids = len({payload["id"] for payload in payloads(out)})
            if ids != count:
                raise Failed(f"flood: {ids} deliveries instead of {count}")
            return values

    def reference(self):
        with directory() as root:
            began = time.monotonic()
            write_rows(root, self.count(100_000))
            return {LAST: time.monotonic() - began}


def write_rows(root, count):
    """Inserts rows, appends as many lines to a file and updates the rows, a batch at a time, each step on the disk."""
    database = sqlite3.connect(root / "rows.sqlite", isolation_level=None)
    database.executescript(
        "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;"
        "CREATE TABLE item (id TEXT PRIMARY KEY, state TEXT, due INTEGER, payload TEXT);"
        "CREATE INDEX item_due ON item (state, due);")
    payload = "x" * 560
    with open(root / "lines", "w") as lines:
        for first in range(0, count, BATCH):
            # Ids in no order, as hashes are.
            ids = [f"{number * 0x9E3779B97F4A7C15 % 2**64:032x}" for number in range(first, min(first + BATCH, count))]
            database.execute("BEGIN")
            database.executemany("INSERT INTO item VALUES (?, 'waiting', 0, ?)", [(id, payload) for id in ids])
            database.execute("COMMIT")
            lines.writelines(f"{payload}\n" for _ in ids)
            lines.flush()
            os.fsync(lines.fileno())
            database.execute("BEGIN")
            database.executemany("UPDATE item SET state = 'done' WHERE id = ?", [(id,) for id in ids])
            database.execute("COMMIT")
    database.close()
