// A text with line numbers, and with marks under what is wrong in it. The text is that of a textarea; a drawn copy of the
// same lines behind it has the numbers and the marks, and makes the textarea as high as its lines.

import { el, sheet } from "./dom.js";

await sheet(new URL("forms.css", import.meta.url));

/** The editor. `changed` is called after each change by the user. */
export class TextEditor {
  /** The element with all of it. */
  element;

  #area;
  #copy = el("div.copy", { "aria-hidden": "true" });
  #drawn = [];
  #marks = new Map();

  constructor(label, describedBy, changed) {
    this.#area = el("textarea.code", {
      "aria-label": label, "aria-describedby": describedBy, spellcheck: "false", autocapitalize: "off", autocomplete: "off",
      autocorrect: "off", wrap: "soft", rows: 1,
      oninput: () => { this.#draw(); changed(); },
      onkeydown: (event) => this.#key(event),
    });
    this.element = el("div.editor", this.#copy, this.#area);
  }

  get value() {
    return this.#area.value;
  }

  set value(text) {
    this.#area.value = text;
    this.#draw();
  }

  set isReadOnly(value) {
    this.#area.readOnly = value;
  }

  focus() {
    this.#area.focus({ preventScroll: true });
  }

  /** Marks the places of these diagnostics, and no others. */
  mark(diagnostics) {
    this.#marks = new Map();
    for (const one of diagnostics.filter(({ line }) => line !== undefined)) {
      this.#marks.set(one.line, [...(this.#marks.get(one.line) ?? []), one]);
    }
    const hasErrors = diagnostics.some(({ severity }) => severity === "error");
    if (hasErrors) this.#area.setAttribute("aria-invalid", "true");
    else this.#area.removeAttribute("aria-invalid");
    this.#draw();
  }

  /** Selects a place, from 1, and brings it into sight. Columns count code points. */
  select(line, column = 1, length = 0) {
    const lines = this.value.split("\n");
    const at = Math.min(Math.max(1, line), lines.length) - 1;
    const start = lines.slice(0, at).reduce((sum, text) => sum + text.length + 1, 0);
    const [from, to] = [units(lines[at], column - 1), units(lines[at], column - 1 + length)];
    this.focus();
    this.#area.setSelectionRange(start + from, start + to);
    this.#copy.children[at]?.scrollIntoView({ block: "center" });
  }

  /** Draws the lines that differ from those that are drawn. */
  #draw() {
    const lines = this.value.split("\n").map((text, at) => ({ text, marks: this.#marks.get(at + 1) ?? [] }));
    const isSame = (one, other) => one.text === other.text && one.marks === other.marks
      || one.text === other.text && one.marks.length === 0 && other.marks.length === 0;
    const [former, nodes] = [this.#drawn, this.#copy.children];
    const most = Math.min(former.length, lines.length);
    let head = 0;
    while (head < most && isSame(former[head], lines[head])) head += 1;
    let tail = 0;
    while (tail < most - head && isSame(former.at(-1 - tail), lines.at(-1 - tail))) tail += 1;
    const end = nodes[former.length - tail] ?? null;
    for (let count = former.length - tail - head; count > 0; count -= 1) nodes[head].remove();
    for (const line of lines.slice(head, lines.length - tail)) this.#copy.insertBefore(drawn(line), end);
    this.#drawn = lines;
    this.element.style.setProperty("--digits", Math.max(2, String(lines.length).length));
  }

  /** Enter keeps the indentation. Tab is left alone: it leaves the text, as everywhere. */
  #key(event) {
    const { key, isComposing, shiftKey, ctrlKey, metaKey, altKey } = event;
    if (key !== "Enter" || isComposing || shiftKey || ctrlKey || metaKey || altKey) return;
    const before = this.value.slice(0, this.#area.selectionStart);
    const indent = /(?:^|\n)([ ]*)[^\n]*$/.exec(before)[1];
    if (indent === "") return;
    event.preventDefault();
    // The only way to insert a text that undo takes back.
    document.execCommand("insertText", false, `\n${indent}`);
  }
}

/** How many UTF-16 units the first code points of a line have. */
function units(line, count) {
  return [...line].slice(0, Math.max(0, count)).join("").length;
}

function drawn({ text, marks }) {
  const severity = marks.some((mark) => mark.severity === "error") ? "error" : marks.length > 0 ? "warning" : "";
  const line = el(severity ? `div.${severity}` : "div");
  const points = [...text];
  let at = 0;
  for (const { column, length, severity: kind } of marks.toSorted((one, other) => (one.column ?? 1) - (other.column ?? 1))) {
    const from = (column ?? 1) - 1;
    const to = column === undefined ? points.length : from + Math.max(1, length ?? 1);
    if (from < at) continue;
    line.append(points.slice(at, from).join(""), el(`mark.${kind}`, points.slice(from, to).join("") || " "));
    at = Math.max(from + 1, Math.min(to, points.length));
  }
  // An empty line is as high as any other.
  line.append(points.slice(at).join("") || (at === 0 ? "\u200b" : ""));
  return line;
}
