#!/usr/bin/env python3
"""Compares tminus with an independent JSON Schema validator; `make check-schema` runs it in an environment that has it.

usage: check_schema.py SCHEMA CASES

SCHEMA is what `tminus schema` prints, CASES a directory with the folders good and bad, which the tests write. The
sample files and the good cases must be valid, the bad cases invalid. A golden file must be valid exactly if its record
has no error of that file. For the files in SchemaBlind.txt it must be the other way round, so that the list stays
true.
"""

import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
TESTS = ROOT / "Tests" / "TminusDefinitionsTests"
VALIDATOR = pathlib.Path(sys.executable).with_name("check-jsonschema")


def definitions(directory):
    """The definition files below a directory; two of Examples are for other programs."""
    files = [path for end in ("yaml", "yml", "json") for path in directory.rglob(f"*.{end}")]
    files = [path for path in files if path.parent.name not in ("prometheus", "grafana")]
    return sorted(path for path in files if not path.name.endswith((".schema.json", ".openapi.json")))


def blind():
    """The golden files about which schema and tminus disagree, by name: whether the schema accepts them."""
    taken = {}
    for line in (TESTS / "SchemaBlind.txt").read_text().splitlines():
        if line and not line.startswith("#"):
            match = re.fullmatch(r"(taken|refused) (\S+): \S.*", line)
            if not match or match[2] in taken:
                sys.exit(f"SchemaBlind.txt: '{line}' needs a reason, once")
            taken[match[2]] = match[1] == "taken"
    return taken


def has_error(path):
    """Whether the record of a golden file, or of the directory that it is in, has an error of the file."""
    golden = TESTS / "Golden"
    case = path.relative_to(golden).parts[0]
    record = (golden / f"{case}.txt").read_text()
    return re.search(rf"^config/{re.escape(path.name)}(:\d+)*: error: ", record, re.MULTILINE) is not None


def is_utf8(path):
    try:
        path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return False
    return True


def report(schema, files):
    """The errors that the validator finds, by file, and the files it could not parse."""
    command = [VALIDATOR, "--schemafile", schema, "--output-format", "json", *files]
    result = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False)
    try:
        found = json.loads(result.stdout)
    except json.JSONDecodeError:
        sys.exit(f"check_schema: {VALIDATOR.name} gave no report:\n{result.stdout}\n{result.stderr}")
    entries = found.get("errors", []) + found.get("parse_errors", [])
    unparsed = {pathlib.Path(entry["filename"]) for entry in found.get("parse_errors", [])}
    return {pathlib.Path(entry["filename"]): entry["message"] for entry in entries}, unparsed


def invalid(schema, expected):
    """The files that the validator refuses or cannot parse, with its error."""
    # The validator fails with a traceback on JSON that is not UTF-8.
    broken = {path: "not UTF-8" for path in expected if not is_utf8(path)}
    files = [path for path in expected if path not in broken]
    refused, unparsed = report(schema, files)
    # A file that cannot be parsed disturbs the parser for the next one, so a doubtful file is validated alone.
    for path in files:
        if path in unparsed or expected[path] == (path in refused):
            refused.pop(path, None)
            refused |= report(schema, [path])[0]
    return broken | refused


def main(schema, cases):
    subprocess.run([str(VALIDATOR), "--check-metaschema", schema], check=True, stdout=subprocess.DEVNULL)
    cases = pathlib.Path(cases)
    golden = {str(path.relative_to(TESTS / "Golden")): path for path in definitions(TESTS / "Golden")}
    exceptions = blind()
    problems = [f"SchemaBlind.txt: there is no golden file '{name}'" for name in exceptions if name not in golden]

    samples = definitions(ROOT / "config") + definitions(ROOT / "Examples")
    # The schema has the standard kinds of sink only; CustomSink has one more.
    expected = {path: True for path in samples if "CustomSink" not in path.parts}
    expected |= dict.fromkeys(definitions(cases / "good"), True)
    expected |= dict.fromkeys(definitions(cases / "bad"), False)
    for name, path in golden.items():
        expected[path] = exceptions.get(name, not has_error(path))
        if name in exceptions and exceptions[name] != has_error(path):
            problems.append(f"SchemaBlind.txt: tminus and the schema should agree on '{name}'")

    refused = invalid(schema, expected)
    for path, is_valid in expected.items():
        if is_valid == (path in refused):
            words = f"valid, but refused: {refused[path]}" if is_valid else "wrong, but the schema takes it"
            problems.append(f"{path}: {words}\n    " + path.read_text(errors="replace")[:300].replace("\n", "\n    "))
    if problems:
        sys.exit("\n".join([*problems, "check_schema: failed"]))
    good = sum(expected.values())
    print(f"check_schema: {good} files valid, {len(expected) - good} not, as expected")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
