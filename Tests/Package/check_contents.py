#!/usr/bin/env python3
"""Checks what is in a package, without installing it: its program, what it depends on, its files and its notices.

usage: check_contents.py [--poll] PACKAGES

PACKAGES is the directory with tminus_VERSION_ARCH.deb and tminus-dbgsym_VERSION_ARCH.deb. With --poll the package has
to be one without libinotifytools.
"""

import argparse
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
# `resolved` reads Package.resolved as write_notices.py does.
sys.path.insert(0, str(ROOT / "scripts"))
from write_notices import resolved  # noqa: E402

# By `dpkg-shlibdeps`, debhelper and debian/control, without the suffix of the 64-bit time_t.
DEPENDS = {
    "init-system-helpers", "systemd", "systemd-standalone-sysusers", "systemd-sysusers", "libc6", "libgcc-s1",
    "libnettle8", "libsqlite3-0", "libstdc++6", "tzdata", "zlib1g",
}
INOTIFY = "libinotifytools0"
# Each is there by name; pages, schemas, articles and examples come from the lists of the source below.
FILES = [
    "lib/systemd/system/tminus.service",
    "usr/bin/tminus",
    "usr/lib/systemd/user/tminus.service",
    "usr/lib/sysusers.d/tminus.conf",
    "usr/lib/tmpfiles.d/tminus.conf",
    "usr/share/bash-completion/completions/tminus",
    "usr/share/doc/tminus/CHANGELOG.md",
    "usr/share/doc/tminus/NOTICES",
    "usr/share/doc/tminus/README.md",
    "usr/share/doc/tminus/copyright",
    "usr/share/fish/vendor_completions.d/tminus.fish",
    "usr/share/man/man1/tminus.1.gz",
    "usr/share/man/man1/tminus-backup.1.gz",
    "usr/share/man/man1/tminus-deliveries-retry.1.gz",
    "usr/share/man/man1/tminus-doctor.1.gz",
    "usr/share/man/man1/tminus-restore.1.gz",
    "usr/share/man/man1/tminus-run.1.gz",
    "usr/share/man/man5/tminus-config.5.gz",
    "usr/share/tminus/control.openapi.json",
    "usr/share/tminus/tminus-commands.conf",
    "usr/share/tminus/tminus.schema.json",
    "usr/share/zsh/vendor-completions/_tminus",
]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--poll", action="store_true", help="it must be a package without libinotifytools")
    parser.add_argument("packages", type=pathlib.Path)
    options = parser.parse_args()
    return 0 if contents_pass(newest(options.packages), options.poll) else 1


def newest(packages):
    """The package of a directory; of several, the one that was made last."""
    package = max(packages.glob("tminus_*.deb"), key=lambda file: file.stat().st_mtime, default=None)
    if package is None:
        sys.exit(f"no package in {packages}; `make deb` builds it")
    return package


def contents_pass(package, poll=False):
    """Whether nothing is wrong with the files of a package; says what is."""
    with tempfile.TemporaryDirectory(prefix="tminus-contents-") as directory:
        tree = pathlib.Path(directory)
        subprocess.run(["dpkg-deb", "--extract", package, tree], check=True)
        problems = [*depends(package, poll), *missing(tree), *owners(package), *program(tree, package), *notices(tree)]
    for problem in problems:
        print(f"{package.name}: {problem}", file=sys.stderr)
    if not problems:
        print(f"{package.name}: has what it must, and no trace of the machine that built it")
    return not problems


def field(package, name):
    command = ["dpkg-deb", "--field", package, name]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def depends(package, poll):
    names = {name.removesuffix("t64") for name in re.findall(r"(?:^|[,|] ?)([a-z0-9.+-]+)", field(package, "Depends"))}
    version = field(package, "Version")
    polls = version.endswith("+poll")
    if poll and not polls:
        yield f"--poll, but the version {version} does not end in +poll"
    expected = DEPENDS if polls else DEPENDS | {INOTIFY}
    if names != expected:
        yield f"{version} depends on {sorted(names - expected)} as well, and not on {sorted(expected - names)}"


def missing(tree):
    wanted = list(FILES)
    wanted += [f"usr/share/tminus/{file.name}" for file in (ROOT / "Examples/schemas").glob("*.json")]
    articles = ROOT / "Sources/TminusCore/TminusCore.docc"
    wanted += [f"usr/share/doc/tminus/articles/{file.name}" for file in articles.glob("*.md")]
    for kind in ("alive", "grafana", "hooks", "plugins", "prometheus", "proxies", "webhooks"):
        files = [file for file in (ROOT / "Examples" / kind).iterdir() if file.is_file()]
        wanted += [f"usr/share/doc/tminus/examples/{kind}/{file.name}" for file in files]
    for path in wanted:
        file = tree / path
        if not file.is_file() or file.stat().st_size == 0:
            yield f"has no {path}"
    for schema in (tree / "usr/share/tminus").glob("*.json"):
        try:
            json.loads(schema.read_text(encoding="utf-8"))
        except ValueError as error:
            yield f"{schema.name} is not JSON: {error}"


def owners(package):
    command = ["dpkg-deb", "--contents", package]
    for line in subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines():
        mode, owner, *_, path = line.split()
        if owner != "root/root" or "w" in mode[4:] or "s" in mode:
            yield f"{path} has the mode {mode} and the owner {owner}"


def program(tree, package):
    """What the program has of the machine that built it, and whether its debug information is in the other package."""
    path = tree / "usr/bin/tminus"
    content = path.read_bytes()
    for place in builders(package):
        # As a whole, not as the end of another path.
        for found in re.finditer(rb"(?<![\w./-])" + re.escape(f"{place}/".encode()) + rb"[\w./-]*", content):
            yield f"the program names {found[0].decode()}, a path of the machine that built it"
            break
    dynamic = readelf("-d", path)
    for line in dynamic.splitlines():
        if "RPATH" in line or "RUNPATH" in line or "libswift" in line or "libFoundation" in line:
            yield f"the program looks for libraries of the machine that built it: {line.strip()}"
    sections = re.findall(r"\] (\.\S+)", readelf("-SW", path))
    if not sections:
        yield "readelf shows no sections of the program"
    for section in sections:
        if section == ".symtab" or section.startswith(".debug"):
            yield f"the program is not stripped: it has {section}"
    symbols = package.with_name(package.name.replace("tminus_", "tminus-dbgsym_", 1))
    if not symbols.is_file():
        yield f"there is no {symbols.name} beside it"
        return
    build_id = re.search(r"Build ID: ([0-9a-f]+)", readelf("-n", path))
    if not build_id or field(symbols, "Build-Ids") != build_id[1]:
        yield f"{symbols.name} is for the program {field(symbols, 'Build-Ids')}, not {build_id and build_id[1]}"


def builders(package):
    """Directories that no program that is passed on should name: where it was built, and the toolchain."""
    yield ROOT
    place = package.resolve()
    if place.parts[-3:-1] == (".build", "deb") and place.parents[2] != ROOT:
        yield place.parents[2]
    swift = shutil.which("swift")
    if swift:
        # Of /opt/swift/usr/bin/swift the first is /opt/swift; one of the system in /usr/bin says nothing.
        toolchain = pathlib.Path(swift).resolve().parents[2]
        if toolchain != pathlib.Path("/"):
            yield toolchain


def readelf(option, path):
    return subprocess.run(["readelf", option, path], check=True, capture_output=True, text=True).stdout


def notices(tree):
    """Whether NOTICES has one heading for each package of Package.resolved, and the text of a licence below it."""
    text = (tree / "usr/share/doc/tminus/NOTICES").read_text(encoding="utf-8")
    line = "=" * 78
    sections = re.findall(rf"^{line}\n(\S[^\n]*)\n(?:https://\S+\n)?{line}\n(.*?)(?=^{line}\n|\Z)", text, re.M | re.S)
    bodies = {}
    for title, body in sections:
        if title in bodies:
            yield f"NOTICES has two headings {title}"
        bodies[title] = body.strip()
    pins = ROOT / "Package.resolved"
    if not pins.is_file():
        sys.exit("there is no Package.resolved; `swift package resolve` writes it")
    wanted = {f"{name} {version}" for name, (version, _) in resolved(pins).items()}
    # Those of the runtime and of what packages have copied in have no version.
    found = {title for title in bodies if re.fullmatch(r"\S+ [0-9]\S*", title)}
    if wanted != found:
        yield f"NOTICES has no heading for {sorted(wanted - found)}, and one for {sorted(found - wanted)}"
    for title, body in bodies.items():
        if len(body) < 40:
            yield f"NOTICES has no licence under {title}"


if __name__ == "__main__":
    sys.exit(main())
