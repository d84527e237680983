// What a filled-in form asks of the daemon, and what is wrong with it. The daemon checks everything again.

/** The values of an empty form. All are texts, but `leads`, a list of texts. */
export const blank = {
  name: "", description: "", place: "file",
  date: "", time: "09:00", zone: "", repeat: "once", interval: "", cron: "", rrule: "", until: "", count: "",
  hours: "", minutes: "", seconds: "", cycle: "never", start: "",
  leads: [], id: "", file: "", color: "", labels: "", sinks: "", command: "",
};

/** The repetitions of an event: what they are called, and the interval that they stand for. */
export const repeats = {
  once: ["Once"], day: ["Every day", "1 day"], week: ["Every week", "1 week"], month: ["Every month", "1 month"],
  year: ["Every year", "1 year"], interval: ["At another interval"], cron: ["By a cron expression"],
  rrule: ["By a recurrence rule"],
};

/** The largest number of each field of a duration. */
export const most = { hours: 23, minutes: 59, seconds: 59 };

/** The problems of the values, by the name of the field: `{ hours: "…" }`. Empty if there are none. */
export function problems(kind, values) {
  const found = {};
  const need = (name, words) => { if (values[name].trim() === "") found[name] = words; };
  if (kind !== "event" && values.place === "daemon") {
    if (kind === "timer") duration(values, found);
    return found;
  }
  if (values.id.trim() === "") need("name", "Give it a name, or an id under More.");
  if (kind === "timer") duration(values, found);
  if (kind === "event") {
    if (values.repeat !== "cron") need("date", "Choose a date.");
    if (values.repeat !== "cron") need("time", "Choose a time.");
    if (values.repeat === "interval") need("interval", "Write an interval, such as 2 weeks.");
    if (values.repeat === "cron") need("cron", "Write five fields, such as 30 9 * * MON-FRI.");
    if (values.repeat === "rrule") need("rrule", "Write a rule, such as FREQ=MONTHLY;BYMONTHDAY=-1.");
  }
  if (!/^\s*([^\s=,][^=,]*=[^,]*)?(,\s*[^\s=,][^=,]*=[^,]*)*\s*$/.test(values.labels)) {
    found.labels = "Write labels as key=text, separated by commas: team=web, room=lobby.";
  }
  return found;
}

function duration(values, found) {
  for (const [name, limit] of Object.entries(most)) {
    if (!/^\d*$/.test(values[name].trim()) || Number(values[name]) > limit) found[name] = `From 0 to ${limit}.`;
  }
  const isZero = Object.keys(most).every((name) => Number(values[name]) === 0);
  if (isZero && !Object.keys(most).some((name) => found[name])) found.seconds = "Give it a length.";
}

/** The length of a timer as definitions write it: "1h 30m". */
export function length({ hours, minutes, seconds }) {
  const parts = [[hours, "h"], [minutes, "m"], [seconds, "s"]].filter(([number]) => Number(number) > 0);
  return parts.map(([number, unit]) => `${Number(number)}${unit}`).join(" ");
}

/** The request that adds it: `{ path, json }`. */
export function request(kind, values) {
  const name = values.name.trim() || undefined;
  const id = values.id.trim() || undefined;
  if (kind !== "event" && values.place === "daemon") {
    return kind === "timer"
      ? { path: "timers", json: { name, id, duration: length(values) } }
      : { path: "stopwatches", json: { name, id } };
  }
  const definition = compact({
    name, description: values.description.trim(), color: values.color, labels: labels(values.labels),
    ...(kind === "event" ? event(values) : kind === "timer" ? timer(values) : stopwatch(values)),
  });
  return { path: "definitions", json: compact({ kind, id, file: values.file, definition }) };
}

function event(values) {
  const moment = `${values.date} ${values.time}`;
  const isRule = values.repeat !== "once";
  return {
    every: repeats[values.repeat][1] ?? (values.repeat === "interval" ? values.interval.trim() : ""),
    cron: values.repeat === "cron" ? values.cron.trim() : "",
    rrule: values.repeat === "rrule" ? values.rrule.trim() : "",
    at: isRule ? "" : moment,
    start: isRule && values.date !== "" ? moment : "",
    until: isRule ? values.until : "",
    count: isRule && values.count.trim() !== "" ? Number(values.count) : "",
    timezone: values.zone.trim(),
    remind: values.leads,
    "on-expiry": actions(values),
  };
}

function timer(values) {
  return {
    duration: length(values), start: values.start, repeat: values.cycle === "never" ? "" : values.cycle,
    count: values.cycle !== "never" && values.count.trim() !== "" ? Number(values.count) : "",
    remind: values.leads, "on-expiry": actions(values),
  };
}

function stopwatch(values) {
  return { "at-elapsed": values.leads, start: values.start, "on-elapsed": actions(values) };
}

function actions({ sinks, command }) {
  const named = sinks.split(",").map((sink) => sink.trim()).filter(Boolean);
  return command.trim() === "" ? named : [...named, { shell: command.trim() }];
}

function labels(text) {
  const pairs = text.split(",").filter((pair) => pair.trim() !== "").map((pair) => {
    const split = pair.indexOf("=");
    return [pair.slice(0, split).trim(), pair.slice(split + 1).trim()];
  });
  return Object.fromEntries(pairs);
}

/** The members that have a value: no empty text, list or object. */
function compact(object) {
  return Object.fromEntries(Object.entries(object).filter(([, value]) =>
    value !== undefined && value !== "" && !(typeof value === "object" && Object.keys(value).length === 0)));
}
