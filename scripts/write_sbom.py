#!/usr/bin/env python3
"""Writes what the program is made of, as SPDX 2.3 and as CycloneDX 1.6, from Package.resolved and debian/copyright.

usage: write_sbom.py [--resolved Package.resolved] VERSION SWIFT-VERSION DIRECTORY

Writes tminus.spdx.json and tminus.cdx.json. $SOURCE_DATE_EPOCH is their date, so that the same source makes the same
files.
"""

import argparse
import datetime
import json
import os
import pathlib
import re
import time
import uuid

from write_notices import ROOT, recorded_licences, resolved

HOME = "https://github.com/swiftlang/swift"
SPDX_IDS = {"Expat": "MIT", "Apache-2.0 with Swift-exception": "Apache-2.0 WITH Swift-exception"}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--resolved", type=pathlib.Path, default=ROOT / "Package.resolved")
    parser.add_argument("version", help="of tminus")
    parser.add_argument("swift", help="the version of the Swift toolchain, whose runtime is linked in")
    parser.add_argument("directory", type=pathlib.Path)
    options = parser.parse_args()

    parts = linked(options.resolved, options.swift)
    epoch = int(os.environ.get("SOURCE_DATE_EPOCH", time.time()))
    date = datetime.datetime.fromtimestamp(epoch, datetime.UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    identity = uuid.uuid5(uuid.NAMESPACE_URL, json.dumps([options.version, date, parts]))
    for name, content in (
        ("tminus.spdx.json", spdx(options.version, parts, date, identity)),
        ("tminus.cdx.json", cyclonedx(options.version, parts, date, identity)),
    ):
        (options.directory / name).write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")


def linked(resolved_file, swift):
    """Everything that is linked in: its name, version, address, licence and package URL."""
    licences = recorded_licences((ROOT / "debian/copyright").read_text(encoding="utf-8"))
    packages = {**resolved(resolved_file), "swift-runtime": (swift, HOME)}
    licences["swift-runtime"] = "Apache-2.0 with Swift-exception"
    return [
        {
            "name": name,
            "version": version,
            "location": location,
            "licence": SPDX_IDS.get(licences.get(name), licences.get(name)),
            "purl": f"pkg:swift/{location.removeprefix('https://').removesuffix('.git')}@{version}",
        }
        for name, (version, location) in sorted(packages.items())
    ]


def spdx(version, parts, date, identity):
    root = "SPDXRef-tminus"

    def package(reference, name, version, location, licence, purl=None):
        entry = {
            "SPDXID": reference,
            "name": name,
            "versionInfo": version,
            "downloadLocation": location,
            "filesAnalyzed": False,
            "licenseConcluded": licence or "NOASSERTION",
            "licenseDeclared": licence or "NOASSERTION",
            "copyrightText": "NOASSERTION",
        }
        if purl:
            entry["externalRefs"] = [
                {"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl", "referenceLocator": purl}
            ]
        return entry

    references = [f"SPDXRef-{re.sub('[^A-Za-z0-9.-]', '-', part['name'])}" for part in parts]
    return {
        "spdxVersion": "SPDX-2.3",
        "dataLicense": "CC0-1.0",
        "SPDXID": "SPDXRef-DOCUMENT",
        "name": f"tminus-{version}",
        "documentNamespace": f"urn:uuid:{identity}",
        "creationInfo": {"created": date, "creators": ["Tool: write_sbom.py"]},
        "packages": [
            package(root, "tminus", version, "NOASSERTION", "MIT"),
            *(
                package(reference, part["name"], part["version"], part["location"], part["licence"], part["purl"])
                for reference, part in zip(references, parts, strict=True)
            ),
        ],
        "relationships": [
            relation("SPDXRef-DOCUMENT", "DESCRIBES", root),
            *(relation(root, "STATIC_LINK", reference) for reference in references),
        ],
    }


def relation(subject, verb, other):
    return {"spdxElementId": subject, "relationshipType": verb, "relatedSpdxElement": other}


def cyclonedx(version, parts, date, identity):
    def licences(licence):
        return [{"expression": licence}] if " " in licence else [{"license": {"id": licence}}]

    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "serialNumber": f"urn:uuid:{identity}",
        "version": 1,
        "metadata": {
            "timestamp": date,
            "component": {
                "type": "application",
                "bom-ref": "tminus",
                "name": "tminus",
                "version": version,
                "licenses": licences("MIT"),
            },
        },
        "components": [
            {
                "type": "library",
                "bom-ref": part["purl"],
                "name": part["name"],
                "version": part["version"],
                "purl": part["purl"],
                **({"licenses": licences(part["licence"])} if part["licence"] else {}),
            }
            for part in parts
        ],
        "dependencies": [{"ref": "tminus", "dependsOn": [part["purl"] for part in parts]}],
    }


if __name__ == "__main__":
    main()
