#!/usr/bin/env python3
"""Holds the places where a value from outside could end the process against the list of their proofs.

usage: check_conversions.py [--write]

The runtime of Swift ends the process at a conversion that does not fit, an overflow, an index out of bounds and a
forced unwrapping. This script finds such places by their form in the sources that read what others wrote: requests,
answers, files, rows of the store, the environment, the kernel's answers. conversions.txt beside it lists all of them,
each under a proof that it cannot happen. A place that is new or gone is an error: write the proof, or convert by what
can fail (`Int(exactly:)`, `clamping:`, `multipliedReportingOverflow`, `first`, `guard let`).

--write adds new places to the list under "TODO", which is an error until a proof is in its place, and drops gone ones.
"""

import collections
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
LIST = pathlib.Path(__file__).with_name("conversions.txt")

# What reads values from outside. Forced unwrapping and `unowned` are looked for in all sources.
READERS = [
    "TminusControl", "TminusDaemon/Editing", "TminusDaemon/Metrics", "TminusDaemon/Serving", "TminusDaemon/Web",
    "TminusSinks/Plugin", "TminusSinks/Program", "TminusSinks/Webhook",
    "TminusPostgres", "TminusSQLite", "TminusStorage", "TminusSystem", "TminusHTTP",
    "TminusDefinitions/Document", "TminusDefinitions/Decoding", "TminusCore/Document",
    "TminusWatch/Hints", "TminusWatch/Reading",
    "TminusCore/Civil/AsciiScanner.swift", "TminusCore/Civil/CalendarSpan+Text.swift",
    "TminusCore/Civil/DateTimeText.swift", "TminusCore/Civil/LocalDateTime+Text.swift",
    "TminusCore/Civil/PlainDateParts.swift", "TminusCore/Civil/PlainDateReader.swift",
    "TminusCore/Civil/PosixZoneRule.swift", "TminusCore/Civil/SpanParts.swift", "TminusCore/Civil/TZif.swift",
    "TminusCore/Civil/Timestamp+RFC3339.swift", "TminusCore/Triggers/CronParser.swift",
    "TminusCore/Triggers/RecurrenceParser.swift",
]

NUMBER = r"(?:U?Int(?:8|16|32|64)?|CInt|CUnsignedInt|pid_t|off_t|size_t|time_t|socklen_t|mode_t|uid_t|gid_t)"
# A conversion that may fail is none: `Int(text)` gives nil, and is then unwrapped or mapped on the same line.
FAILABLE = re.compile(
    rf"(?:guard|if|while|,) (?:let|var) \w+(?:: \w+)? = {NUMBER}\(|[mM]ap \{{ {NUMBER}\(\$0\) \}}"
    rf"|{NUMBER}\([^()]*\) (?:\?\?|== )")
FORMS = {
    "unwrap": re.compile(r"[\w)\]]!(?![=\w])|\btry!|\bas!"),
    "unowned": re.compile(r"\bunowned\b"),
    "convert": re.compile(r"\b" + NUMBER + r"\((?!clamping:|exactly:|truncatingIfNeeded:|bitPattern:|ascii:|\))"),
    "multiply": re.compile(r"[\w)\]] \*=? [\w(]"),
    "index": re.compile(r"[\w)\]]\[(?=[^\]]*(?:\b\d+\b|[-+]|\b\w*(?:[iI]ndex|[oO]ffset|[pP]osition|[pP]lace|start|end|"
                        r"[nN]umber|count)\b|\b[in]\b))(?![^\]]*\bdefault:)[^\]]*\]"),
}
EVERYWHERE = {"unwrap", "unowned"}
COMMENT = re.compile(r"(?<!:)//.*")
TEXT = re.compile(r'"(?:[^"\\]|\\.)*"')


def is_reader(path):
    return any(path == reader or path.startswith(f"{reader}/") for reader in READERS)


def places():
    """Every place as (file, form, line of code)."""
    for file in sorted((ROOT / "Sources").rglob("*.swift")):
        path = file.relative_to(ROOT / "Sources").as_posix()
        for line in file.read_text().splitlines():
            code = TEXT.sub('""', COMMENT.sub("", line)).strip()
            for form, pattern in FORMS.items():
                if form not in EVERYWHERE and not is_reader(path):
                    continue
                if form == "convert":
                    code_left = FAILABLE.sub("", code)
                    if not pattern.search(code_left):
                        continue
                elif not pattern.search(code):
                    continue
                yield path, form, line.strip()


def read_list():
    """The proof of every listed place, with how often it is listed."""
    listed, file, proof = {}, None, None
    for number, line in enumerate(LIST.read_text().splitlines() if LIST.exists() else [], 1):
        if line.startswith("## "):
            file, proof = line[3:], None
        elif line.startswith("    "):
            form, _, code = line.strip().partition(" | ")
            assert file and proof, f"{LIST.name}:{number}: a place without a file or a proof"
            listed.setdefault((file, form, code), []).append(proof)
        elif line and not line.startswith("#"):
            proof = line
    return listed


def write(found, listed):
    groups = collections.OrderedDict()
    for place in found:
        proofs = listed.get(place)
        proof = proofs.pop(0) if proofs else "TODO"
        groups.setdefault(place[0], collections.OrderedDict()).setdefault(proof, []).append(place)
    with LIST.open("w") as out:
        out.write("# Why none of these places can end the process, whatever comes from outside.\n")
        for file, proofs in groups.items():
            out.write(f"\n## {file}\n")
            for proof, members in proofs.items():
                out.write(f"{proof}\n")
                for _, form, code in members:
                    out.write(f"    {form} | {code}\n")


def main(writes):
    found = list(places())
    listed = read_list()
    if writes:
        write(found, {place: list(proofs) for place, proofs in listed.items()})
        listed = read_list()
    problems = []
    count = collections.Counter(found)
    for place in sorted(count.keys() | listed.keys()):
        proofs = listed.get(place, [])
        file, form, code = place
        if count[place] > len(proofs):
            problems.append(f"new: {file}: {form}: {code}")
        elif count[place] < len(proofs):
            problems.append(f"gone: {file}: {form}: {code}")
        if "TODO" in proofs:
            problems.append(f"without a proof: {file}: {form}: {code}")
    for problem in problems:
        print(f"check_conversions: {problem}", file=sys.stderr)
    print(f"check_conversions: {len(found)} places, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    if sys.argv[1:] not in ([], ["--write"]):
        sys.exit(__doc__)
    sys.exit(main("--write" in sys.argv))
