#!/usr/bin/env python3
"""Runs FuzzConfig, which gives damaged definition files to the reader, and keeps an input that crashes it.

usage: fuzz_config.py BINARY SECONDS SEED
"""

import hashlib
import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
OUTPUT = ROOT / ".build/fuzz-config"


def main(binary, seconds, seed):
    shutil.rmtree(OUTPUT, ignore_errors=True)
    command = [binary, ROOT / "Tests/TminusDefinitionsTests/Golden", ROOT / "config"]
    status = subprocess.run(
        [*command, "--seconds", seconds, "--seed", seed, "--output", OUTPUT], check=False).returncode
    # It reports its own findings with status 1; any other status is a crash.
    if status in (0, 1):
        return status
    content = (OUTPUT / "current").read_bytes()
    kept = OUTPUT / f"crash-{hashlib.sha256(content).hexdigest()[:12]}"
    for suffix in [".yaml", ".json"]:
        kept.with_suffix(suffix).write_bytes(content)
    print(f"fuzz_config: status {status} with seed {seed}; the input is kept: tminus check {kept}.*", file=sys.stderr)
    return 1


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
