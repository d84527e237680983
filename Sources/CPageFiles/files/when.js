// Instants of the daemon's JSON as elements, and the lengths between them.

import { el } from "./dom.js";
import { dateTime, due, instant, ownZone, timeOfDay, words } from "./time.js";

/** An instant: the time alone if it is of today, else with its date; the title has both, with the zone. */
export function when(text, zone = ownZone) {
  const time = instant(text);
  const isToday = new Date(time).toDateString() === new Date().toDateString();
  return el("time", { datetime: text, title: due(time, zone) }, isToday ? timeOfDay(time, zone) : dateTime(time, zone));
}

/** An instant with its date and its zone, and with the time in the viewer's zone if that is another. */
export function fullWhen(text, zone = ownZone) {
  return el("time", { datetime: text }, due(instant(text), zone));
}

/** The time between two instants: "0.25 s", "12 s", "3 min". */
export function between(start, end) {
  const length = instant(end) - instant(start);
  if (length >= 60_000) return words(length);
  return `${new Intl.NumberFormat(undefined, { maximumSignificantDigits: 3 }).format(Math.max(0, length) / 1_000)} s`;
}

/** How long ago an instant was: "3 hours ago". */
export const ago = (text) => words(instant(text) - Date.now());
