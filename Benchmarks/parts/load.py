"""How long 100,000 definitions take to load, and how much memory they hold."""

import json
import shutil
import subprocess
import time

from daemon import Daemon, Failed, age, status_megabytes

from .part import Figure, Part, directory, write

FORMS = {"YAML": 1.0, "JSON": 0.8}  # the target in seconds
FILES = [20, 1_000]


class Load(Part):
    """Starts with an empty state. Memory and list are those with the definitions in 1,000 files."""

    figures = tuple(
        figure
        for form, target in FORMS.items()
        for figure in [
            *[Figure(f"start, {form} in {files:,} files", "s", target) for files in FILES],
            Figure(f"memory when idle, {form}", "MB"),
            Figure(f"peak memory, {form}", "MB"),
            Figure(f"tminus list, {form}", "s"),
        ]
    )
    reference_name = "read (YAML: lines, JSON: parse)"

    def __enter__(self):
        self.context = directory()
        self.root = self.context.__enter__()
        for form in FORMS:
            for files in FILES:
                write(self.place(form, files) / "config", texts(form, files, max(1, self.count(100_000) // files)))
                age(self.place(form, files) / "config")
        return self

    def __exit__(self, *error):
        self.context.__exit__(*error)

    def place(self, form, files):
        place = self.root / f"{form}-{files}"
        place.mkdir(exist_ok=True)
        return place

    def measure(self, binary):
        values = {}
        for form in FORMS:
            for files in FILES:
                root = self.place(form, files)
                shutil.rmtree(root / "state", ignore_errors=True)
                with Daemon(binary, root) as daemon:
                    values[f"start, {form} in {files:,} files"] = daemon.live()
                    if files == FILES[-1]:
                        # Unused memory is given back within some seconds.
                        time.sleep(6)
                        values[f"memory when idle, {form}"] = status_megabytes(daemon.pid)
                        values[f"peak memory, {form}"] = status_megabytes(daemon.pid, "VmHWM")
                        began = time.monotonic()
                        command = [binary, "list", "--socket", daemon.socket]
                        if subprocess.run(command, stdout=subprocess.DEVNULL, check=False).returncode != 0:
                            raise Failed("tminus list failed")
                        values[f"tminus list, {form}"] = time.monotonic() - began
        return values

    def reference(self):
        values = {}
        for form in FORMS:
            for files in FILES:
                began = time.monotonic()
                for path in (self.place(form, files) / "config").iterdir():
                    text = path.read_text()
                    assert json.loads(text) if form == "JSON" else text.splitlines()
                values[f"start, {form} in {files:,} files"] = time.monotonic() - began
        return values


def texts(form, files, each):
    """Files of events, each with a name, an instant in 2037 and two reminders."""
    def event(number):
        at = f"2037-{1 + number % 12:02}-{1 + number % 28:02} 09:{number % 60:02}"
        return {"name": f"Event {number}", "at": at, "remind": ["1 day", "1 hour"]}

    if form == "JSON":
        return {
            f"f{file}.json": json.dumps({"events": {f"e{file}-{number}": event(number) for number in range(each)}})
            for file in range(files)
        }
    return {
        f"f{file}.yaml": "events:\n" + "".join(
            f"  e{file}-{number}:\n    name: {entry['name']}\n    at: {entry['at']}\n    remind: [1 day, 1 hour]\n"
            for number, entry in ((number, event(number)) for number in range(each)))
        for file in range(files)
    }
