#!/usr/bin/env python3
"""Makes everything that a release has, in .build/dist. Publishes nothing.

usage: dist.py [--key FILE]

Refuses unless the tree is clean, its commit has the tag of TminusVersion, and CHANGELOG.md and debian/changelog have
that version. Then runs CI, builds the program with libinotifytools, to see that it builds, and makes what may be passed
on, which is without it: the packages, an archive of the same files, the bill of materials, the versions of the
dependencies, and SHA256SUMS. --key names an SSH key that signs SHA256SUMS.
"""

import argparse
import datetime
import hashlib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
DIST = ROOT / ".build/dist"
# The namespace of the signature: ssh-keygen(1), -Y.
NAMESPACE = "tminus-release"


class Refusal(Exception):
    """Why no release can be made of this tree."""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--key", type=pathlib.Path, help="the SSH key that signs SHA256SUMS")
    options = parser.parse_args()
    try:
        version = releasable(options.key)
    except Refusal as refusal:
        sys.exit(f"dist: {refusal}")
    run(".ci/run")
    run("make", "release")
    shutil.rmtree(DIST, ignore_errors=True)
    DIST.mkdir(parents=True)
    with tempfile.TemporaryDirectory(prefix="tminus-dist-") as directory:
        copy = pathlib.Path(directory) / "tminus"
        run("scripts/clean_deb.py", "--poll", copy)
        packages = sorted((copy / ".build/deb").glob("*.deb"))
        for package in packages:
            shutil.copy(package, DIST)
        package = next(file for file in packages if file.name.startswith("tminus_"))
        archive(package, version, pathlib.Path(directory) / "files")
    run("make", "sbom")
    for bill in (ROOT / ".build/sbom").iterdir():
        shutil.copy(bill, DIST)
    shutil.copy(ROOT / "Package.resolved", DIST)
    write_sums(options.key)
    print(f"{DIST} has the release {version}; nothing was published")


def releasable(key):
    """The version of this tree, if a release can be made of it."""
    changed = output("git", "status", "--porcelain")
    if changed:
        raise Refusal(f"the tree is not clean; commit or remove these files:\n{changed}")
    version = one(r'current = "(.*)"', "Sources/tminus/TminusVersion.swift")
    tags = output("git", "tag", "--points-at", "HEAD").split()
    if version not in tags:
        found = f"it has {', '.join(tags)}" if tags else "it has none"
        raise Refusal(f"the commit needs the tag {version}, as in TminusVersion.swift; {found}")
    date = one(rf"^## {re.escape(version)} - (.*)$", "CHANGELOG.md")
    if date is None or not is_date(date):
        raise Refusal(f"CHANGELOG.md needs a heading '## {version} - YYYY-MM-DD'")
    packaged = one(r"^tminus \((.*?)\)", "debian/changelog")
    if packaged != version:
        raise Refusal(f"debian/changelog is at {packaged}, and TminusVersion.swift at {version}")
    if key is not None and not os.access(key, os.R_OK):
        raise Refusal(f"the key {key} cannot be read")
    return version


def is_date(text):
    try:
        return datetime.date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


def archive(package, version, files):
    """Writes the files of a package as an archive for systems without dpkg: the same bytes, below one directory."""
    run("dpkg-deb", "--extract", package, files)
    architecture = output("dpkg-deb", "--field", package, "Architecture")
    date = output("git", "log", "-1", "--format=%ct")
    name = f"tminus-{version}-linux-{architecture}"
    tar = ["tar", "--create", "--sort=name", "--owner=0", "--group=0", "--numeric-owner", f"--mtime=@{date}"]
    tar += ["--format=gnu", f"--transform=s,^[.],{name},S", f"--directory={files}", "."]
    with open(DIST / f"{name}.tar.xz", "wb") as target:
        content = subprocess.Popen(tar, stdout=subprocess.PIPE)
        subprocess.run(["xz", "-9e", "--threads=1"], stdin=content.stdout, stdout=target, check=True)
        if content.wait() != 0:
            raise subprocess.CalledProcessError(content.returncode, tar)


def write_sums(key):
    """Writes SHA256SUMS as sha256sum(1) checks it, and its signature."""
    lines = [f"{hashlib.sha256(file.read_bytes()).hexdigest()}  {file.name}\n" for file in sorted(DIST.iterdir())]
    sums = DIST / "SHA256SUMS"
    sums.write_text("".join(lines), encoding="utf-8")
    if key is not None:
        run("ssh-keygen", "-Y", "sign", "-q", "-f", key, "-n", NAMESPACE, sums)


def one(pattern, path):
    """What the first match of a pattern in a file has in its group; None without a match."""
    match = re.search(pattern, (ROOT / path).read_text(encoding="utf-8"), re.MULTILINE)
    return match and match.group(1)


def output(*command):
    return subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout.rstrip()


def run(*command):
    # What a step prints is beside the point of the next one; a step that fails ends this.
    if subprocess.run(command, cwd=ROOT, check=False).returncode != 0:
        sys.exit(f"dist: {' '.join(map(str, command))} failed")


if __name__ == "__main__":
    main()
