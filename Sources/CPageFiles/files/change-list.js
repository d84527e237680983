// What an edit changes: definitions that come, go or change, and their coming firings.

import { el, user } from "./dom.js";
import { action, count } from "./delivery-words.js";
import { when } from "./when.js";

/** The most firings that are listed of one definition. */
const shownFirings = 6;

/** What each aspect of a definition is called. */
const aspects = { schedule: "when it is due", actions: "what it does", text: "its texts" };

/** The list of a diff, as the daemon answers to a check. */
export function changeList(diff) {
  const { added, removed, changed, unchanged, sinks } = diff;
  if (!diff.different) return el("p.faint", `Nothing. ${count(unchanged, "definition")} as before.`);
  return el("div",
    el("ul.changes",
      added.map((one) => single("+", "new", one)),
      removed.map((one) => single("−", "removed", one)),
      changed.map((one) => change(one)),
      sinks.added.map((id) => line("+", ["sink ", user("b", id), " is new"])),
      sinks.removed.map((id) => line("−", ["sink ", user("b", id), " is removed"])),
      sinks.changed.map((id) => line("~", ["sink ", user("b", id), " is changed"]))),
    el("p.faint", totals(diff), unchanged > 0 ? `; ${count(unchanged, "other definition")} as before.` : "."));
}

/** The sum: "coming firings: 2 added, 1 moved, none removed". */
function totals({ added, removed, changed }) {
  const sum = { added: 0, moved: 0, removed: 0 };
  for (const { firings } of added) sum.added += firings.length;
  for (const { firings } of removed) sum.removed += firings.length;
  for (const { firings } of changed) for (const firing of firings) sum[firing.change] += 1;
  return `Coming firings: ${Object.entries(sum).map(([name, number]) => `${number || "none"} ${name}`).join(", ")}`;
}

function line(sign, ...content) {
  return el("li", el("span.sign", { "aria-hidden": "true" }, sign), el("div", content));
}

function header({ id, name, kind, enabled }, words) {
  return el("p", user("b", name), " ", el("span.faint", `${kind} `, name === id ? null : user("code", id), ` ${words}`,
    enabled ? null : ", disabled"));
}

function single(sign, words, one) {
  const more = one.resumed ? ", goes on where it was" : "";
  return line(sign, header(one, `${words}${more}`), firings(one.firings.map((firing) => ({ ...firing, change: null }))));
}

function change(one) {
  const what = one.aspects.map((aspect) => aspects[aspect] ?? aspect).join(", ");
  return line("~", header(one, what ? `changes ${what}` : "is changed"), firings(one.firings));
}

function firings(all) {
  if (all.length === 0) return null;
  const signs = { added: "+", removed: "−", moved: "→" };
  return el("ul.firings", all.slice(0, shownFirings).map((firing) => el("li",
    firing.change ? el("span.sign", { "aria-hidden": "true" }, signs[firing.change]) : null,
    el("span", action(firing.action), ": ",
      firing.change === "moved" ? [when(firing.from), " → "] : null, when(firing.due),
      firing.change ? el("span.faint", ` ${firing.change}`) : null))),
    all.length > shownFirings ? el("li.faint", `and ${all.length - shownFirings} more`) : null);
}
