"""What axe finds on a page."""

import pathlib

import axe_playwright_python

AXE = (pathlib.Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text()
# By the rules of WCAG 2.2 AA, and the usual advice.
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
# The rules that look at colours.
COLOURS = {"type": "rule", "values": ["color-contrast", "link-in-text-block"]}


def examine(page, rules=TAGS):
    """What axe has to say of a page."""
    if page.evaluate("window.axe === undefined"):
        page.evaluate(AXE)
    # Nobody reads the selectors of what is in order, which take half of the time.
    found = page.evaluate("(rules) => axe.run({ runOnly: rules, resultTypes: ['violations'] })", rules)["violations"]
    return [f"{rule['id']}: {rule['help']}: {node['html'][:160]}" for rule in found for node in rule["nodes"]]


def examine_both(page):
    """Fails if axe finds anything in either theme, which differ in their colours alone."""
    for scheme, rules in (("dark", TAGS), ("light", COLOURS)):
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        assert examine(page, rules) == []
