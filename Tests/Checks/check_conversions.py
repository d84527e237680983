#!/usr/bin/env python3
"""Holds the places where a value from outside could end the process against the list of their proofs.

usage: check_conversions.py [--write]

The runtime of Swift ends the process at a conversion that does not fit, an overflow, an index out of bounds, a range
whose end is before its begin, a negative length and a forced unwrapping. This script finds such places by their form in
the sources that read what others wrote: requests, answers, files, rows of the store, the environment, the kernel's
answers. conversions.txt beside it lists all of them, each under a proof that it cannot happen. A place that is new or
gone is an error: write the proof, or convert by what can fail (`Int(exactly:)`, `clamping:`,
`addingReportingOverflow`, `first`, `guard let`).

--write adds new places to the list under "TODO", which is an error until a proof is in its place, and drops gone ones.
"""

import re
import sys

import proofs

# What reads values from outside. Forced unwrapping and `unowned` are looked for in all sources.
READERS = [
    "TminusControl", "TminusDaemon/ControlSocketPath.swift", "TminusDaemon/Editing", "TminusDaemon/Health",
    "TminusDaemon/Loading", "TminusDaemon/Metrics", "TminusDaemon/ServiceManager", "TminusDaemon/Serving",
    "TminusDaemon/Standby", "TminusDaemon/Web",
    "TminusSinks/Plugin", "TminusSinks/Program", "TminusSinks/Webhook",
    "TminusPostgres", "TminusSQLite", "TminusStorage", "TminusSystem", "TminusHTTP",
    "TminusDefinitions/Document", "TminusDefinitions/Decoding", "TminusDefinitions/Editing", "TminusDefinitions/Loader",
    "TminusDefinitions/Questions", "TminusCore/Document", "TminusTooling", "TminusWatch",
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
# Not listed: joined lists and texts, and `.count` plus or minus a constant of at most nine digits.
JOINED = r"(?:utf8|(?:compactM|flatM|m)ap|filter|sorted|joined|prefix|dropFirst|dropLast)\b"
NO_SUM = re.compile(
    rf"\.count [-+] \d{{1,9}}\b|\+=? (?:Array|String)\(|\b(?:Array|String)\([^()]*\) \+"
    rf"|\+=? [\w$.]+(?:\([^()]*\))?\.{JOINED}")
# Ranges between two constants, and those in a subscript, which are listed as `index`.
END = r"(?:\b(?:0x)?[\dA-F_]+\b|UInt8\(ascii: \"\"\))"
NO_RANGE = re.compile(rf"\[[^\[\]]*\.\.[.<][^\[\]]*\]|{END}\.\.[.<]{END}")
# Lengths that are constant, or not negative by their form.
LENGTH = r"(?:prefix|suffix|(?:drop|remove)(?:First|Last))\("
NO_LENGTH = re.compile(
    rf"\b{LENGTH}[\d_]+\)|\b(?:prefix|suffix|drop(?:First|Last))\((?:max\(0, [^()]*\)|[\w.]+\.count)\)"
    r"|count: (?:[\d_]+|[\w.]+\.count)\)")
HIDDEN = {"convert": FAILABLE, "add": NO_SUM, "range": NO_RANGE, "length": NO_LENGTH}
FORMS = {
    "unwrap": re.compile(r"[\w)\]]!(?![=\w])|\btry!|\bas!"),
    "unowned": re.compile(r"\bunowned\b"),
    "convert": re.compile(r"\b" + NUMBER + r"\((?!clamping:|exactly:|truncatingIfNeeded:|bitPattern:|ascii:|\))"),
    "multiply": re.compile(r"(?:^|[\w)\]}!] )\*=? [\w($.-]"),
    "add": re.compile(r"(?:^|[\w)\]}!] )[-+]=? [\w($.-]|\([\w.]+, [-+*]\)"),
    "range": re.compile(r"[\w)\]] ?\.\.[.<] ?[\w(-]"),
    "length": re.compile(rf"\brepeating: .*\bcount: |\.{LENGTH}(?!\)|while|where|through|upTo|of|from)"),
    "index": re.compile(r"[\w)\]]\[(?=[^\]]*(?:\b\d+\b|[-+]|\b\w*(?:[iI]ndex|[oO]ffset|[pP]osition|[pP]lace|start|end|"
                        r"[nN]umber|count)\b|\b[in]\b|\w\.\.[.<]|\.\.[.<]\w))(?![^\]]*\bdefault:)[^\]]*\]"),
}
EVERYWHERE = {"unwrap", "unowned"}


def is_reader(path):
    return any(path == reader or path.startswith(f"{reader}/") for reader in READERS)


def places():
    """Every place as (file, form, line of code)."""
    for path, line, code in proofs.code_lines():
        for form, pattern in FORMS.items():
            if form not in EVERYWHERE and not is_reader(path):
                continue
            if pattern.search(HIDDEN[form].sub("", code) if form in HIDDEN else code):
                yield path, form, line


if __name__ == "__main__":
    if sys.argv[1:] not in ([], ["--write"]):
        sys.exit(__doc__)
    title = "Why none of these places can end the process, whatever comes from outside."
    sys.exit(proofs.check(__file__, title, places()))
