#!/usr/bin/env python3
"""Checks that debian/copyright knows every package, and that scripts/write_notices.py says so when it does not.

usage: check_notices.py [CHECKOUTS]
"""

import json
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
STRANGER = "https://example.com/a-package-that-nobody-knows.git"


def main():
    checkouts = sys.argv[1] if len(sys.argv) > 1 else str(ROOT / ".build/checkouts")
    resolved = ROOT / "Package.resolved"
    known = compare(resolved, checkouts)
    print(known.stderr, end="", file=sys.stderr)

    content = json.loads(resolved.read_text(encoding="utf-8"))
    content["pins"].append({"location": STRANGER, "state": {"version": "1.0.0"}})
    with tempfile.NamedTemporaryFile("w", suffix=".resolved") as file:
        json.dump(content, file)
        file.flush()
        unknown = compare(file.name, checkouts)
    is_told = unknown.returncode == 1 and "a-package-that-nobody-knows" in unknown.stderr
    if not is_told:
        print(f"check_notices: a package without a paragraph in debian/copyright passed: {unknown}", file=sys.stderr)
    return 0 if known.returncode == 0 and is_told else 1


def compare(resolved, checkouts):
    command = [ROOT / "scripts/write_notices.py", "--check", "--resolved", resolved, "--checkouts", checkouts]
    return subprocess.run(command, capture_output=True, text=True, check=False)


if __name__ == "__main__":
    sys.exit(main())
