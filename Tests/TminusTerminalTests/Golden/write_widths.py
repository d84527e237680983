#!/usr/bin/env python3
"""Writes how many terminal columns each character takes, for the test of DisplayWidth.

usage: write_widths.py > Tests/TminusTerminalTests/Golden/widths.txt

Takes the data from the module unicodedata2 if it is installed, because its Unicode is newer, else from unicodedata.
Wide and Fullwidth characters (UAX #11) take two columns, non-spacing marks and format characters none, as in glibc's
wcwidth(3).
"""

try:
    import unicodedata2 as data
except ImportError:
    import unicodedata as data

# Prepended_Concatenation_Mark of PropList.txt: format characters that are drawn.
DRAWN = {*range(0x600, 0x606), 0x6DD, 0x70F, 0x890, 0x891, 0x8E2, 0x110BD, 0x110CD, 0xAD}


def columns(value):
    """The columns of a character; None for one that is not assigned, a surrogate, a control or for private use."""
    category = data.category(chr(value))
    if category in ("Cn", "Cs", "Co", "Cc"):
        return None
    if category in ("Mn", "Me", "Zl", "Zp") or (category == "Cf" and value not in DRAWN):
        return 0
    # The vowels and endings of Hangul are drawn into the syllable before them.
    if 0x1160 <= value <= 0x11FF or 0xD7B0 <= value <= 0xD7FF:
        return 0
    return 2 if data.east_asian_width(chr(value)) in "WF" else 1


def main():
    print(f"# first..last columns; written by write_widths.py from Unicode {data.unidata_version}")
    start, current = None, None
    for value in range(0x80, 0x110001):
        width = columns(value) if value < 0x110000 else None
        if width == current:
            continue
        if current is not None:
            print(f"{start:04X}..{value - 1:04X} {current}")
        start, current = value, width


main()
