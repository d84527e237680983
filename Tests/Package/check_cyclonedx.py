#!/usr/bin/env python3
"""Checks a CycloneDX 1.6 file by the schema of the format; `make check-sbom` runs it in an environment that has it.

usage: check_cyclonedx.py FILE
"""

import pathlib
import sys

from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator

error = JsonStrictValidator(SchemaVersion.V1_6).validate_str(pathlib.Path(sys.argv[1]).read_text(encoding="utf-8"))
if error:
    sys.exit(f"check_cyclonedx: {sys.argv[1]}: {error}")
