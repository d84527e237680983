#!/usr/bin/env python3
"""Holds the uses of unsafe Swift against the list of their reasons.

usage: check_unsafe.py [--write]

Neither the compiler nor the runtime checks bounds, lifetime, type or exclusive access behind an unsafe pointer, a bit
cast, an unmanaged reference or `nonisolated(unsafe)`. This script finds all of them in Sources. unsafe.txt beside it
lists them, each under the reason why it is there and why it holds. A place that is new or gone is an error.

Not listed: a pointer that the compiler makes for one call (`&value`, an array as an argument, `withCString` around one
call), and Foundation, which hides its own.

--write adds new places to the list under "TODO", which is an error until a reason is in its place, and drops gone ones.
"""

import re
import sys

import proofs

FORMS = {name: re.compile(pattern) for name, pattern in {
    "unchecked": r"@unchecked|nonisolated\(unsafe\)|unowned\(unsafe\)|unsafe(?:BitCast|Downcast)|Unmanaged|\btry!|\bas!"
                 r"|@_(?:cdecl|extern|silgen_name)",
    "rebind": r"assumingMemoryBound|bindMemory|withMemoryRebound|loadUnaligned|\.load\((?:as|fromByteOffset):",
    "uninitialized": r"unsafeUninitializedCapacity|\.(?:de)?allocate\(",
    "scope": r"withUnsafe\w+|withUTF8(?:Buffer)?\b",
    "pointer": r"Unsafe\w*Pointer|OpaquePointer|\.pointee\b|unsafeGetSocketOption",
    "text": r"\b(?:validatingCString|cString|validatingUTF8):",
}.items()}


def places():
    """Every place as (file, form, line of code); the first form that fits counts."""
    for path, line, code in proofs.code_lines():
        form = next((form for form, pattern in FORMS.items() if pattern.search(code)), None)
        if form:
            yield path, form, line


if __name__ == "__main__":
    if sys.argv[1:] not in ([], ["--write"]):
        sys.exit(__doc__)
    sys.exit(proofs.check(__file__, "Why each use of unsafe Swift is there, and why it holds.", places()))
