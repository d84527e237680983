#!/usr/bin/env python3
"""Checks scripts/dist.py in a small repository of its own, where CI and the builds are stubs: each refusal, and what a
release has.

usage: check_dist.py
"""

import pathlib
import shutil
import subprocess
import sys
import tarfile
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
FILES = {
    "Sources/tminus/TminusVersion.swift": 'static let current = "1.2.3"\n',
    "CHANGELOG.md": "# Changelog\n\n## Unreleased\n\n## 1.2.3 - 2026-11-24\n",
    "debian/changelog": "tminus (1.2.3) unstable; urgency=medium\n",
    "Package.resolved": "{}\n",
    ".gitignore": ".build/\nran\n",
    "Makefile": "release:\n\techo release >>ran\nsbom:\n\tmkdir -p .build/sbom\n\techo bill >.build/sbom/bill.json\n",
    ".ci/run": "#!/bin/sh\necho ci >>ran\n",
    "scripts/clean_deb.py": """#!/bin/sh
set -e
mkdir -p "$2/.build/deb" tree/DEBIAN tree/usr/bin
printf '%s\\n' 'Package: tminus' 'Version: 1.2.3' 'Architecture: amd64' 'Maintainer: A <a@b>' 'Description: a' \\
    >tree/DEBIAN/control
echo "$1" >tree/usr/bin/tminus
SOURCE_DATE_EPOCH=1 dpkg-deb --root-owner-group --build tree "$2/.build/deb/tminus_1.2.3_amd64.deb" >/dev/null
rm -r tree
""",
}


def main():
    problems = [problem for check in (*REFUSALS, failing, released) for problem in check()]
    for problem in problems:
        print(f"check_dist: {problem}", file=sys.stderr)
    return 1 if problems else 0


class Repository:
    """A repository that can be released, with the script under test in it."""

    def __init__(self, directory):
        self.path = pathlib.Path(directory)
        for name, content in FILES.items():
            self.write(name, content)
        shutil.copy2(ROOT / "scripts/dist.py", self.path / "scripts")
        for name in (".ci/run", "scripts/clean_deb.py"):
            (self.path / name).chmod(0o755)
        self.git("init", "--quiet")
        self.commit()
        self.git("tag", "1.2.3")

    def write(self, name, content):
        (self.path / name).parent.mkdir(parents=True, exist_ok=True)
        (self.path / name).write_text(content, encoding="utf-8")

    def commit(self):
        self.git("add", "--all")
        self.git("-c", "user.name=a", "-c", "user.email=a@b", "commit", "--quiet", "--message", "Change")

    def git(self, *words):
        subprocess.run(["git", *words], cwd=self.path, check=True, stdout=subprocess.DEVNULL)

    def dist(self, *options):
        command = [self.path / "scripts/dist.py", *options]
        return subprocess.run(command, capture_output=True, text=True, check=False)

    @property
    def ran(self):
        """Which steps ran."""
        file = self.path / "ran"
        return file.read_text(encoding="utf-8").split() if file.exists() else []


def refusal(wanted, change, *options):
    """A check that a tree with a change is refused in these words, before anything is built."""

    def check():
        with tempfile.TemporaryDirectory(prefix="tminus-dist-") as directory:
            repository = Repository(directory)
            change(repository)
            result = repository.dist(*options)
            if result.returncode == 0 or wanted not in result.stderr or repository.ran:
                yield f"not refused with {wanted!r}: {result}, ran {repository.ran}"

    return check


def recommitted(name, content):
    """Changes a file in the tagged commit."""

    def change(repository):
        repository.write(name, content)
        repository.commit()
        repository.git("tag", "--force", "1.2.3")

    return change


def untagged(repository):
    repository.git("tag", "--delete", "1.2.3")


def tagged_otherwise(repository):
    untagged(repository)
    repository.git("tag", "v1.2.3")


REFUSALS = [
    refusal("the tree is not clean", lambda repository: repository.write("new.txt", "")),
    refusal("the tree is not clean", lambda repository: repository.write("Makefile", "release:\n")),
    refusal("needs the tag 1.2.3, as in TminusVersion.swift; it has none", untagged),
    refusal("needs the tag 1.2.3, as in TminusVersion.swift; it has v1.2.3", tagged_otherwise),
    refusal("needs a heading '## 1.2.3 - YYYY-MM-DD'", recommitted("CHANGELOG.md", "## Unreleased\n")),
    refusal("needs a heading '## 1.2.3 - YYYY-MM-DD'", recommitted("CHANGELOG.md", "## 1.2.3 - soon\n")),
    refusal("debian/changelog is at 1.2.2", recommitted("debian/changelog", "tminus (1.2.2) unstable\n")),
    refusal("the key /nowhere/key cannot be read", lambda repository: None, "--key", "/nowhere/key"),
]


def failing():
    """A step that fails ends it, without the files of a release."""
    with tempfile.TemporaryDirectory(prefix="tminus-dist-") as directory:
        repository = Repository(directory)
        recommitted(".ci/run", "#!/bin/sh\nexit 1\n")(repository)
        result = repository.dist()
        if result.returncode == 0 or "dist: .ci/run failed" not in result.stderr or repository.ran:
            yield f"went on after CI had failed: {result}, ran {repository.ran}"


def released():
    """What a release has: the sums are right and signed, and a second one is the same byte for byte."""
    with tempfile.TemporaryDirectory(prefix="tminus-dist-") as directory:
        root = pathlib.Path(directory)
        repository = Repository(root / "tree")
        key = root / "key"
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", key], check=True)
        result = repository.dist("--key", key)
        if result.returncode != 0 or repository.ran != ["ci", "release"]:
            yield f"not made: {result}, ran {repository.ran}"
            return
        dist = repository.path / ".build/dist"
        names = sorted(file.name for file in dist.iterdir())
        archive = "tminus-1.2.3-linux-amd64.tar.xz"
        wanted = ["Package.resolved", "SHA256SUMS", "SHA256SUMS.sig", "bill.json", archive, "tminus_1.2.3_amd64.deb"]
        if names != wanted:
            yield f"the release has {names}"
        with tarfile.open(dist / archive) as files:
            program = files.extractfile("tminus-1.2.3-linux-amd64/usr/bin/tminus").read()
        if program != b"--poll\n":
            yield f"the archive has a program with libinotifytools: {program}"
        sums = (dist / "SHA256SUMS").read_bytes()
        command = ["sha256sum", "--check", "--strict", "--quiet", "SHA256SUMS"]
        if subprocess.run(command, cwd=dist, check=False).returncode != 0:
            yield "SHA256SUMS are wrong"
        signers = root / "signers"
        signers.write_text("releases " + key.with_suffix(".pub").read_text(encoding="utf-8"), encoding="utf-8")
        command = ["ssh-keygen", "-Y", "verify", "-f", signers, "-I", "releases", "-n", "tminus-release"]
        command += ["-s", dist / "SHA256SUMS.sig"]
        if subprocess.run(command, input=sums, stdout=subprocess.DEVNULL, check=False).returncode != 0:
            yield "the signature is wrong"
        repository.dist()
        if (dist / "SHA256SUMS").read_bytes() != sums or (dist / "SHA256SUMS.sig").exists():
            yield "a second release differs, or has the signature of the first"


if __name__ == "__main__":
    sys.exit(main())
