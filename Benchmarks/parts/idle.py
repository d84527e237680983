"""What an idle daemon costs."""

import subprocess
import sys
import time

from daemon import status_megabytes, voluntary_switches, wake_ups

from .part import Figure, Part, directory, started

WAKE_UPS, MEMORY = "wake-ups, 1,000 events", "memory, 1,000 events"
# Holds the same text and wakes up once a minute.
REFERENCE = """
import sys, time
texts = sys.stdin.read().splitlines()
print("ready", flush=True)
while True: time.sleep(60)
"""


class Idle(Part):
    """Counts how often its threads go to sleep in a minute. The reference runs in the same minute."""

    figures = (Figure(WAKE_UPS, "1/min", 1), Figure(MEMORY, "MB", 12))
    reference_name = "Python, sleep(60)"

    def measure(self, binary):
        window = max(3, 60 * self.size)
        lines = [f"  far-{n}: {{ at: 2099-01-01 00:00:{n % 60:02}, remind: [1 week, 1 day] }}" for n in range(1_000)]
        text = "\n".join(["events:", *lines, ""])
        with (
            directory() as root,
            subprocess.Popen(
                [sys.executable, "-c", REFERENCE], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as other,
            started(binary, root, {"far.yaml": text}) as daemon,
        ):
            other.stdin.write(text)
            other.stdin.close()
            other.stdout.readline()
            # The threads that the start needed have ended by then.
            time.sleep(20 * min(1, self.size))
            processes = [daemon.pid, other.pid]
            before = [voluntary_switches(pid) for pid in processes]
            time.sleep(window)
            values = [
                {WAKE_UPS: wake_ups(then, voluntary_switches(pid)) * 60 / window, MEMORY: status_megabytes(pid)}
                for pid, then in zip(processes, before, strict=True)
            ]
            other.kill()
        self.beside = values[1]
        return values[0]

    def reference(self):
        return self.beside
