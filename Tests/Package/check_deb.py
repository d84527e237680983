#!/usr/bin/env python3
"""Boots a tree of each Debian release and tries the package in it, from install to purge. Needs root.

Before that, check_contents.py looks at the files of the package. The trees hold no toolchain, only what the package
depends on. They are made once, in .build/package-trees. The package to upgrade from is that of --older, such as the
last release; without it, the same one under a lower version.

usage: check_deb.py [--older FILE.deb] [--poll] PACKAGES [SUITE...]
"""

import argparse
import gzip
import hashlib
import os
import pathlib
import shutil
import socket
import subprocess
import sys
import tempfile
import time

from check_contents import contents_pass, newest

ROOT = pathlib.Path(__file__).resolve().parents[2]
TREES = ROOT / ".build/package-trees"
SUITES = ["bookworm", "trixie"]
# systemd, for the system and for users, what the package depends on, a way to change a store, and what the
# commands of the pages use.
BOOTED = "systemd,systemd-sysv,libpam-systemd,dbus,dbus-user-session"
INCLUDED = f"{BOOTED},tzdata,libinotifytools0,libnettle8,libsqlite3-0,libstdc++6,zlib1g,ca-certificates,sqlite3,sudo"
SCRIPTS = ["in_tree.sh", "in_tree_systemd.sh", "in_tree_troubles.sh", "in_tree_pages.sh"]
STORE = "Tests/TminusSQLiteTests/Stores/schema-1.sqlite"
OLDER = "0.0.1"
BOOT_LIMIT = 600

CHECK_UNIT = """[Unit]
After=multi-user.target
[Service]
Type=oneshot
ExecStart=/bin/sh -c '/check/in_tree.sh /check/older.deb /check/current.deb >/check/result 2>&1'
ExecStopPost=/bin/systemctl poweroff --no-block
[Install]
WantedBy=default.target
"""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--older", type=pathlib.Path, help="the package to upgrade from")
    parser.add_argument("--poll", action="store_true", help="it must be a package without libinotifytools")
    parser.add_argument("packages", type=pathlib.Path, help="the directory with the .deb")
    parser.add_argument("suites", nargs="*", default=SUITES)
    options = parser.parse_args()
    if os.geteuid() != 0:
        sys.exit("check_deb: booting a tree needs root")
    package = newest(options.packages)
    results = [contents_pass(package, options.poll)]
    results += [passes(suite, package, options.older) for suite in options.suites]
    return 0 if all(results) else 1


def passes(suite, package, older):
    """Whether all steps pass in a fresh tree of one release."""
    started = time.monotonic()
    with tempfile.TemporaryDirectory(prefix=f"tminus-{suite}-") as directory:
        tree = pathlib.Path(directory) / "tree"
        tree.mkdir()
        command = ["tar", "--extract", "--numeric-owner", f"--file={tar_of(suite)}", f"--directory={tree}"]
        subprocess.run(command, check=True)
        check = tree / "check"
        check.mkdir()
        for file in [*(f"Tests/Package/{script}" for script in SCRIPTS), STORE]:
            shutil.copy2(ROOT / file, check)
        shutil.copy2(package, check / "current.deb")
        if older:
            shutil.copy2(older, check / "older.deb")
        else:
            relabel(package, OLDER, check / "older.deb")
        make_install(package, check / "made")
        # sudo looks its host up.
        (tree / "etc/hosts").write_text(f"127.0.0.1 localhost {socket.gethostname()}\n")
        unit = tree / "etc/systemd/system/tminus-check.service"
        unit.write_text(CHECK_UNIT)
        wanted = tree / "etc/systemd/system/default.target.wants"
        wanted.mkdir(exist_ok=True)
        (wanted / unit.name).symlink_to(f"/etc/systemd/system/{unit.name}")
        output = boot(tree)
        result = check / "result"
        text = result.read_text(errors="replace") if result.exists() else f"FAIL boot:\n{output[-3000:]}"
    print(f"{suite}, {package.name}, {time.monotonic() - started:.0f} s\n{text.rstrip()}\n", flush=True)
    return text.rstrip().endswith("all passed")


def tar_of(suite):
    """A minimal Debian with what the package depends on."""
    tar = TREES / f"{suite}-{hashlib.sha256(INCLUDED.encode()).hexdigest()[:8]}.tar"
    if not tar.exists():
        TREES.mkdir(parents=True, exist_ok=True)
        partial = tar.with_suffix(".partial.tar")
        command = ["mmdebstrap", "--quiet", "--variant=minbase", f"--include={INCLUDED}", suite, partial]
        subprocess.run(command, check=True)
        partial.rename(tar)
    return tar


def relabel(package, version, output):
    """The same package with another version."""
    with tempfile.TemporaryDirectory(prefix="tminus-relabel-") as directory:
        subprocess.run(["dpkg-deb", "--raw-extract", package, directory], check=True)
        control = pathlib.Path(directory) / "DEBIAN/control"
        lines = control.read_text().split("\n")
        control.write_text("\n".join(f"Version: {version}" if line.startswith("Version:") else line for line in lines))
        command = ["dpkg-deb", "-Znone", "--root-owner-group", "--build", directory, output]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


def make_install(package, destination):
    """Runs the recipe of `make install` with the program and the pages of a package, as if they had just been built."""
    with tempfile.TemporaryDirectory(prefix="tminus-install-") as directory:
        place = pathlib.Path(directory)
        subprocess.run(["dpkg-deb", "--extract", package, place / "package"], check=True)
        packed, built, share = place / "package/usr", place / ".build", place / ".build/share"
        for source, target in (
            ("bin/tminus", built / "release/tminus"),
            ("share/doc/tminus/NOTICES", built / "NOTICES"),
            ("share/bash-completion/completions/tminus", share / "bash-completion/completions/tminus"),
            ("share/zsh/vendor-completions/_tminus", share / "zsh/site-functions/_tminus"),
            ("share/fish/vendor_completions.d/tminus.fish", share / "fish/vendor_completions.d/tminus.fish"),
            ("share/tminus/tminus.schema.json", share / "tminus/tminus.schema.json"),
            ("share/tminus/control.openapi.json", share / "tminus/control.openapi.json"),
            ("share/tminus/status.schema.json", share / "tminus/schemas/status.schema.json"),
        ):
            target.parent.mkdir(parents=True, exist_ok=True)
            (packed / source).rename(target)
        for page in (packed / "share/man").glob("*/*.gz"):
            target = share / "man" / page.parent.name / page.stem
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(gzip.decompress(page.read_bytes()))
        # `--old-file` keeps make from building these again.
        command = ["make", "--file", ROOT / "Makefile", "--old-file", "man", "--old-file", "notices", "install"]
        command += [f"DESTDIR={destination}", "SCRATCH=.build", "PREFIX=/usr/local"]
        subprocess.run(command, cwd=place, check=True, stdout=subprocess.DEVNULL)


def boot(tree):
    """Boots the tree until it powers itself off."""
    command = ["systemd-nspawn", "--quiet", "--boot", f"--directory={tree}", "--register=no", "--keep-unit"]
    # The ports of this machine may be in use, and nothing is fetched. The filter lets timedatectl read whether the
    # clock is synchronised.
    command += ["--console=pipe", "--private-network", "--system-call-filter=adjtimex clock_adjtime"]
    try:
        result = subprocess.run(
            command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False, timeout=BOOT_LIMIT)
        return result.stdout + result.stderr
    except subprocess.TimeoutExpired as timeout:
        return f"not off after {BOOT_LIMIT} s\n{(timeout.stdout or b'').decode(errors='replace')}"


if __name__ == "__main__":
    sys.exit(main())
