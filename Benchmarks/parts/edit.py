"""How long an edit takes to become visible."""

import os
import random
import subprocess
import time

from daemon import Failed, quantile

from .part import Figure, Part, directory, started


class Edit(Part):
    """Replaces one of 1,000 files; the edit is visible when `tminus show`, a process for each look, knows its event."""

    figures = (Figure("edit to visible, p50", "ms", 75), Figure("edit to visible, p99", "ms", 150))
    reference_name = "replace, read, /bin/true"

    def __init__(self, size=1.0):
        super().__init__(size)
        self.edits = self.count(100)

    def measure(self, binary):
        with directory() as root:
            files = {f"f{file}.yaml": text(file) for file in range(self.count(1_000))}
            with started(binary, root, files) as daemon:
                chance, took = random.Random(1), []
                for edit in range(self.edits):
                    path = root / "config" / f"f{chance.randrange(len(files))}.yaml"
                    began = replace(path, path.read_text() + line(f"mark{edit}"))
                    while daemon.ask("show", f"mark{edit}", "--json").returncode != 0:
                        if time.monotonic() > began + 10:
                            raise Failed("edit: not visible within 10 s")
                    took.append(time.monotonic() - began)
                return figures(took)

    def reference(self):
        with directory() as root:
            took = []
            for _ in range(self.edits):
                began = replace(root / "f.yaml", text(0))
                (root / "f.yaml").read_text()
                subprocess.run(["/bin/true"], check=True)
                took.append(time.monotonic() - began)
            return figures(took)


def line(id):
    return f"  {id}: {{ at: 2037-01-01 09:00 }}\n"


def text(file):
    return "events:\n" + "".join(line(f"e{file}-{number}") for number in range(10))


def replace(path, content):
    """Replaces a file as many editors do. Returns the time just before the new one is there."""
    new = path.with_name(f".{path.name}.new")
    new.write_text(content)
    began = time.monotonic()
    os.replace(new, path)
    return began


def figures(took):
    return {
        "edit to visible, p50": quantile(took, 0.5) * 1_000,
        "edit to visible, p99": quantile(took, 0.99) * 1_000,
    }
