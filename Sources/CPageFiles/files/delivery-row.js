// One delivery in the list: what it was, how it stands, and when it is opened its attempts with their output.

import { el, sheet, svg, user } from "./dom.js";
import { part } from "./api.js";
import { action, canDiscard, canRetry, count, standing } from "./delivery-words.js";
import { between, fullWhen, when } from "./when.js";

await sheet(new URL("records.css", import.meta.url));

/** The drawing of each mood, beside the words of the state. */
const marks = {
  good: "M5 10.5l3.2 3.2L15 7",
  busy: "M15 10a5 5 0 1 1-1.6-3.7M15 4v3h-3",
  bad: "M10 5v6M10 14.2v.3",
  calm: "M6 10h8",
};

/** A mark of a mood: good, busy, bad or calm. It stands beside words, so it is not read out. */
export const mark = (mood) => svg("svg", { class: `mark ${mood}`, viewBox: "0 0 20 20", "aria-hidden": "true" },
  svg("circle", { cx: 10, cy: 10, r: 9 }), svg("path", { d: marks[mood] }));

/**
 * Builds the row of a delivery. `act(verb, delivery)` is called to retry or discard it. Times are those of the viewer, and
 * in the facts also those of `zone`, the zone of its definition, if it is known.
 */
export function deliveryRow(delivery, act, zone) {
  const { words, mood } = standing(delivery);
  const tries = delivery.attempts > 1 ? `, ${delivery.attempts} attempts` : "";
  return el("li.delivery", { "data-id": delivery.id },
    el("details",
      el("summary",
        mark(mood),
        el("span.subject",
          user("b", delivery.definition), " ",
          el("span.how", action(delivery.action), " to ", user("bdi", delivery["sink-title"]))),
        el("span.end", el(`span.state.${mood}`, words, tries), when(delivery.due)),
        delivery.message ? user("span.why", delivery.message) : null),
      el("div.more", facts(delivery, zone), attempts(delivery), buttons(delivery, act))));
}

function facts(delivery, zone) {
  const isWaiting = delivery.state === "pending" && !delivery["waits-for-sink"];
  const rows = [
    ["delivery", el("code", delivery.id)],
    ["definition", [el("a", { href: `?id=${part(delivery.definition)}` }, user("bdi", delivery.definition)), " · ",
      el("a", { href: `?deliveries&definition=${part(delivery.definition)}` }, "its deliveries")]],
    ["sink", [user("bdi", delivery["sink-title"]), " · ",
      el("a", { href: `?deliveries&sink=${part(delivery.sink)}` }, "its deliveries")]],
    ["occurrence", fullWhen(delivery.occurrence, zone)],
    ["due", fullWhen(delivery.due, zone)],
    ["next attempt", isWaiting && delivery["next-attempt"] ? fullWhen(delivery["next-attempt"], zone) : null],
    ["ended", delivery.settled ? fullWhen(delivery.settled, zone) : null],
  ];
  return el("dl.facts", rows.filter(([, value]) => value).map(([name, value]) => [el("dt", name), el("dd", value)]));
}

function attempts(delivery) {
  if (delivery.log.length === 0) return el("p.faint", "No attempt has ended yet.");
  const hidden = delivery.log[0].number - 1;
  return el("div",
    hidden > 0 ? el("p.faint", `${count(hidden, "earlier attempt")} not kept.`) : null,
    el("ol.attempts", delivery.log.map((attempt, at) =>
      el("li", line(attempt), answer(attempt, at === delivery.log.length - 1)))));
}

/** What the sink answered: of the last attempt at once, of those before it on demand. */
function answer(attempt, isLast) {
  const all = texts(attempt);
  if (isLast || all.length === 0) return all;
  return el("details", el("summary", "What it answered"), all);
}

function line(attempt) {
  const statuses = [
    attempt["exit-status"] === undefined ? null : `exit status ${attempt["exit-status"]}`,
    attempt["http-status"] === undefined ? null : `HTTP status ${attempt["http-status"]}`,
  ];
  // Often the reason already states the status.
  const news = statuses.filter((status) => status && !attempt.message?.startsWith(status));
  return el("p",
    el("b", `Attempt ${attempt.number}`), " · ", when(attempt.started), " · ",
    between(attempt.started, attempt.ended), attempt.machine ? [" · on ", user("bdi", attempt.machine)] : null, " · ", el("b", [attempt.outcome, ...news].join(", ")),
    attempt.message ? [", because ", user("bdi", attempt.message)] : null);
}

function texts(attempt) {
  const all = [
    ["output", attempt.output, attempt["output-cut"]],
    ["errors", attempt.errors, attempt["errors-cut"]],
    ["answer", attempt.body, attempt["body-cut"]],
  ];
  return all.filter(([, value]) => value).map(([name, value, cut]) => el("figure",
    el("figcaption", name, cut ? ` (its ${cut} is cut off)` : null),
    el("pre", { dir: "auto", tabindex: 0, role: "region", "aria-label": `${name} of attempt ${attempt.number}` },
      lines(value))));
}

/** The lines of an output, with control characters as their code points. */
function lines(value) {
  return value.replace(/\n$/, "").split("\n").flatMap((words, at) => [at > 0 ? "\n" : "", user("bdi", words)]);
}

function buttons(delivery, act) {
  const button = (verb, words) =>
    el("button", { type: "button", "data-act": verb, onclick: () => act(verb, delivery) }, words);
  const all = [
    canRetry(delivery) ? button("retry", "Retry") : null, canDiscard(delivery) ? button("discard", "Discard") : null,
  ];
  return all.some(Boolean) ? el("p.row", all) : null;
}
