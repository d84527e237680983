"""How the tests read the page."""

from datetime import datetime

# Resolves to when a text has changed three times, by the clock of the machine that the browser sees, and to what.
CHANGES = """(node, wanted = 3) => new Promise((resolve, reject) => {
  const seen = [];
  const watch = new MutationObserver(() => {
    seen.push([Date.now(), node.textContent]);
    if (seen.length < wanted) return;
    watch.disconnect();
    resolve(seen);
  });
  watch.observe(node, { childList: true, characterData: true, subtree: true });
  setTimeout(() => reject(new Error(`only ${seen.length} changes in 20 s`)), 20_000);
})"""


def seconds(digits):
    """The seconds of `3d 04:05:06`, `1:05:06` or `5:06`."""
    days, _, rest = digits.rpartition("d ")
    total = 0
    for part in rest.split(":"):
        total = total * 60 + int(part)
    return total + int(days or 0) * 86_400


def instant(text):
    """An instant of the daemon's JSON, in seconds."""
    return datetime.fromisoformat(text).timestamp()


def row(page, name):
    """The row of an item in the list."""
    return page.locator(".item").filter(has=page.locator(".name a", has_text=name))


def clock(page, name):
    """The time in the row of an item."""
    return row(page, name).locator(".time span")


def drift(changes, due):
    """How far, in seconds, each change of digits is from where it belongs: a whole second before the end."""
    return [abs(due - stamp / 1_000 - seconds(text)) for stamp, text in changes]


def spoken(page):
    """Begins to note what the page speaks; `page.evaluate("window.spoken")` has it."""
    page.evaluate("""() => {
      window.spoken = [];
      const node = document.getElementById("voice");
      new MutationObserver(() => window.spoken.push(node.textContent)).observe(node, { childList: true, characterData: true, subtree: true });
    }""")
