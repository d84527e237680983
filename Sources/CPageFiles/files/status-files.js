// The files of the directory, with the problems of each.

import { el, user } from "./dom.js";
import { part } from "./api.js";
import { count } from "./delivery-words.js";
import { mark } from "./delivery-row.js";
import { when } from "./when.js";

/** The states of a file: words, and the mood they are drawn in. */
const states = {
  ok: ["in force", "good"],
  pending: ["read soon", "busy"],
  partial: ["partly in force", "bad"],
  duplicate: ["other files own its definitions", "bad"],
  stale: ["its last good content is in force", "bad"],
  failed: ["none of it is in force", "bad"],
  unreadable: ["cannot be read", "bad"],
  ignored: ["ignored", "calm"],
};

/** Whether not all content of the file is in force. */
export const isBroken = (file) => states[file.state]?.[1] === "bad";

/** The address of the view that edits a file, at a place of it. */
export function fileAddress(path, place) {
  return `?file=${part(path)}${place ? `&line=${place.line}` : ""}`;
}

/** The files that are not in order first, and the others behind a disclosure if they are many. `title` is its heading. */
export function fileSection(files, app, title = "Files") {
  // A reader is told nothing of files.
  if (!app.may("control")) return el("div", { hidden: true });
  const odd = files.filter((file) => file.state !== "ok");
  const good = files.filter((file) => file.state === "ok");
  const rows = good.map((file) => row(file, app));
  return el("section.panel", title ? el("h2", title) : null,
    files.length === 0 ? el("p", "The directory has no definition files.") : null,
    el("ul.files", odd.map((file) => row(file, app)), good.length > 8 ? null : rows),
    title && app.may("edit") ? el("p", el("a", { href: "?file=" }, "Begin a new file")) : null,
    good.length > 8 ? el("details", el("summary", `${good.length} files in force`), el("ul.files", rows)) : null);
}

function row(file, app) {
  const [words, mood] = states[file.state] ?? [file.state, "calm"];
  const name = user("bdi", file.path);
  const canEdit = app.may("edit") && file.state !== "ignored";
  const problems = file.diagnostics ?? [];
  const isTold = problems.some((problem) => problem.message === file.message);
  return el("li", mark(mood),
    el("div", el("p", canEdit ? el("a", { href: fileAddress(file.path) }, name) : el("b", name), " ",
      el("span.faint", words, file.since ? [" since ", when(file.since)] : null,
        file.state === "ignored" ? null : `, ${count(file.definitions, "definition")}`)),
      file.message && !isTold ? user("p", file.message) : null,
      problems.length > 0 ? el("ul.problems", problems.map((problem) => line(file, problem, canEdit))) : null,
      file.errors > problems.length
        ? el("p.faint", `and ${file.errors - problems.length} more; “tminus check” lists them`) : null));
}

function line(file, problem, canEdit) {
  const place = [problem.line, problem.column].filter(Boolean).join(":");
  const target = `${fileAddress(file.path, problem)}${problem.column ? `&column=${problem.column}` : ""}`;
  return el(`li.${problem.severity}`,
    place ? [canEdit ? el("a.digits", { href: target }, place) : el("span.digits", place), " "] : null,
    problem.severity === "warning" ? "warning: " : null, user("bdi", problem.message));
}
