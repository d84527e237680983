// The fields of an item, as `tminus show` tells them, and the tables below.

import { withQuery } from "./api.js";
import { el, user, visible } from "./dom.js";
import { fraction, isFailing, lastWords, remainingWords, stateWords, undeliveredWords } from "./items.js";
import { actionWords, dateTime, digits, due, instant, lapDigits, left, passed, words } from "./time.js";

/** The fields of an item as it is now, the most important first: `[label, words]`. */
export function facts(item) {
  const zone = item.timezone;
  const all = [["state", stateWords(item)]];
  if (item.due !== null) all.push(["due", due(item.due, zone)]);
  if (item.remaining !== null) {
    const share = fraction(item);
    all.push(["remaining", remainingWords(item) + (share === null ? "" : `, ${Math.round(share * 100)} % left`)]);
  }
  if (item.elapsed !== null) {
    const behind = item.clockBehind === null ? "" : `, the clock was set back to ${words(item.clockBehind)} before the start`;
    all.push(["elapsed", digits(passed(item.elapsed)) + behind]);
  }
  if (item.kind === "event" && item.clockBehind !== null) {
    all.push(["clock", `was set back; nothing fires before ${dateTime(item.asOf + item.clockBehind, zone)}`]);
  }
  if (item.total !== null) all.push(["total", digits(left(item.total))]);
  if (item.reminder) {
    const away = words(item.reminder.due - item.asOf);
    const distance = away.endsWith(" ago") || away === "0 s" ? away : `in ${away}`;
    const silence = item.reminder.silence ? `, ${item.reminder.silence}` : "";
    all.push(["reminder", `${distance}, ${item.reminder.lead}${silence}: ${dateTime(item.reminder.due, zone)}`]);
  }
  if (isFailing(item)) {
    const next = item.undelivered.nextAttempt;
    all.push(["deliveries", undeliveredWords(item) + (next === null ? "" : `, next attempt ${dateTime(next, zone)}`)]);
  }
  if (item.last) {
    all.push(["last", `${lastWords(item)}, ${actionWords(item.last.action)}${item.last.message ? `: ${item.last.message}` : ""}`]);
  }
  const origin = ({ by, at, note }) => `, by ${by} at ${dateTime(at, zone)}${note ? `: ${note}` : ""}`;
  if (item.muted && item.muted.until > item.asOf) all.push(["muted", `until ${dateTime(item.muted.until, zone)}${origin(item.muted)}`]);
  if (item.skipped) all.push(["skipped", `occurrence ${dateTime(item.skipped.occurrence, zone)}${origin(item.skipped)}`]);
  if (item.snoozed) all.push(["snoozed", `until ${dateTime(item.snoozed.until, zone)}${origin(item.snoozed)}`]);
  const labels = Object.entries(item.labels).sort(([one], [other]) => (one < other ? -1 : 1));
  if (labels.length > 0) all.push(["labels", labels.map(([key, value]) => `${key}=${value}`).join(", ")]);
  if (item.color !== null) all.push(["color", item.color]);
  all.push(["time zone", zone]);
  if (item.file !== null) all.push(["file", item.line === null ? item.file : `${item.file}:${item.line}`]);
  return all;
}

/** The tables below an item, from its details: rule, reminders, laps, deliveries and controls. Empty ones are left out. */
export function sections(details, app) {
  const zone = details.timezone;
  const at = (time) => (time ? dateTime(instant(time), zone) : "");
  const all = [];
  if (details.leads?.length > 0) {
    all.push(section("Reminders", details.leads.map((lead) => [
      cell("lead", lead.lead), mark(lead.status), cell("digits", at(lead.due)), cell("why", lead.message ?? ""),
    ])));
  }
  if (details.laps?.length > 0) {
    all.push(section("Laps", details.laps.map((lap) => [
      cell("digits faint", `#${lap.number}`), cell("digits", lapDigits(lap.length.seconds * 1_000)),
      cell("digits faint", lapDigits(lap.total.seconds * 1_000)),
      lap.fastest ? el("td.good", "fastest") : lap.slowest ? el("td.bad", "slowest") : el("td"),
    ])));
  }
  if (details.deliveries?.length > 0) {
    const link = app.offers("deliveries") ? el("a", { href: withQuery("", { deliveries: "1", definition: details.id }) }, "all") : null;
    all.push(section("Last deliveries", details.deliveries.map((delivery) => [
      cell("digits", at(delivery.due)), cell("", actionWords(delivery.action)), cell("", delivery["sink-title"] ?? delivery.sink),
      el("td", mark(delivery.state, "span"), delivery.attempts > 1 ? `, ${delivery.attempts} attempts` : ""),
      cell("why", delivery.message ?? ""),
    ]), link));
  }
  if (details.controls?.length > 0) {
    all.push(section("Controls", details.controls.map((control) => [
      cell("digits", at(control.due)), cell("", control.action.replace(/^control:/, "")), cell("", `by ${control.by ?? "-"}`),
      cell("why", control.note ?? ""),
    ])));
  }
  const { schedule, actions } = details;
  if (schedule) {
    const rows = [["rule", `${schedule.key}: ${schedule.rule}`], ...schedule.bounds.map((bound) => ["", bound]),
      ["start", schedule.start], ["repeat", schedule.repeat], ["clock", schedule.clock], ["catch-up", schedule["catch-up"]],
      ["grace", schedule.grace?.text], ["jitter", schedule.jitter?.text]];
    const titles = new Map((details.sinks ?? []).map(({ sink, title }) => [sink, title ?? sink]));
    for (const key of ["on-expiry", "on-elapsed", "on-failure"]) {
      if (actions?.[key]?.length > 0) rows.push([key, actions[key].map((sink) => titles.get(sink) ?? sink).join(", ")]);
    }
    all.push(el("section.panel", el("h2", "Rule"),
      el("dl.facts", rows.filter(([, value]) => value).map(([label, value]) => [el("dt", label), user("dd", value)]))));
  }
  return all;
}

function section(title, rows, link = null) {
  return el("section.panel", el("div.row.spread", el("h2", title), link),
    el("div.scroll", { tabindex: "0", role: "region", "aria-label": title }, el("table", el("tbody", rows.map((cells) => el("tr", cells))))));
}

function cell(name, value) {
  return el("td", { class: name || null, dir: "auto" }, visible(value));
}

/** A state with its sign, which is not a colour alone. */
function mark(state, tag = "td") {
  const good = ["done", "delivered"].includes(state);
  const bad = ["failed", "missed", "dead"].includes(state);
  return el(`${tag}${good ? ".good" : bad ? ".bad" : ".faint"}`, good ? "✓ " : bad ? "! " : "", state === "claimed" ? "running" : state);
}
