// Two texts of one file beside each other, line by line: that of the file now, and that of the user.

import { el } from "./dom.js";
import { count } from "./delivery-words.js";
import { changes, difference } from "./difference.js";

const columns = ["Line of the file", "Line of your text", "Sign", "Text"];

/** The comparison. Lines with − are only in the file, those with + only in the user's text. */
export function comparison(theirs, mine) {
  const rows = difference(theirs, mine);
  const [only, own] = ["-", "+"].map((sign) => rows.filter((row) => row.sign === sign).length);
  return el("div",
    el("p.faint", `${count(only, "line")} only in the file (−), ${count(own, "line")} only in your text (+).`),
    el("div.compare", { tabindex: 0, role: "region", "aria-label": "Differences" }, el("table",
      el("thead.unseen", el("tr", columns.map((words) => el("th", { scope: "col" }, words)))),
      el("tbody", changes(rows).map(row)))));
}

function row({ sign, text, left, right, skipped }) {
  if (skipped) return el("tr.skipped", el("td", { colspan: 4 }, `${count(skipped, "equal line")}`));
  const kind = { "-": "tr.theirs", "+": "tr.mine" }[sign] ?? "tr";
  return el(kind, el("td.digits", left), el("td.digits", right), el("td", sign === "-" ? "−" : sign),
    el("td", { dir: "auto" }, text));
}
