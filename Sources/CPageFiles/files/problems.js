// Problems that the daemon found in a text: a list, each a link to its place.

import { el, user } from "./dom.js";
import { part } from "./api.js";

/** The address of a place of a file in the editor. */
export function placeAddress({ file, line, column }) {
  return `?file=${part(file)}${line ? `&line=${line}` : ""}${column ? `&column=${column}` : ""}`;
}

/**
 * The list, errors first. `here` is the file that is open; its name is left out. `open(diagnostic)` may take a place
 * itself: it returns true if it did.
 */
export function problemList(diagnostics, here = null, open = () => false) {
  const order = ["error", "warning", "note"];
  const sorted = diagnostics.toSorted((one, other) => order.indexOf(one.severity) - order.indexOf(other.severity));
  return el("ul.problems", sorted.map((one) => el(`li.${one.severity}`, words(one, here, open),
    one.notes ? el("ul", one.notes.map((note) => el("li", words(note, here, open)))) : null)));
}

function words(diagnostic, here, open) {
  const { file, line, column, severity, message } = diagnostic;
  const kind = severity === "error" || severity === "note" ? null : `${severity}: `;
  if (!file) return [kind, user("bdi", message)];
  return el("a", {
    href: placeAddress(diagnostic),
    onclick: (event) => { if (open(diagnostic)) event.preventDefault(); },
  },
  el("span.place", file === here ? null : [user("bdi", file), line ? ":" : null], [line, column].filter(Boolean).join(":")),
  " ", kind, user("bdi", message));
}
