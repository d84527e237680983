"""The table of functions has a test for each, and each action of the live view."""

import json
import pathlib
import re

HERE = pathlib.Path(__file__).parent


def test_every_function_of_the_commands_has_a_test():
    lines = (HERE / "features.md").read_text().splitlines()
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if line.startswith("| ")][2:]
    defined = set(re.findall(r"^def (test_\w+)", "".join(path.read_text() for path in HERE.glob("test_*.py")), re.M))
    assert {test for *_, test in rows} <= defined
    table = json.loads((HERE.parent / "TminusTerminalTests/Golden/page-table.json").read_text(encoding="utf-8"))
    assert {action for action, *_ in table["keys"]} <= {function for _, function, *_ in rows}
