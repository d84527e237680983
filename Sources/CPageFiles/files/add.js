// Adding an event, a timer or a stopwatch: to a file, or for the time being to the daemon alone.

import { el, put, text, user } from "./dom.js";
import { ask, get, withQuery } from "./api.js";
import { draft, keepDraft } from "./drafts.js";
import { Fields } from "./fields.js";
import { problemList } from "./problems.js";
import { eventFields, fileFields, fileOptions, timerFields } from "./add-fields.js";
import { blank, problems, request } from "./add-request.js";
import { ownZone } from "./time.js";

const kinds = [["event", "Event"], ["timer", "Timer"], ["stopwatch", "Stopwatch"]];
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
  #trial = new AbortController();
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
    this.#trial.abort();
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
      this.#fields.offer("file", this.#values.file, fileOptions(this.#files));
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
      this.#kind === "event" ? eventFields(fields, values) : null,
      this.#kind === "timer" ? timerFields(fields, values) : null,
      this.#isInFile ? fileFields(this.#kind, fields, values, {
        files: this.#files, isOpen, setLeads: (leads) => this.#change("leads", leads),
      }) : null,
      el("div.row", this.#send, el("button.quiet", { type: "button", onclick: () => this.#clear() }, "Clear")));
    put(this.#preview);
    const again = focus?.id ? document.getElementById(focus.id)
      : focus?.name ? this.#form.querySelector(`input[name="${focus.name}"]:checked`) : null;
    again?.focus();
    this.#soon();
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
    this.#trial.abort();
    this.#timer = setTimeout(() => this.#preflight(), pause);
  }

  /** Shows how the daemon understands it, or what it finds wrong, without adding anything. */
  async #preflight() {
    const [kind, values] = [this.#kind, this.#values];
    if (!this.#isInFile || Object.keys(problems(kind, values)).length > 0) return put(this.#preview);
    this.#trial = new AbortController();
    const { signal } = this.#trial;
    const { path, json } = request(kind, values);
    try {
      const { body } = await ask("POST", withQuery(path, { "dry-run": "true" }), { json, signal });
      if (!signal.aborted) put(this.#preview, understood(body));
    } catch (problem) {
      if (!signal.aborted) put(this.#preview, refused(problem));
    }
  }

  async #submit(event) {
    event.preventDefault();
    clearTimeout(this.#timer);
    this.#trial.abort();
    this.#isTold = true;
    const found = problems(this.#kind, this.#values);
    this.#fields.tell(found, { focus: true });
    if (Object.keys(found).length > 0) return;
    const { path, json } = request(this.#kind, this.#values);
    this.#send.disabled = true;
    try {
      const { body } = await ask("POST", path, { json, limit: 30_000 });
      keepDraft("add", null);
      const where = body.file ? ` in ${body.file}` : "";
      this.#app.say(`added ${body.id}${where}${body.understood ? `: ${body.understood}` : ""}`);
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
