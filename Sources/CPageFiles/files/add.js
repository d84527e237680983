// Adding an event, a timer or a stopwatch: to a file, or for the time being to the daemon alone.

import { el, put, text, user } from "./dom.js";
import { ask, get, withQuery } from "./api.js";
import { draft, keepDraft } from "./drafts.js";
import { Fields } from "./fields.js";
import { leadChoice } from "./leads.js";
import { problemList } from "./problems.js";
import { blank, most, problems, repeats, request } from "./add-request.js";
import { ownZone } from "./time.js";

const kinds = [["event", "Event"], ["timer", "Timer"], ["stopwatch", "Stopwatch"]];
const colors = ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white", "gray", "orange", "purple", "pink", "brown"];

/** How long after the last key it is checked, in milliseconds. */
const pause = 300;

/** Opens the form for the kind in `new=`. What was filled in before and not added is there again. */
export function open(root, query, app) {
  const view = new Add(root, app);
  view.choose(query);
  return { close: () => view.close(), update: (next) => view.choose(next) };
}

class Add {
  #app;
  #kind = "event";
  #values;
  #fields;
  #files = [];
  #form = el("form.form", { novalidate: true, onsubmit: (event) => this.#submit(event) });
  #preview = el("div.preview", { "aria-live": "polite" });
  #send = el("button.primary", { type: "submit" });
  #timer = 0;
  #check = 0;
  #isTold = false;

  constructor(root, app) {
    this.#app = app;
    this.#values = { ...blank, zone: ownZone, ...draft("add") };
    if (!app.may("edit")) this.#values.place = "daemon";
    app.title("Add");
    put(root, el("div.stack", el("h1", "Add"), el("div.add", this.#form, this.#preview)));
    if (app.may("edit")) this.#loadFiles();
  }

  close() {
    clearTimeout(this.#timer);
    this.#check += 1;
  }

  choose(query) {
    const offered = this.#offered();
    const asked = query.get("new");
    this.#kind = offered.some(([kind]) => kind === asked) ? asked : offered[0][0];
    this.#show();
  }

  #offered() {
    return this.#app.may("edit") ? kinds : kinds.slice(1);
  }

  async #loadFiles() {
    try {
      const { files } = await get("files");
      this.#files = files.filter((file) => file.state !== "ignored").map(({ path }) => path);
      if (this.#files.length > 0) this.#show();
    } catch {
      // The daemon chooses the file.
    }
  }

  get #isInFile() {
    return this.#kind === "event" || this.#values.place === "file";
  }

  #show() {
    const focus = this.#form.contains(document.activeElement) ? document.activeElement : null;
    const isOpen = this.#form.querySelector("details")?.open ?? false;
    const fields = new Fields((name, value) => this.#change(name, value));
    this.#fields = fields;
    this.#isTold = false;
    const values = this.#values;
    const kind = kinds.find(([key]) => key === this.#kind)[1].toLowerCase();
    text(this.#send, `Add ${kind === "event" ? "the event" : `the ${kind}`}`);
    put(this.#form,
      fields.segments("kind", "Kind", this.#kind, this.#offered()),
      this.#kind !== "event" && this.#app.may("edit")
        ? fields.segments("place", "Kept", values.place, [["file", "In a file"], ["daemon", "Without a file"]]) : null,
      fields.input("name", "Name", values.name, { dir: "auto", maxlength: 200 }),
      this.#kind === "event" ? this.#event(fields) : null,
      this.#kind === "timer" ? this.#timerFields(fields) : null,
      this.#isInFile ? this.#filed(fields, isOpen) : null,
      el("div.row", this.#send, el("button.quiet", { type: "button", onclick: () => this.#clear() }, "Clear")));
    put(this.#preview);
    const again = focus?.id ? document.getElementById(focus.id)
      : focus?.name ? this.#form.querySelector(`input[name="${focus.name}"]:checked`) : null;
    again?.focus();
    this.#soon();
  }

  #event(fields) {
    const values = this.#values;
    const isRule = values.repeat !== "once";
    return [
      el("div.columns",
        fields.input("date", values.repeat === "cron" ? "Not before" : isRule ? "First on" : "Date", values.date, { type: "date" }),
        fields.input("time", "Time", values.time, { type: "time" }),
        fields.input("zone", "Time zone", values.zone, { list: "zones" })),
      el("datalist#zones", Intl.supportedValuesOf("timeZone").map((zone) => el("option", { value: zone }))),
      fields.select("repeat", "Repeats", values.repeat, Object.entries(repeats).map(([key, [words]]) => [key, words])),
      values.repeat === "interval" ? fields.input("interval", "Interval", values.interval, { hint: "Such as 2 weeks or 36 hours." }) : null,
      values.repeat === "cron" ? fields.input("cron", "Cron expression", values.cron, { class: "mono", hint: "Five fields, such as 30 9 * * MON-FRI." }) : null,
      values.repeat === "rrule" ? fields.input("rrule", "Recurrence rule", values.rrule, { class: "mono", hint: "Such as FREQ=MONTHLY;BYMONTHDAY=-1 (RFC 5545)." }) : null,
      isRule ? el("div.columns", fields.input("until", "Last day", values.until, { type: "date", hint: "Empty: no end." }),
        this.#count(fields)) : null,
    ];
  }

  #timerFields(fields) {
    const number = (name, label) => fields.input(name, label, this.#values[name],
      { type: "number", min: 0, max: most[name], step: 1, inputmode: "numeric", placeholder: "0" });
    return el("fieldset", el("legend", "Length"),
      el("div.columns.three", number("hours", "Hours"), number("minutes", "Minutes"), number("seconds", "Seconds")));
  }

  #count(fields) {
    return fields.input("count", "How often", this.#values.count, { type: "number", min: 1, step: 1, inputmode: "numeric", hint: "Empty: no limit." });
  }

  /** What only a definition in a file has. */
  #filed(fields, isOpen) {
    const [values, isStopwatch] = [this.#values, this.#kind === "stopwatch"];
    return [
      isStopwatch
        ? leadChoice("Alerts", "After this long:", values.leads, (leads) => this.#change("leads", leads))
        : leadChoice("Reminders", "This long before:", values.leads, (leads) => this.#change("leads", leads)),
      fields.area("description", "Description", values.description, { dir: "auto", rows: 2 }),
      el("details", { open: isOpen }, el("summary.button.quiet", "More"), el("div.form",
        this.#kind === "timer" ? el("div.columns",
          fields.select("cycle", "Repeats", values.cycle, [["never", "Never"], ["immediately", "At once"], ["after-action", "After its actions"]]),
          values.cycle === "never" ? null : this.#count(fields)) : null,
        this.#kind === "event" ? null : fields.select("start", "Starts", values.start, [
          ["", `As usual (${isStopwatch ? "by hand" : "when it is added"})`], ["auto", "When it is added"], ["manual", "By hand"]]),
        fields.input("sinks", isStopwatch ? "Sinks of its alerts" : "Sinks at the end", values.sinks,
          { hint: "Ids of sinks, separated by commas. Empty: those of the file." }),
        fields.input("command", isStopwatch ? "Command of its alerts" : "Command at the end", values.command, { class: "mono", hint: "A line for /bin/sh, run as the daemon's user." }),
        el("div.columns",
          fields.select("color", "Colour", values.color, [["", "By lead time"], ...colors.map((color) => [color, color])]),
          fields.input("labels", "Labels", values.labels, { dir: "auto", hint: "Such as team=web, room=lobby." })),
        el("div.columns",
          fields.input("id", "Id", values.id, { class: "mono", hint: "Empty: made from the name.", maxlength: 64 }),
          fields.select("file", "File", values.file, [["", "The usual one"], ...this.#files.map((path) => [path, path])])))),
    ];
  }

  #change(name, value) {
    if (name === "kind") return this.#app.go(`?new=${value}`, { replace: true });
    this.#values[name] = value;
    keepDraft("add", this.#values);
    // These decide which fields there are.
    if (["place", "repeat", "cycle"].includes(name)) return this.#show();
    if (this.#isTold) this.#fields.tell(problems(this.#kind, this.#values));
    this.#soon();
  }

  #clear() {
    this.#values = { ...blank, zone: ownZone, place: this.#values.place };
    keepDraft("add", null);
    this.#show();
    this.#form.querySelector("#field-name").focus();
  }

  #soon() {
    clearTimeout(this.#timer);
    this.#check += 1;
    this.#timer = setTimeout(() => this.#preflight(), pause);
  }

  /** Shows how the daemon understands it, or what it finds wrong, without adding anything. */
  async #preflight() {
    const [kind, values] = [this.#kind, this.#values];
    if (!this.#isInFile || Object.keys(problems(kind, values)).length > 0) return put(this.#preview);
    const check = ++this.#check;
    const { path, json } = request(kind, values);
    try {
      const { body } = await ask("POST", withQuery(path, { "dry-run": "true" }), { json });
      if (check === this.#check) put(this.#preview, understood(body));
    } catch (problem) {
      if (check === this.#check) put(this.#preview, refused(problem));
    }
  }

  async #submit(event) {
    event.preventDefault();
    clearTimeout(this.#timer);
    this.#check += 1;
    this.#isTold = true;
    const found = problems(this.#kind, this.#values);
    this.#fields.tell(found, { focus: true });
    if (Object.keys(found).length > 0) return;
    const { path, json } = request(this.#kind, this.#values);
    this.#send.disabled = true;
    try {
      const { body } = await ask("POST", path, { json, limit: 30_000 });
      keepDraft("add", null);
      this.#app.say(body.file ? `added ${body.id} in ${body.file}${body.understood ? `: ${body.understood}` : ""}` : `added ${body.id}`);
      this.#app.go(withQuery("", { id: body.id }));
    } catch (problem) {
      put(this.#preview, refused(problem));
      this.#preview.scrollIntoView({ block: "nearest" });
    } finally {
      this.#send.disabled = false;
    }
  }
}

function understood({ id, file, line, understood: words, diagnostics }) {
  return el("div.notice",
    words ? el("p", el("b", words)) : null,
    el("p", "It becomes ", user("code", id), " in ", user("code", file), `, line ${line}.`),
    found(diagnostics));
}

function refused(problem) {
  return el("div.notice.bad", found(problem.body?.diagnostics) ?? user("p", problem.message));
}

/** What was found wrong, without links: the places are those of a text that is not in the file. */
function found(diagnostics = []) {
  if (diagnostics.length === 0) return null;
  return problemList(diagnostics.map(({ severity, message }) => ({ severity, message })));
}
