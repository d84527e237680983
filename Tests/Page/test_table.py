"""The page tells items as the terminal does: by the table that the Swift tests write."""

import colorsys
import json
import pathlib

import pytest

TABLE = json.loads(
    (pathlib.Path(__file__).parents[1] / "TminusTerminalTests/Golden/page-table.json").read_text(encoding="utf-8")
)

# What the page makes of the table, for the same comparison in Python.
TELL = """async ([table, base]) => {
  const items = await import(base + "items.js");
  const time = await import(base + "time.js");
  const { questionOf } = await import(base + "controls.js");
  const six = (share) => share.toFixed(6);
  const verbs = ["stop", "reset", "skip", "unmute", "start", "mute"];
  return {
    items: table.items.flatMap(({ item: json, moments }) => moments.map(({ now }) => {
      const item = items.at(items.item(json), time.instant(now));
      const shown = items.shownTime(item);
      const parts = items.shownParts(item);
      const share = items.fraction(item);
      const questions = verbs.map((verb) => [verb, questionOf(verb, item)]).filter(([, words]) => words !== null);
      return {
        answer: items.answerLine(item), lap: items.answerLine(item, "lap"), counting: items.isCounting(item),
        elapsed: item.elapsed, failing: items.isFailing(item), fraction: share === null ? null : six(share),
        group: items.groupOf(item), ink: items.inkOf(item), last: items.lastWords(item),
        questions: Object.fromEntries(questions), remaining: item.remaining,
        reminder: items.comingReminder(item) !== null, shares: shown === null ? null : items.shares(shown).map(six),
        state: items.stateWords(item), time: parts ? time.faceDigits(parts) : "--:--:--",
        undelivered: items.undeliveredWords(item), words: items.remainingWords(item),
      };
    })),
    lengths: table.lengths.map(({ milliseconds: length }) => ({
      milliseconds: length, words: time.words(length), left: time.digits(time.left(length)),
      passed: time.digits(time.passed(Math.max(0, length))), lap: time.lapDigits(length),
    })),
    actions: table.actions.map(([stored]) => [stored, time.actionWords(stored)]),
  };
}"""


@pytest.fixture
def base(shared, visitor):
    """A page, and the address of its modules."""
    page = visitor.open(shared)
    return page, page.locator("script[type=module]").evaluate("(script) => script.src.replace('main.js', '')")


def numbers(shares):
    """Shares as numbers; nothing is no number."""
    return [float(share) for share in ([shares] if isinstance(shares, str) else shares or [])]


def test_items_lengths_and_actions_are_told_as_in_the_terminal(base):
    page, modules = base
    page_says = page.evaluate(TELL, [TABLE, modules])
    rows = [(row["item"], moment) for row in TABLE["items"] for moment in row["moments"]]
    for (row, moment), item in zip(rows, page_says["items"], strict=True):
        expected = moment["expected"]
        # A question of the page begins like a sentence, and shows hidden characters by their numbers.
        assert set(item["questions"]) == set(expected["questions"]), row
        for verb, words in expected["questions"].items():
            plain = item["questions"][verb]
            assert plain[0].lower() + plain[1:] == words or "\\u{" in plain, (words, plain)
        # Two programs may round a share differently in the last digit.
        for shares in ("fraction", "shares"):
            assert numbers(item[shares]) == pytest.approx(numbers(expected[shares]), abs=2e-6), (row, moment["now"])
        left_out = {"questions", "fraction", "shares"}
        told = {key: value for key, value in item.items() if key not in left_out}
        assert told == {key: value for key, value in expected.items() if key not in left_out}, (row, moment["now"])
    assert page_says["lengths"] == TABLE["lengths"]
    assert page_says["actions"] == TABLE["actions"]


def test_every_key_of_the_live_view_is_a_key_of_the_page(base):
    page, modules = base
    keys = page.evaluate("async (base) => (await import(base + 'controls.js')).KEYS", modules)
    own = {row["action"]: row for row in keys}
    for action, label, does in TABLE["keys"]:
        assert action in own, action
        row = own[action]
        # Tab leaves the list, so that nobody who uses the keyboard is caught in it.
        assert (row["label"] or "") == label, action
        assert row.get("does", "") == does.replace("as tab and the arrows do", "as the arrows do"), action


def parts(shade):
    """The red, green and blue of `#rrggbb`, from 0 to 1."""
    return [int(shade[at : at + 2], 16) / 255 for at in (1, 3, 5)]


def luminance(shade):
    """The relative luminance of WCAG 2.2."""
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts(shade)]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one, other):
    """The contrast of two shades by WCAG 2.2."""
    low, high = sorted([luminance(one), luminance(other)])
    return (high + 0.05) / (low + 0.05)


def turn(one, other):
    """The degrees between the hues of two shades."""
    hues = [colorsys.rgb_to_hls(*parts(shade))[0] * 360 for shade in (one, other)]
    return min(abs(hues[0] - hues[1]), 360 - abs(hues[0] - hues[1]))


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
def test_the_named_colours_have_the_hues_of_the_terminal_and_can_be_read(shared, visitor, theme):
    page = visitor.open(shared, color_scheme=["light", "dark"][theme])
    color = """(name) => {
      const node = document.createElement("i");
      node.style.setProperty("color", `var(--${name})`);
      document.body.append(node);
      const parts = getComputedStyle(node).color.match(/\\d+/g).map(Number);
      node.remove();
      return "#" + parts.map((part) => part.toString(16).padStart(2, "0")).join("");
    }"""
    grounds = [page.evaluate(color, name) for name in ("ground", "raised", "sunken", "wash")]
    for name, *shades in TABLE["inks"]:
        own = page.evaluate(color, f"ink-{name}")
        assert min(contrast(own, ground) for ground in grounds) >= 4.5, (name, own)
        if name not in ("black", "white", "gray"):
            assert turn(own, shades[theme]) <= 25, (name, own)
