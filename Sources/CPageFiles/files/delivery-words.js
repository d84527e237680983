// Words for what the daemon stores in short: actions, spans of time, states of deliveries. They are those of the terminal.

/** A count and its noun: "1 file", "3 files". */
export const count = (number, one, many = `${one}s`) => `${number} ${number === 1 ? one : many}`;

/** A span of ISO 8601 in words: "P1DT2H" is "1 day 2 hours". Any other text stays as it is. */
export function span(text) {
  const found = /^P(?:(\d+)Y)?(?:(\d+)M)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:([\d.]+)S)?)?$/.exec(text);
  if (!found) return text;
  const [years, months, days, hours, minutes, seconds] = found.slice(1).map((part) => Number(part ?? 0));
  const [wholeWeeks, singleDays] = days % 7 === 0 ? [days / 7, 0] : [0, days];
  const parts = [
    [years, "year"], [months, "month"], [wholeWeeks, "week"], [singleDays, "day"],
    [hours, "hour"], [minutes, "minute"], [seconds, "second"],
  ];
  return parts.filter(([number]) => number > 0).map(([number, unit]) => count(number, unit)).join(" ") || "0 seconds";
}

/** The stored name of an action in words: "before:P1D" is "1 day before". */
export function action(stored) {
  const split = stored.indexOf(":");
  if (split < 0) return stored;
  const value = stored.slice(split + 1);
  switch (stored.slice(0, split)) {
    case "before": return `${span(value)} before`;
    case "after": return `${span(value)} after`;
    case "elapsed": return `at ${span(value)}`;
    case "snoozed": return "snoozed expiry";
    case "missed": return "missed notice";
    case "failure": return "failure notice";
    case "test": return "test";
    default: return stored;
  }
}

/** The state of a delivery in words, and the mood it is drawn in: good, busy, bad or calm. */
export function standing(delivery) {
  if (delivery["waits-for-sink"]) return { words: "waiting for its sink", mood: "bad" };
  switch (delivery.state) {
    case "queued": return { words: "queued", mood: "calm" };
    case "pending":
      return delivery.attempts > 0 ? { words: "will be retried", mood: "busy" } : { words: "waiting", mood: "calm" };
    case "claimed": return { words: "running", mood: "busy" };
    case "delivered": return { words: "delivered", mood: "good" };
    case "dead": return { words: "dead", mood: "bad" };
    case "expired": return { words: "expired", mood: "bad" };
    default: return { words: delivery.state, mood: "calm" };
  }
}

/** Whether a user can have it tried again. */
export const canRetry = ({ state, attempts }) =>
  ["dead", "expired", "discarded"].includes(state) || (state === "pending" && attempts > 0);

/** Whether a user can discard it. */
export const canDiscard = (delivery) => !["delivered", "skipped", "discarded"].includes(delivery.state);
