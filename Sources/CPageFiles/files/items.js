// Items by the rules of the daemon and of the terminal: what an item is at an instant, and how it is told. Every function
// here is a row of a table that the Swift tests write, so both always agree.

import { digits, instant, lapDigits, left, passed, words } from "./time.js";

/** The groups of a list, in order. */
export const GROUPS = ["Upcoming", "Running", "Expired"];

/** What is said of a clock before the start of what it counts. */
const CLOCK_SET_BACK = "clock set back";

/** The classes of leads and their colours: the first that the lead reaches counts. */
const LEADS = [
  [7 * 86_400_000, "blue"],
  [86_400_000, "cyan"],
  [3_600_000, "green"],
  [1_800_000, "yellow"],
  [300_000, "orange"],
  [0, "red"],
];

const INKS = new Set(["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white", "gray", "orange", "purple",
  "pink", "brown"]);

/** An item of the daemon's JSON, with instants and lengths as numbers. */
export function item(json) {
  const reminder = json["next-reminder"];
  const failed = json.undelivered;
  const last = json["last-outcome"];
  return {
    id: json.id,
    kind: json.kind,
    name: json.name,
    description: json.description ?? null,
    labels: json.labels ?? {},
    color: json.color ?? null,
    state: json.state,
    due: instant(json.due),
    remaining: length(json.remaining),
    elapsed: length(json.elapsed),
    clockBehind: length(json["clock-behind"]),
    total: length(json.total),
    laps: json.laps?.map((lap) => ({ ...lap, length: length(lap.length), total: length(lap.total) })) ?? null,
    reminder: reminder
      ? { due: instant(reminder.due), lead: reminder.lead, length: length(reminder.length), silence: reminder.silence ?? null }
      : null,
    muted: override(json.muted),
    skipped: override(json.skipped),
    snoozed: override(json.snoozed),
    undelivered: failed
      ? { retrying: failed.retrying, dead: failed.dead, nextAttempt: instant(failed["next-attempt"]) }
      : null,
    last: last ? { ...last, due: instant(last.due) } : null,
    timezone: json.timezone ?? "UTC",
    file: json.file ?? null,
    line: json.line ?? null,
    asOf: instant(json["as-of"]),
  };
}

function length(amount) {
  return amount ? Math.round(amount.seconds * 1e9) / 1e6 : null;
}

function override(json) {
  if (!json) return null;
  return { by: json.by, note: json.note ?? null, at: instant(json.at), until: instant(json.until), occurrence: instant(json.occurrence) };
}

/** The item at another instant if nobody controls it until then. */
export function at(item, now) {
  const passed = now - item.asOf;
  const moved = { ...item, asOf: now };
  const less = item.remaining === null ? null : item.remaining - passed;
  if (item.state === "running") {
    moved.remaining = less;
    moved.elapsed = item.elapsed === null ? null : item.elapsed + passed;
    if (item.clockBehind !== null) {
      // Nothing elapses until the clock is where the counting began.
      moved.elapsed = Math.max(0, passed - item.clockBehind);
      moved.clockBehind = item.clockBehind > passed ? item.clockBehind - passed : null;
    }
  } else if (item.state === "upcoming" || item.state === "expired") {
    moved.remaining = less;
    if (item.clockBehind !== null) moved.clockBehind = item.clockBehind > passed ? item.clockBehind - passed : null;
  }
  return moved;
}

/** The group that an item is listed in. */
export function groupOf({ state }) {
  if (state === "expired") return "Expired";
  return state === "running" || state === "paused" || state === "acting" ? "Running" : "Upcoming";
}

/** The order within a group: what is due first, then by id. */
export function before(one, other) {
  const [first, second] = [one.due ?? Infinity, other.due ?? Infinity];
  if (first !== second) return first < second ? -1 : 1;
  return one.id < other.id ? -1 : one.id > other.id ? 1 : 0;
}

/** Whether the time that is shown changes from second to second. */
export function isCounting({ state, remaining }) {
  return state === "running" || (state === "upcoming" && remaining !== null && remaining > 0);
}

/** Whether it counted down to zero and no news has confirmed it: what is shown while the connection is lost. */
export function isOverdue({ kind, state, remaining }) {
  return kind !== "stopwatch" && (state === "running" || state === "upcoming") && remaining !== null && remaining <= 0;
}

/** The time on its clock: what remains, or what a stopwatch has run; null for neither. */
export function shownTime({ kind, elapsed, remaining }) {
  if (kind === "stopwatch") return elapsed;
  return remaining === null ? null : Math.max(0, remaining);
}

/** That time in days, hours, minutes and seconds; an idle timer shows its whole length. */
export function shownParts(item) {
  if (item.kind === "stopwatch") return item.elapsed === null ? null : passed(item.elapsed);
  const time = item.state === "idle" ? item.remaining ?? item.total : shownTime(item);
  return time === null ? null : left(time);
}

/** What remains in words that change seldom, or a stopwatch's time in digits; empty for neither. */
export function remainingWords({ kind, state, remaining, elapsed, total }) {
  const told = (time) => (time === null ? "" : words(time));
  if (state === "idle") return told(remaining ?? total);
  if (kind === "stopwatch") return elapsed === null ? "" : digits(passed(elapsed));
  return told(remaining);
}

/** The time in a row of a list: digits for what counts or can be started, words for the rest. */
export function rowTime(item) {
  if (item.state === "expired" || item.state === "disabled") return remainingWords(item);
  const parts = shownParts(item);
  return parts ? digits(parts) : "";
}

/** The state, and what is special about it: `upcoming, muted, failing`. */
export function stateWords(item) {
  const all = [item.state];
  if (item.clockBehind !== null) all.push(CLOCK_SET_BACK);
  if (item.muted && item.muted.until > item.asOf) all.push("muted");
  if (item.skipped) all.push("skipped");
  if (item.snoozed) all.push("snoozed");
  if (isFailing(item)) all.push(item.undelivered.dead > 0 ? "failing" : "retrying");
  return all.join(", ");
}

/** Whether it has deliveries that are retried or dead. */
export function isFailing({ undelivered }) {
  return undelivered !== null && (undelivered.dead > 0 || undelivered.retrying > 0);
}

/** Whether it has deliveries that are dead: only a person retries or discards them. */
export function hasDead({ undelivered }) {
  return undelivered !== null && undelivered.dead > 0;
}

/** Those deliveries in words: `3 dead, 1 retrying`. */
export function undeliveredWords({ undelivered }) {
  const all = [];
  if (undelivered?.dead > 0) all.push(`${undelivered.dead} dead`);
  if (undelivered?.retrying > 0) all.push(`${undelivered.retrying} retrying`);
  return all.join(", ");
}

/** How its last action ended: `delivered 2 days ago`; empty if there was none. */
export function lastWords({ last, asOf }) {
  if (!last) return "";
  const ago = words(last.due - asOf);
  return `${last.end} ${ago === "0 s" ? "now" : ago}`;
}

/** The reminder that will be sent next; null if there is none, or if it is silenced. */
export function comingReminder({ reminder }) {
  return reminder && reminder.silence === null ? reminder : null;
}

/** The colour of an item: a name, `#rrggbb`, or null for that of text. */
export function inkOf(item) {
  const own = item.color === "grey" ? "gray" : item.color;
  if (own !== null && (INKS.has(own) || /^#[0-9a-f]{6}$/i.test(own))) return own;
  const next = comingReminder(item);
  if ((item.state === "expired" && !next) || item.state === "disabled" || item.state === "idle") return "gray";
  if (item.state === "acting") return "magenta";
  if (!next) return null;
  // The alert of a stopwatch precedes no occurrence, and a reminder after its occurrence comes at the very end.
  if (item.kind === "stopwatch") return "green";
  return next.length === null ? "red" : LEADS.find(([least]) => next.length >= least)?.[1] ?? "red";
}

/** A colour as a value of CSS. */
export function inkCSS(ink) {
  return ink === null ? "var(--ink-plain)" : ink.startsWith("#") ? ink : `var(--ink-${ink})`;
}

/** The share of the total that is left, from 1 down to 0; null without a total. */
export function fraction({ remaining, total }) {
  return remaining === null || total === null || total <= 0 ? null : Math.min(1, Math.max(0, remaining / total));
}

/** What is left of the day in hours, of the hour in minutes and of the minute in seconds: three shares from 1 to 0. */
export function shares(time) {
  return [86_400_000, 3_600_000, 60_000].map((whole) => {
    const rest = Math.max(0, time) % whole;
    return rest === 0 && time > 0 ? 1 : rest / whole;
  });
}

/** What is said after a control: `tea: running, 3 min left`. */
export function answerLine(item, verb = null) {
  let all = [standing(item)];
  const lap = item.laps?.[0];
  if (verb === "lap" && lap) {
    all = [`lap ${lap.number}`, lapDigits(lap.length), `${lapDigits(lap.total)} in total`];
    if (lap.fastest) all.push("the fastest so far");
    if (lap.slowest) all.push("the slowest so far");
  }
  if (item.clockBehind !== null) all.push(CLOCK_SET_BACK);
  if (item.muted) all.push(`muted for ${words(item.muted.until - item.asOf)}`);
  if (item.skipped) all.push("the next occurrence is skipped");
  if (item.snoozed) all.push(`the expiry is sent ${words(item.snoozed.until - item.snoozed.occurrence)} later`);
  return `${item.id}: ${all.join(", ")}`;
}

function standing({ kind, state, remaining, elapsed, total }) {
  const time = remaining === null ? "" : words(remaining);
  if (kind === "stopwatch" && (state === "running" || state === "paused")) {
    return elapsed === null ? state : `${state}, ${digits(passed(elapsed))}`;
  }
  if (kind === "stopwatch" && state === "idle") return "at zero, not started";
  if (state === "idle") return total === null ? "not started" : `not started, ${words(total)}`;
  if (state === "acting") return "its actions are running";
  if (state === "expired") return time === "" ? "expired" : `expired ${time}`;
  return time === "" ? state : `${state}, ${time} left`;
}
