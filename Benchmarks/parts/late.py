"""How late deliveries are at a steady 1,000 a second."""

import time

from daemon import quantile

from .part import Figure, Part, directory, events, payloads, sinks, sleep_until, started, wait_for_lines

RATE = 1_000


class Late(Part):
    """Lateness is what the payload says; the processor time includes loading."""

    figures = (Figure("late, p50", "ms"), Figure("late, p99", "ms", 3), Figure("processor, of a core", "", 0.30))
    reference_name = "sleep loop in Python"

    def measure(self, binary):
        with directory() as root:
            count = self.count(20 * RATE)
            base, out = time.time() + 4 + count / 5_000, root / "out.ndjson"
            dues = [base + number / RATE for number in range(count)]
            files = sinks(out={"webhook-file": str(out)}) | events(dues, "out", 10)
            with started(binary, root, files) as daemon:
                sleep_until(base)
                wait_for_lines(out, count, count / RATE + 60)
                processor = daemon.processor_seconds()
            return figures([payload["data"]["late"] for payload in payloads(out)], processor)

    def reference(self):
        """Sleeps until each instant and appends a line, for a quarter of the time."""
        late, count = [], self.count(5 * RATE)
        with directory() as root, open(root / "out", "w") as out:
            base, used = time.time() + 0.1, time.process_time()
            for number in range(count):
                due = base + number / RATE
                if (left := due - time.time()) > 0:
                    time.sleep(left)
                late.append(time.time() - due)
                out.write("x" * 560 + "\n")
                out.flush()
            return figures(late, time.process_time() - used)


def figures(late, processor):
    return {
        "late, p50": quantile(late, 0.5) * 1_000,
        "late, p99": quantile(late, 0.99) * 1_000,
        "processor, of a core": processor / (len(late) / RATE),
    }
