#!/usr/bin/env python3
"""Checks the units of the system and of users: what systemd says of them, and how exposed the service of the system is,
with and without the drop-in.

usage: check_units.py
"""

import pathlib
import subprocess
import sys
import tempfile

DEBIAN = pathlib.Path(__file__).resolve().parents[2] / "debian"
# By `systemd-analyze security`, from 0 (nothing that an attacker could use) to 10.
STRICT, COMMANDS = 1.5, 4.0


def main():
    with tempfile.TemporaryDirectory(prefix="tminus-units-") as directory:
        root = pathlib.Path(directory)
        strict, commands, user = (root / name / "tminus.service" for name in ("strict", "commands", "user"))
        for unit in (strict, commands, user):
            unit.parent.mkdir()
        text = (DEBIAN / "tminus.service").read_text(encoding="utf-8")
        strict.write_text(text)
        # A drop-in is read after the unit, so its text after that of the unit means the same.
        commands.write_text(text + (DEBIAN / "tminus-commands.conf").read_text(encoding="utf-8"))
        user.write_text((DEBIAN / "tminus.user.service").read_text(encoding="utf-8"))
        results = [exposure(strict, STRICT), exposure(commands, COMMANDS), *map(is_known, (strict, commands, user))]
    return 0 if all(results) else 1


def exposure(unit, limit):
    command = ["systemd-analyze", "security", "--offline=yes", "--no-pager", f"--threshold={limit * 10:.0f}", unit]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    summary = result.stdout.strip().split("\n")[-1].lstrip("→ ")
    print(f"{unit.parent.name}: {summary} (at most {limit})")
    return result.returncode == 0


def is_known(unit):
    """Whether systemd knows every directive. It also looks for the programs, which are not installed here."""
    command = ["systemd-analyze", "verify", "--man=no", unit]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    lines = [line for line in result.stderr.split("\n") if unit.name in line]
    complaints = [line for line in lines if "/usr/bin/tminus is not executable" not in line]
    for line in complaints:
        print(f"{unit.parent.name}: {line}", file=sys.stderr)
    return not complaints


if __name__ == "__main__":
    sys.exit(main())
