#!/usr/bin/env python3
"""Writes README, changelog and articles into a directory of documentation, with links to what is installed there.

usage: write_doc.py DIRECTORY

DIRECTORY becomes share/doc/tminus. A link to something that is not installed becomes plain text.
"""

import os
import pathlib
import re
import shutil
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
ARTICLES = "Sources/TminusCore/TminusCore.docc"
# Where debian/rules puts what the pages name, seen from DIRECTORY.
INSTALLED = {
    "Examples": "examples",
    "Examples/control.openapi.json": "../../tminus/control.openapi.json",
    "LICENSE": "copyright",
}
LINK = re.compile(r"\[([^\]]+)\]\(([^)\s#]+)(#[^)\s]*)?\)")


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    target = pathlib.Path(sys.argv[1])
    pages = {"README.md": "README.md", "CHANGELOG.md": "CHANGELOG.md"}
    for article in sorted((ROOT / ARTICLES).glob("*.md")):
        pages[f"{ARTICLES}/{article.name}"] = f"articles/{article.name}"
    pictures = {f"{ARTICLES}/Resources/{file.name}": f"articles/Resources/{file.name}"
                for file in (ROOT / ARTICLES / "Resources").iterdir()}
    places = pages | pictures | INSTALLED
    for source, place in pages.items():
        text = (ROOT / source).read_text(encoding="utf-8")
        write(target / place, LINK.sub(lambda link, at=(source, place): moved(link, *at, places), text))
    for source, place in pictures.items():
        (target / place).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / source, target / place)


def moved(link, source, place, places):
    """A link of a page, as it is where the page is installed."""
    text, address, part = link.groups()
    if ":" in address:
        return link[0]
    named = os.path.normpath(os.path.join(os.path.dirname(source), address))
    if not (ROOT / named).exists():
        sys.exit(f"write_doc: {source} has a link to {address}, which is not there")
    if named not in places:
        return text
    return f"[{text}]({os.path.relpath(places[named], os.path.dirname(place) or '.')}{part or ''})"


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
