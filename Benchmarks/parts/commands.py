"""How many commands a second are run."""

import json
import subprocess
import time

from daemon import Failed

from .part import Figure, Part, directory, events, sinks, sleep_until, soon, started

RATE = "commands, 8 in parallel"
OPEN = ["queued", "pending", "claimed"]


class Commands(Part):
    """8,000 at one instant. They are over when the program lists no open delivery any more, only delivered ones."""

    figures = (Figure(RATE, "/s", 1.5, more_is_better=True, of_reference=True),)
    reference_name = "xargs -P8 /bin/true"

    def measure(self, binary):
        with directory() as root:
            count = self.count(8_000)
            due = soon(count)
            files = sinks(run={"exec": ["/bin/true"], "max-concurrent": 8}) | events([due] * count, "run")
            with started(binary, root, files) as daemon:
                sleep_until(due)
                while has_open_deliveries(daemon) or len(deliveries(daemon, "delivered", 1_000)) < min(count, 1_000):
                    if time.time() > due + 120:
                        raise Failed("commands: deliveries are still open after 120 s")
                    time.sleep(0.1)
                return {RATE: count / (time.time() - due)}

    def reference(self):
        count = self.count(8_000)
        began = time.monotonic()
        subprocess.run(["xargs", "-P8", "-n1", "/bin/true"], input=b"x\n" * count, check=True)
        return {RATE: count / (time.monotonic() - began)}


def has_open_deliveries(daemon):
    return any(deliveries(daemon, state, 1) for state in OPEN)


def deliveries(daemon, state, most):
    answer = daemon.ask("deliveries", "--only", state, "-n", str(most), "--json")
    if answer.returncode != 0:
        raise Failed(f"commands: tminus deliveries failed: {answer.stderr}")
    return json.loads(answer.stdout)
