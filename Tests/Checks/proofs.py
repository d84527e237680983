"""The committed lists of places in the sources that each stand under a reason, for the checks that find such places.

A list has the sections `## FILE`, in them reasons of one line, and under each reason its places as `    FORM | CODE`.
"""

import collections
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
COMMENT = re.compile(r"//[^\n]*")
QUOTES = re.compile(r'(#*)("""|")')
# A pattern between slashes, not a division: nothing or an opening sign stands before it, and no space inside begins it.
PATTERN = re.compile(r"/(?![ /*])(?:\\.|[^/\\\n])+/")
BEFORE_PATTERN = "(,=:[{"


def code_of(source):
    """The source without comments and without what texts and patterns say, line for line; interpolations are code."""
    code, place = [], 0
    texts, brackets = [], []  # The texts that are open at the place, and the open brackets of their interpolations.
    while place < len(source):
        if len(texts) > len(brackets):
            hashes, quotes = texts[-1]
            if source.startswith(f"\\{hashes}(", place):
                brackets.append(0)
                place += 1 + len(hashes)
            elif source.startswith(quotes + hashes, place):
                texts.pop()
                code.append('"')
                place += len(quotes + hashes)
            else:
                is_escape = source.startswith(f"\\{hashes}", place)
                place += 1 + len(hashes) if is_escape else 0
                code.append("\n" if source[place] == "\n" else "")
                place += 1
        elif comment := COMMENT.match(source, place):
            place = comment.end()
        elif (pattern := PATTERN.match(source, place)) and "".join(code).rstrip()[-1:] in BEFORE_PATTERN:
            code.append("//")
            place = pattern.end()
        elif opening := QUOTES.match(source, place):
            texts.append(opening.groups())
            code.append('"')
            place = opening.end()
        else:
            code.append(source[place])
            if brackets and source[place] in "()":
                brackets[-1] += 1 if source[place] == "(" else -1
                if brackets[-1] == 0:
                    brackets.pop()
            place += 1
    assert not texts and not brackets, "a text is not closed"
    return "".join(code)


def code_lines():
    """Every line of the sources as (file, line, its code without comment and texts)."""
    for file in sorted((ROOT / "Sources").rglob("*.swift")):
        path, source = file.relative_to(ROOT / "Sources").as_posix(), file.read_text()
        for line, code in zip(source.split("\n"), code_of(source).split("\n"), strict=True):
            yield path, line.strip(), code.strip()


def read(path):
    """The reasons of every listed place, one for each time that it is listed."""
    listed, file, reason = {}, None, None
    for number, line in enumerate(path.read_text().splitlines() if path.exists() else [], 1):
        if line.startswith("## "):
            file, reason = line[3:], None
        elif line.startswith("    "):
            form, _, code = line.strip().partition(" | ")
            assert file and reason, f"{path.name}:{number}: a place without a file or a reason"
            listed.setdefault((file, form, code), []).append(reason)
        elif line and not line.startswith("#"):
            reason = line
    return listed


def write(path, title, found, listed):
    """Writes the list anew: found places under their reasons, new ones under TODO."""
    groups = collections.OrderedDict()
    for place in found:
        reasons = listed.get(place)
        reason = reasons.pop(0) if reasons else "TODO"
        groups.setdefault(place[0], collections.OrderedDict()).setdefault(reason, []).append(place)
    with path.open("w") as out:
        out.write(f"# {title}\n")
        for file, reasons in groups.items():
            out.write(f"\n## {file}\n")
            for reason, members in reasons.items():
                out.write(f"{reason}\n")
                for _, form, code in members:
                    out.write(f"    {form} | {code}\n")


def problems(found, listed):
    """What is wrong with the list: new places, gone ones, and those without a reason."""
    count = collections.Counter(found)
    for place in sorted(count.keys() | listed.keys()):
        reasons = listed.get(place, [])
        text = ": ".join(place)
        if count[place] > len(reasons):
            yield f"new: {text}"
        elif count[place] < len(reasons):
            yield f"gone: {text}"
        if "TODO" in reasons:
            yield f"without a reason: {text}"


def check(script, title, found):
    """Holds the places against the list beside the script, whose name is `check_NAME.py`; returns the exit status."""
    name = pathlib.Path(script).stem
    path = pathlib.Path(script).with_name(name.removeprefix("check_") + ".txt")
    found = list(found)
    if "--write" in sys.argv:
        write(path, title, found, read(path))
    wrong = list(problems(found, read(path)))
    for problem in wrong:
        print(f"{name}: {problem}", file=sys.stderr)
    print(f"{name}: {len(found)} places, {len(wrong)} problems")
    return 1 if wrong else 0
