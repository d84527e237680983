// What needs a person. Each line goes away when it has been dealt with.

import { el, user } from "./dom.js";
import { part } from "./api.js";
import { mark } from "./delivery-row.js";
import { count } from "./delivery-words.js";
import { fileAddress, isBroken } from "./status-files.js";
import { when } from "./when.js";

/** The first part of the status: all is well, or what is not, each with the way to it. */
export function attention(status, app) {
  const lines = status.attention ?? [];
  if (lines.length === 0) return el("p.notice.well", mark("good"), el("b", "All is well."), " Nothing needs a person.");
  // A reader is told what kinds of problem there are, and no more.
  if (!app.may("control")) return list(lines.map(({ message }) => user("li", message)));
  const broken = (status.files ?? []).filter(isBroken);
  const others = lines.filter(({ reason }) => !["dead-letters", "missing-sink", "file"].includes(reason));
  const ofFiles = lines.filter(({ reason }) => reason === "file").map((line, at) => ({ ...line, file: broken[at] }));
  return list(
    others.map(({ message }) => user("li", message)), ofFiles.map((line) => ofFile(line, app)), sinks(status, app));
}

function list(...lines) {
  return el("section.notice.bad", { "aria-labelledby": "attention" },
    el("h2#attention", mark("bad"), "What needs a person"), el("ul.lines", lines));
}

function ofFile({ message, file }, app) {
  return el("li", user("bdi", message),
    file && app.may("edit")
      ? [" ", el("a", { href: fileAddress(file.path, file.place) }, "Edit ", user("bdi", file.path))] : null);
}

function sinks({ deliveries }, app) {
  return (deliveries?.sinks ?? []).flatMap((sink) => [dead(sink, app), missing(sink, app)]);
}

function dead(sink, app) {
  if (sink.dead === 0) return null;
  return el("li", user("bdi", sink.title), ": ", deadWords(sink),
    app.may("control")
      ? [" ", el("a", { href: `?deliveries&state=dead&sink=${part(sink.sink)}` }, "Retry or discard")] : null);
}

/** "3 dead, oldest 10:42:07" */
export function deadWords(counts) {
  const oldest = counts["oldest-dead"];
  return [`${counts.dead} dead`, oldest ? [", oldest ", when(oldest)] : null];
}

function missing(sink, app) {
  const waiting = sink.waiting + sink.retrying;
  if (!sink["waits-for-sink"] || waiting === 0) return null;
  return el("li", user("bdi", sink.title),
    `: ${count(waiting, "delivery waits", "deliveries wait")} for this sink, which no file declares any more`,
    app.may("control") ? [" ", el("a", { href: `?deliveries&sink=${part(sink.sink)}` }, "See them")] : null);
}
