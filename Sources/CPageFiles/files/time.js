// Lengths and instants in digits and words. All lengths and instants are milliseconds, with fractions.
//
// Lengths are told exactly as the terminal tells them (RemainingText, ClockText); a table that the tests of both read
// holds them together. Instants are told by the browser's locale.

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** An instant of RFC 3339, to the nanosecond; null for anything else. */
export function instant(text) {
  // Most have at most milliseconds, which the browser reads by itself.
  if (text?.length <= 24) return known(Date.parse(text));
  const parts = /^(.{19})(\.\d+)?(.*)$/.exec(text ?? "");
  if (!parts) return null;
  const whole = Date.parse(parts[1] + parts[3]);
  return known(whole + Number(parts[2] ?? 0) * SECOND);
}

function known(number) {
  return Number.isNaN(number) ? null : number;
}

/** A remaining time in few words that change seldom: `59 min`, `2 hours`; a past one ends in ` ago`. */
export function words(time) {
  const length = Math.abs(time);
  const text = wordsOf(length);
  return time < 0 && text !== "0 s" ? `${text} ago` : text;
}

function wordsOf(length) {
  const seconds = nearest(length, SECOND);
  if (seconds < 60) return `${seconds} s`;
  if (length <= HOUR) return `${nearest(length, MINUTE)} min`;
  if (length <= 1.5 * HOUR) return "1.5 hours";
  if (length <= 2 * DAY) return `${nearest(length, HOUR)} hours`;
  return `${nearest(length, DAY)} days`;
}

function nearest(length, unit) {
  return Math.floor((length + unit / 2) / unit);
}

/** Days, hours, minutes and seconds of a remaining time, rounded up to a second: they reach zero exactly at the end. */
export function left(time) {
  return parts(Math.ceil(time / SECOND));
}

/** The same of an elapsed time, rounded down to a second. */
export function passed(time) {
  return parts(Math.floor(time / SECOND));
}

function parts(seconds) {
  const total = Math.max(0, seconds);
  return {
    days: Math.floor(total / 86_400),
    hours: Math.floor(total / 3_600) % 24,
    minutes: Math.floor(total / 60) % 60,
    seconds: total % 60,
  };
}

/** `3d 04:05:06`, `1:05:06` or `5:06`. */
export function digits({ days, hours, minutes, seconds }) {
  if (days > 0) return `${days}d ${two(hours)}:${two(minutes)}:${two(seconds)}`;
  if (hours > 0) return `${hours}:${two(minutes)}:${two(seconds)}`;
  return `${minutes}:${two(seconds)}`;
}

/** `3d 04:05:06` or `00:05:06`, with hours always, so that nothing moves when they reach zero. */
export function faceDigits({ days, hours, minutes, seconds }) {
  const time = `${two(hours)}:${two(minutes)}:${two(seconds)}`;
  return days > 0 ? `${days}d ${time}` : time;
}

/** A lap to the millisecond: `1:05.250`. */
export function lapDigits(time) {
  return `${digits(passed(time))}.${String(Math.floor(Math.max(0, time)) % SECOND).padStart(3, "0")}`;
}

/** The same digits for somebody who hears them: `2 hours 5 minutes`. The two largest units are enough. */
export function spoken({ days, hours, minutes, seconds }) {
  const all = [[days, "day"], [hours, "hour"], [minutes, "minute"], [seconds, "second"]];
  const first = all.findIndex(([count]) => count > 0);
  if (first < 0) return "0 seconds";
  return all.slice(first, first + 2).filter(([count]) => count > 0)
    .map(([count, unit]) => `${count} ${unit}${count === 1 ? "" : "s"}`).join(" ");
}

function two(number) {
  return String(number).padStart(2, "0");
}

const formats = new Map();

/** A format of instants in a time zone; an unknown zone counts as UTC, as in the daemon. */
function format(zone, options) {
  const key = `${zone} ${Object.keys(options)}`;
  let known = formats.get(key);
  if (!known) {
    try {
      known = new Intl.DateTimeFormat(undefined, { timeZone: zone, ...options });
    } catch {
      known = new Intl.DateTimeFormat(undefined, { timeZone: "UTC", ...options });
    }
    formats.set(key, known);
  }
  return known;
}

/** The time zone of this browser. */
export const ownZone = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Whether two zones show an instant differently. */
export function differs(time, zone) {
  const options = { hour: "numeric", minute: "numeric", day: "numeric" };
  return format(zone, options).format(time) !== format(ownZone, options).format(time);
}

/** Day and time of an instant in a zone, with seconds unless they are zero. */
export function dateTime(time, zone = ownZone) {
  const options = { weekday: "short", year: "numeric", month: "short", day: "numeric", hour: "2-digit", minute: "2-digit" };
  if (Math.floor(time / SECOND) % 60 !== 0) options.second = "2-digit";
  return format(zone, options).format(time);
}

/** The time of day of an instant, for the browser's zone unless another is given. */
export function timeOfDay(time, zone = ownZone) {
  return format(zone, { hour: "2-digit", minute: "2-digit", second: "2-digit" }).format(time);
}

/** An instant for people: in the zone of its definition, and in that of the browser if it is another time there. */
export function due(time, zone) {
  const there = `${dateTime(time, zone)} ${zone}`;
  return differs(time, zone) ? `${there} (yours ${dateTime(time)})` : there;
}

/** A span of ISO 8601 in words: `P1DT2H` is `1 day 2 hours`, `P7D` is `1 week`. */
export function spanWords(text) {
  const found = /^P(?:(\d+)Y)?(?:(\d+)M)?(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:([\d.]+)S)?)?$/.exec(text);
  if (!found) return text;
  const [years, months, weeks, days, hours, minutes, seconds] = found.slice(1).map((count) => Number(count ?? 0));
  const allMonths = years * 12 + months;
  const allDays = weeks * 7 + days;
  const time = hours * 3_600 + minutes * 60 + seconds;
  const isWeeks = allDays % 7 === 0;
  const counts = [
    [Math.floor(allMonths / 12), "year"], [allMonths % 12, "month"], [isWeeks ? allDays / 7 : allDays, isWeeks ? "week" : "day"],
    [Math.floor(time / 3_600), "hour"], [Math.floor(time / 60) % 60, "minute"], [time % 60, "second"],
  ];
  const all = counts.filter(([count]) => count !== 0).map(([count, unit]) => `${count} ${unit}${count === 1 ? "" : "s"}`);
  return all.length === 0 ? "0 seconds" : all.join(" ");
}

/** A stored action in words: `before:P1D` is `1 day before`. */
export function actionWords(stored) {
  const [kind, value] = stored.split(":", 2);
  if (value === undefined) return stored;
  switch (kind) {
    case "before":
    case "after": return `${spanWords(value)} ${kind}`;
    case "elapsed": return `at ${spanWords(value)}`;
    case "snoozed": return "snoozed expiry";
    case "missed": return "missed notice";
    case "failure": return "failure notice";
    case "test": return "test";
    default: return stored;
  }
}
