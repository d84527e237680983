// The fields of the form to add: those of each kind, and those that only a definition in a file has.

import { el } from "./dom.js";
import { leadChoice } from "./leads.js";
import { most, repeats } from "./add-request.js";

const colors = [
  "black", "red", "green", "yellow", "blue", "magenta", "cyan", "white", "gray", "orange", "purple", "pink", "brown",
];

/** The date of an event, and how it repeats. */
export function eventFields(fields, values) {
  const isRule = values.repeat !== "once";
  const date = values.repeat === "cron" ? "Not before" : isRule ? "First on" : "Date";
  const rules = {
    interval: () => fields.input("interval", "Interval", values.interval, { hint: "Such as 2 weeks or 36 hours." }),
    cron: () => fields.input("cron", "Cron expression", values.cron,
      { class: "mono", hint: "Five fields, such as 30 9 * * MON-FRI." }),
    rrule: () => fields.input("rrule", "Recurrence rule", values.rrule,
      { class: "mono", hint: "Such as FREQ=MONTHLY;BYMONTHDAY=-1 (RFC 5545)." }),
  };
  return [
    el("div.columns",
      fields.input("date", date, values.date, { type: "date" }),
      fields.input("time", "Time", values.time, { type: "time" }),
      fields.input("zone", "Time zone", values.zone, { list: "zones" })),
    el("datalist#zones", Intl.supportedValuesOf("timeZone").map((zone) => el("option", { value: zone }))),
    fields.select("repeat", "Repeats", values.repeat, Object.entries(repeats).map(([key, [words]]) => [key, words])),
    rules[values.repeat]?.(),
    isRule
      ? el("div.columns", fields.input("until", "Last day", values.until, { type: "date", hint: "Empty: no end." }),
        countField(fields, values))
      : null,
  ];
}

/** The length of a timer. */
export function timerFields(fields, values) {
  const number = (name, label) => fields.input(name, label, values[name],
    { type: "number", min: 0, max: most[name], step: 1, inputmode: "numeric", placeholder: "0" });
  return el("fieldset", el("legend", "Length"),
    el("div.columns.three", number("hours", "Hours"), number("minutes", "Minutes"), number("seconds", "Seconds")));
}

function countField(fields, values) {
  return fields.input("count", "How often", values.count,
    { type: "number", min: 1, step: 1, inputmode: "numeric", hint: "Empty: no limit." });
}

/** What only a definition in a file has. `files` are the paths to choose from; `isOpen` is whether the rest is shown. */
export function fileFields(kind, fields, values, { files, isOpen, setLeads }) {
  const [legend, hint] = kind === "stopwatch" ? ["Alerts", "After this long:"] : ["Reminders", "This long before:"];
  return [
    leadChoice(legend, hint, values.leads, setLeads),
    fields.area("description", "Description", values.description, { dir: "auto", rows: 2 }),
    el("details", { open: isOpen }, el("summary.button.quiet", "More"), el("div.form",
      kind === "timer" ? cycle(fields, values) : null,
      kind === "event" ? null : start(kind, fields, values),
      actions(kind, fields, values),
      el("div.columns",
        fields.select("color", "Colour", values.color,
          [["", "By lead time"], ...colors.map((color) => [color, color])]),
        fields.input("labels", "Labels", values.labels, { dir: "auto", hint: "Such as team=web, room=lobby." })),
      el("div.columns",
        fields.input("id", "Id", values.id, { class: "mono", hint: "Empty: made from the name.", maxlength: 64 }),
        fields.select("file", "File", values.file, fileOptions(files))))),
  ];
}

/** The choice of a file: one of these paths, or what the daemon chooses. */
export function fileOptions(files) {
  return [["", "The usual one"], ...files.map((path) => [path, path])];
}

function cycle(fields, values) {
  const ways = [["never", "Never"], ["immediately", "At once"], ["after-action", "After its actions"]];
  return el("div.columns", fields.select("cycle", "Repeats", values.cycle, ways),
    values.cycle === "never" ? null : countField(fields, values));
}

function start(kind, fields, values) {
  const usual = kind === "stopwatch" ? "by hand" : "when it is added";
  return fields.select("start", "Starts", values.start,
    [["", `As usual (${usual})`], ["auto", "When it is added"], ["manual", "By hand"]]);
}

function actions(kind, fields, values) {
  const when = kind === "stopwatch" ? "of its alerts" : "at the end";
  return [
    fields.input("sinks", `Sinks ${when}`, values.sinks,
      { hint: "Ids of sinks, separated by commas. Empty: those of the file." }),
    fields.input("command", `Command ${when}`, values.command,
      { class: "mono", hint: "A line for /bin/sh, run as the daemon's user." }),
  ];
}
