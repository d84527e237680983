// The state of the daemon: what needs a person, what is in force, files, sinks and deliveries.

import { add, el, put, user } from "./dom.js";
import { get, part, post } from "./api.js";
import { count } from "./delivery-words.js";
import { replace } from "./keyed.js";
import { fileSection } from "./status-files.js";
import { Refresh } from "./refresh.js";
import { attention, deadWords } from "./status-attention.js";
import { ago, fullWhen, when } from "./when.js";

/** Opens the status. */
export function open(root, query, app) {
  const view = new Status(root, app);
  return { close: () => view.close() };
}

class Status {
  #app;
  #parts = new Map();
  #body = el("div.stack");
  #refresh;

  constructor(root, app) {
    this.#app = app;
    app.title("Status");
    put(root, this.#body);
    add(this.#body, el("h1", "Status"));
    this.#refresh = new Refresh(app, () => this.#load());
    this.#refresh.now();
  }

  close() {
    this.#refresh.close();
  }

  async #load() {
    try {
      this.#show(await get("status"));
    } catch (problem) {
      this.#part("problem", problem.message, (words) => el("p.notice.bad", words));
    }
  }

  /** Shows a part, and builds it anew only if what it tells has changed. Without a value there is no part. */
  #part(name, value, build) {
    const written = JSON.stringify(value);
    const former = this.#parts.get(name);
    if (former?.written === written) return;
    const node = value ? build(value) : el("div", { hidden: true });
    if (former) replace(former.node, node);
    else this.#body.append(node);
    this.#parts.set(name, { node, written });
  }

  #show(status) {
    const { files, deliveries, definitions, now, viewers, ...rest } = status;
    this.#part("problem", null);
    this.#part("attention", { ...rest, files, deliveries, level: this.#app.level },
      () => attention(status, this.#app));
    this.#part("daemon", { rest, viewers, level: this.#app.level },
      () => el("div.pair", this.#live(status), this.#daemon(status)));
    this.#part("deliveries", { deliveries, definitions, level: this.#app.level }, () => this.#deliveries(status));
    this.#part("files", { files, level: this.#app.level }, () => fileSection(files, this.#app));
  }

  #live({ live, mute, watching, ...status }) {
    const order = live["in-order"] ? "all in force" : live.waiting
      ? "not everything in the directory is in force: the store has not taken the last edits yet"
      : "not everything in the directory is in force";
    const controls = this.#app.may("control")
      ? el("p.row", el("button", { "data-act": "reload", onclick: () => this.#reload() }, "Read the files again"),
        mute ? el("button", { "data-act": "unmute", onclick: () => this.#unmute() }, "End the mute of everything") : null)
      : null;
    return section("In force", facts([
      ["definitions", `${count(live.definitions, "definition")}, ${order}`],
      ["generation", live.generation],
      ["muted", mute ? ["everything, until ", when(mute.until), ", by ", user("bdi", mute.by), " at ", when(mute.at),
        mute.note ? [": ", user("bdi", mute.note)] : null] : null],
      ["last read", status["last-attempt"] ? when(status["last-attempt"]) : "not yet"],
      ["last time without an error", status["last-success"] ? when(status["last-success"]) : "not yet"],
      ["changes of files", watching ? watched(watching) : null],
      ["hash", live.hash ? el("code", live.hash.slice(0, 16)) : null],
    ]), controls);
  }

  #deliveries({ deliveries, definitions }) {
    if (!deliveries) return section("Deliveries", el("p", "The store cannot be read, so they are not known."));
    const link = (words, state) => this.#app.may("control") ? el("a", { href: `?deliveries&state=${state}` }, words) : words;
    const numbers = el("ul.figures",
      figure(link("waiting", "queued,pending"), deliveries.waiting),
      figure(link("running", "claimed"), deliveries.running),
      figure(link("retrying", "pending"), deliveries.retrying, deliveries.retrying > 0 && "busy",
        deliveries["next-attempt"] && ["next ", when(deliveries["next-attempt"])]),
      figure(link("dead", "dead"), deliveries.dead, deliveries.dead > 0 && "bad",
        deliveries["oldest-dead"] && ["oldest ", when(deliveries["oldest-dead"])]));
    const troubled = (definitions ?? []).filter((one) => one.dead > 0 || one.retrying > 0);
    return section("Deliveries", numbers,
      deliveries.sinks.length > 0 ? el("div", el("h3", "Sinks with undelivered deliveries"),
        el("ul.lines", deliveries.sinks.map((sink) => this.#sink(sink)))) : null,
      troubled.length > 0 ? el("div", el("h3", "Definitions with undelivered deliveries"),
        el("ul.lines", troubled.map((one) => this.#definition(one)))) : null);
  }

  #sink(sink) {
    const name = user("bdi", sink.title);
    return el("li",
      this.#app.may("control") ? el("a", { href: `?deliveries&sink=${part(sink.sink)}` }, name) : name, ": ",
      joined([
        sink["waits-for-sink"] ? el("b.bad", "no file declares it") : null,
        sink.waiting > 0 ? `${sink.waiting} waiting` : null,
        sink.running > 0 ? `${sink.running} running` : null,
        ...undelivered(sink),
      ]));
  }

  #definition(one) {
    const last = one["last-outcome"];
    return el("li", el("a", { href: `?id=${part(one.id)}` }, user("bdi", one.id)), ": ", joined([
      ...undelivered(one),
      last ? [`last outcome ${last.end}`, last.message ? [", because ", user("bdi", last.message)] : null] : null,
    ]));
  }

  #daemon(status) {
    return section("The daemon", facts([
      ["version", status.version],
      ["process", status["process-id"]],
      ["since", status.started ? [fullWhen(status.started), `, ${ago(status.started)}`] : null],
      ["directory", status.config ? user("code", status.config) : null],
      ["store", status.store ? user("code", status.store) : null],
      ["served at", status.listening?.map((url) => el("div", user("code", url)))],
      ["viewers", status.viewers],
      ["zone data", status["zone-data"]],
      ["profile", status.profile],
      ["damaged rows", status["damaged-rows"] > 0
        ? `${count(status["damaged-rows"], "row")} of the store could not be read and are kept in its table “damaged”`
        : null],
    ]));
  }

  async #reload() {
    await this.#try(async () => {
      const live = await post("reload?wait=true", undefined, { limit: 60_000 });
      return `${count(live.definitions, "definition")}, ${live["in-order"] ? "all in force" : "not everything is in force"}`;
    });
  }

  async #unmute() {
    await this.#try(async () => {
      await post("unmute", {}, { limit: 60_000 });
      return "nothing is muted any more";
    });
  }

  async #try(work) {
    try {
      this.#app.say(await work());
    } catch (problem) {
      this.#app.say(problem.message, { problem: true });
    }
    this.#refresh.now();
  }
}

/** A part of the page with its heading. */
function section(title, ...content) {
  return el("section.panel", el("h2", title), content);
}

function facts(rows) {
  return el("dl.facts", rows.filter(([, value]) => value !== null && value !== undefined && value !== "")
    .map(([name, value]) => [el("dt", name), el("dd", value)]));
}

function figure(name, number, mood, more) {
  return el(`li${mood ? `.${mood}` : ""}`, el("b.digits", new Intl.NumberFormat().format(number)), el("span", name),
    more ? el("small.faint", more) : null);
}

function undelivered(counts) {
  const next = counts["next-attempt"];
  return [
    counts.retrying > 0 ? [`${counts.retrying} retrying`, next ? [", next attempt ", when(next)] : null] : null,
    counts.dead > 0 ? deadWords(counts) : null,
  ];
}

function joined(parts) {
  return parts.filter(Boolean).flatMap((one, at) => (at > 0 ? [", ", one] : [one]));
}

function watched({ mode, message }) {
  const words = {
    off: "not noticed; reading again takes them", events: "noticed at once", polling: "looked for every few seconds",
  };
  return [words[mode] ?? mode, message ? [": ", user("bdi", message)] : null];
}
