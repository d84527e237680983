#!/usr/bin/env python3
"""Renews the parts of the schemas in Examples/schemas that control.openapi.json describes, so that each stands alone.

usage: write-schemas.py

An entry of `$defs` with the name of a component is a copy of that component. All that a schema refers to is added, and
what it no longer refers to goes; its own text and its other entries stay as they are.
"""

import json
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[1]
COMPONENTS = "#/components/schemas/"


def renewed(text, components):
    """The text of a schema with its copies made anew."""
    schema = json.loads(text)
    own = {name: part for name, part in schema.pop("$defs", {}).items() if name not in components}
    copies, missing = {}, [*schema.values(), *own.values()]
    while missing:
        for name in re.findall(r'"#/\$defs/(\w+)"', json.dumps(missing.pop(0))):
            if name not in own and name not in copies:
                copies[name] = json.loads(json.dumps(components[name]).replace(COMPONENTS, "#/$defs/"))
                missing.append(copies[name])
    if parts := own | {name: copies[name] for name in components if name in copies}:
        schema["$defs"] = parts
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"


def main():
    document = json.loads((ROOT / "Sources/TminusDaemon/Serving/control.openapi.json").read_text())
    for path in sorted((ROOT / "Examples/schemas").glob("*.schema.json")):
        path.write_text(renewed(path.read_text(), document["components"]["schemas"]))


if __name__ == "__main__":
    main()
