#!/usr/bin/env python3
"""Collects the licences and notices of everything that is linked into the program.

usage: write_notices.py [--check] [--resolved Package.resolved] [--checkouts DIRECTORY] [--toolchain FILE] [OUTPUT]

Says so if debian/copyright does not have exactly the packages of Package.resolved, each under the licence that its
files state. That is an error with --check, which writes nothing; else the text of an unknown licence is collected too.
"""

import argparse
import json
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
# The Swift runtime is part of the program too, and is not in Package.resolved.
TOOLCHAIN = "swift"
# What a package or the toolchain links without its text.
BESIDE = {"Yams": [("libyaml", "libyaml.txt")], TOOLCHAIN: [("ICU", "icu.txt")]}
PREFACE = """\
tminus itself is under the MIT licence. A build with libinotifytools (GPL-2, a shared library of the system) also links
packages under the Apache License 2.0 without an exception, which the FSF holds to be incompatible with the GPL-2.
Building and using such a program is free. Do not pass it on: `make deb POLL=1` builds one without libinotifytools.

tminus uses libnettle, a shared library of the system, which is under the LGPL, version 3 or later, or the GPL, version
2 or later. Debian has these licences in /usr/share/common-licenses, everybody else at https://www.gnu.org/licenses.
"""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--resolved", type=pathlib.Path, default=ROOT / "Package.resolved")
    parser.add_argument("--checkouts", type=pathlib.Path, default=ROOT / ".build/checkouts")
    parser.add_argument("--toolchain", type=pathlib.Path, help="the LICENSE.txt of the Swift toolchain")
    parser.add_argument("output", type=pathlib.Path, nargs="?")
    options = parser.parse_args()

    packages = resolved(options.resolved)
    recorded = recorded_licences((ROOT / "debian/copyright").read_text(encoding="utf-8"))
    problems = list(compare(packages, recorded, options.checkouts))
    for problem in problems:
        print(f"write_notices: {problem}", file=sys.stderr)
    if options.check:
        return 1 if problems else 0
    if options.output is None or options.toolchain is None:
        parser.error("--toolchain and OUTPUT are needed without --check")
    options.output.write_text(notices(packages, options.checkouts, options.toolchain), encoding="utf-8")
    return 0


def resolved(path):
    """The version and address of each package, by the name of its checkout."""
    pins = json.loads(path.read_text(encoding="utf-8"))["pins"]
    return {
        pin["location"].rsplit("/", 1)[-1].removesuffix(".git"): (pin["state"]["version"], pin["location"])
        for pin in pins
    }


def recorded_licences(copyright_text):
    """The short name of the licence of each package in debian/copyright."""
    licences = {}
    for paragraph in copyright_text.split("\n\n"):
        licence = re.search(r"^License: (.*)$", paragraph, re.MULTILINE)
        for name in re.findall(r"\.build/checkouts/([^/\s]+)/\*", paragraph):
            licences[name] = licence and licence[1]
    return licences


def compare(packages, recorded, checkouts):
    """What debian/copyright, Package.resolved and the files of the packages do not agree on."""
    for name in sorted(packages.keys() - recorded.keys()):
        yield f"debian/copyright has no paragraph for .build/checkouts/{name}/*, which Package.resolved has"
    for name in sorted(recorded.keys() - packages.keys()):
        yield f"debian/copyright has {name}, which Package.resolved does not have"
    for name in sorted(packages.keys() & recorded.keys()):
        stated = [licence_of(file.read_text(encoding="utf-8")) for file in licence_files(checkouts / name, "LICENSE")]
        if not stated:
            yield f"{checkouts / name} has no LICENSE; `swift package resolve` fetches the packages"
        elif recorded[name] != stated[0]:
            yield f"debian/copyright says {recorded[name]} for {name}, its LICENSE is {stated[0]}"


def licence_of(text):
    """The short name of a licence, by its text."""
    if "Apache License" in text:
        return "Apache-2.0 with Swift-exception" if "Runtime Library Exception" in text else "Apache-2.0"
    return "Expat" if "Permission is hereby granted, free of charge" in text else "unknown"


def licence_files(directory, *stems):
    """LICENSE or NOTICE files of a package, those of its top first, then those of what it has copied in."""
    files = [file for stem in stems for file in sorted(directory.glob(f"{stem}*"))]
    return files + [file for stem in stems for file in sorted((directory / "Sources").rglob(f"{stem}*"))]


def notices(packages, checkouts, toolchain):
    """The whole file: one section for each package, and equal licence texts only once."""
    sections, texts = [], {}
    for name, (version, location) in sorted(packages.items(), key=lambda item: item[0].lower()):
        files = [file for file in licence_files(checkouts / name, "LICENSE", "NOTICE") if file.is_file()]
        sections.append((f"{name} {version}\n{location}", [file.read_text(encoding="utf-8") for file in files]))
        sections += extra(name)
    runtime = "The Swift runtime, libdispatch and Foundation\nhttps://www.swift.org"
    sections.append((runtime, [toolchain.read_text("utf-8")]))
    sections += extra(TOOLCHAIN)

    lines = ["Notices of what is linked into tminus\n", PREFACE]
    for title, parts in sections:
        lines.append(f"{'=' * 78}\n{title}\n{'=' * 78}\n")
        for part in parts:
            text = part.strip("\n")
            lines.append(f"(The same text as above, under {texts[text]}.)\n" if text in texts else f"{text}\n")
            texts.setdefault(text, title.split("\n")[0])
    return "\n".join(lines)


def extra(name):
    here = pathlib.Path(__file__).parent / "notices"
    return [(f"{title}, in {name}", [(here / file).read_text("utf-8")]) for title, file in BESIDE.get(name, [])]


if __name__ == "__main__":
    sys.exit(main())
