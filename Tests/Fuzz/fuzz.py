#!/usr/bin/env python3
"""Runs libFuzzer on each target of tminus-fuzz and keeps what crashes it; `make fuzz` does it.

usage: fuzz.py [--keep] BINARY SECONDS [TARGET...]

Each target runs for SECONDS. It begins with its inputs in Corpus, written by people in a directory and found by earlier
runs in an archive, with files of the project that are of its kind, and with what runs on this machine have found, which
is in .build-fuzz/found. An input that ends the process, breaks a promise, takes more than 2 GiB or more than 10 seconds
is kept in .build-fuzz/crashes, and is an error.

--keep puts the smallest of the inputs that reach everything that was reached into the archives.
"""

import base64
import io
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
CORPUS, BUILD = HERE / "Corpus", ROOT / ".build-fuzz"
FOUND, CRASHES = BUILD / "found", BUILD / "crashes"
# The longest input of each target in bytes, and where there are more beginnings.
TARGETS = {
    "cron": (256, []), "recurrence": (512, []), "duration": (128, []), "date": (160, []),
    "tzif": (4096, [pathlib.Path("/usr/share/zoneinfo/Europe"), pathlib.Path("/usr/share/zoneinfo/Antarctica")]),
    "posix": (160, []),
    "definitions": (8192, [ROOT / "Tests/TminusDefinitionsTests/Golden", ROOT / "config"]),
    "stored": (4096, []), "template": (2048, []), "plugin": (2048, []), "retry-after": (128, []),
    "body": (1024, []), "headers": (1024, []), "answer": (4096, []),
}
# What the repository may hold, in bytes.
ROOM = 2 << 20


class Target:
    """A target with its inputs."""

    def __init__(self, binary, name):
        self.name, (longest, others) = name, TARGETS[name]
        self.archive, self.found = CORPUS / f"{name}.tar.xz", FOUND / name
        for directory in (self.found, CRASHES):
            directory.mkdir(parents=True, exist_ok=True)
        if self.archive.exists():
            with tarfile.open(self.archive) as archive:
                for member in archive:
                    (self.found / pathlib.Path(member.name).name).write_bytes(archive.extractfile(member).read())
        self.beginnings = [path for path in (CORPUS / name, *others) if path.is_dir()]
        self.command = [binary, "-rss_limit_mb=2048", "-timeout=10", f"-max_len={longest}",
                        f"-artifact_prefix={CRASHES}/{name}-"]
        # Swift keeps bits of its own in pointers, so the search for leaks takes what a global holds for lost.
        self.environment = os.environ | {"TMINUS_FUZZ_TARGET": name, "ASAN_OPTIONS": "detect_leaks=0"}

    def words(self):
        """A file with the words of the first inputs, to be put into others."""
        words = set()
        for file in (file for path in self.beginnings for file in path.rglob("*")):
            if file.is_file() and file.stat().st_size < 1 << 16:
                words |= set(re.findall(rb"[A-Za-z][A-Za-z-]{1,19}", file.read_bytes()))
        path = FOUND / f"{self.name}.words"
        path.write_text("".join(f'"{word.decode()}"\n' for word in sorted(words)[:2000]))
        return path

    def run(self, seconds):
        """Returns how many inputs it tried, and whether none failed."""
        before = set(CRASHES.iterdir())
        place = BUILD / f"{self.name}.log"
        # Not through a pipe: a symbolizer that outlives a crash would keep its other end open.
        with open(place, "wb") as log:
            ended = subprocess.run(
                [*self.command, f"-max_total_time={seconds}", f"-dict={self.words()}", "-print_final_stats=1",
                 self.found, *self.beginnings], env=self.environment, stdout=log, stderr=log, check=False)
        log = place.read_text(errors="replace")
        tried = int((re.findall(r"(?:^stat::number_of_executed_units: |^#)(\d+)", log, re.M) or ["0"])[-1])
        coverage = (re.findall(r"cov: (\d+)", log) or ["0"])[-1]
        print(f"fuzz: {self.name}: {tried} inputs, {coverage} edges, status {ended.returncode}", flush=True)
        if ended.returncode:
            # The first report tells most; what follows are maps of memory and figures.
            start = re.search(r"^(?:broken promise|.*ERROR: )", log, re.M)
            print("\n".join(log[start.start() if start else -4000:].splitlines()[:40]))
            for path in sorted(set(CRASHES.iterdir()) - before):
                print(f"fuzz: {self.name}: {path}: {base64.b64encode(path.read_bytes()).decode()}", flush=True)
        return tried, ended.returncode == 0

    def keep(self):
        """Writes the archive: the same for the same inputs."""
        chosen = BUILD / "chosen"
        shutil.rmtree(chosen, ignore_errors=True)
        chosen.mkdir()
        subprocess.run([*self.command, "-set_cover_merge=1", chosen, self.found, *self.beginnings],
                       env=self.environment, check=True, capture_output=True)
        given = {path.read_bytes() for top in self.beginnings for path in top.rglob("*") if path.is_file()}
        with tarfile.open(self.archive, "w:xz", preset=9) as archive:
            for path in sorted(chosen.iterdir()):
                if (content := path.read_bytes()) not in given:
                    entry = tarfile.TarInfo(path.name)
                    entry.size = len(content)
                    archive.addfile(entry, io.BytesIO(content))


def main(arguments):
    keeps = arguments[0] == "--keep"
    binary, seconds, *names = arguments[keeps:]
    results = []
    for name in names or TARGETS:
        target = Target(binary, name)
        results.append(target.run(seconds))
        if keeps and results[-1][1]:
            target.keep()
    size = sum(path.stat().st_size for path in CORPUS.rglob("*") if path.is_file())
    print(f"fuzz: {sum(tried for tried, _ in results)} inputs in all, a corpus of {size} bytes")
    if size > ROOM:
        print(f"fuzz: the corpus may have {ROOM} bytes", file=sys.stderr)
    return 0 if all(sound for _, sound in results) and size <= ROOM else 1


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1:]))
