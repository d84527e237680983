// The deliveries, newest first: what each sink answered, with retry and discard.

import { el, put, text, user } from "./dom.js";
import { ask, get, part, post, withQuery } from "./api.js";
import { canDiscard, canRetry, count } from "./delivery-words.js";
import { confirm } from "./confirm.js";
import { deliveryRow } from "./delivery-row.js";
import { KeyedList } from "./keyed.js";
import { Refresh } from "./refresh.js";
import { ownZone } from "./time.js";

/** The choices of states: words, and what the daemon calls them. */
const choices = [
  ["all", ""], ["waiting", "queued,pending"], ["running", "claimed"], ["delivered", "delivered"], ["dead", "dead"],
  ["expired", "expired"], ["skipped", "skipped"], ["discarded", "discarded"],
];

/** Deliveries shown at first, and the most that the daemon lists. */
const [firstLimit, lastLimit] = [100, 1_000];

/** Opens the deliveries. `&state=`, `&definition=`, `&sink=` and `&delivery=` choose among them. */
export function open(root, query, app) {
  const view = new Deliveries(root, query, app);
  return { close: () => view.close(), update: (next) => view.choose(next) };
}

class Deliveries {
  #app;
  #query;
  #limit = firstLimit;
  #shown = [];
  #choices = el("nav.choices", { "aria-label": "States" });
  #amongRow = el("div.row");
  #note = el("p.faint");
  #list = el("ol.records");
  #foot = el("p.row", { hidden: true }, el("button", { onclick: () => this.#more() }, "Show more"));
  #among = new KeyedList(this.#amongRow, ({ act }) => act, (one) => this.#narrowing(one));
  // The zone of a definition is part of the value: the items may come after the deliveries.
  #rows = new KeyedList(this.#list, ({ delivery }) => delivery.id, ({ delivery, zone }) =>
    deliveryRow(delivery, (verb, one) => this.#act(verb, one), zone));
  #refresh;

  constructor(root, query, app) {
    this.#app = app;
    this.#query = query;
    app.title("Deliveries");
    put(root, el("div.stack",
      el("header", el("h1", "Deliveries"), el("p.faint", `Newest first. Times are those of ${ownZone}.`)),
      this.#choices, this.#amongRow, this.#note, this.#list, this.#foot));
    this.#refresh = new Refresh(app, () => this.#load());
    this.choose(query);
  }

  close() {
    this.#refresh.close();
  }

  choose(query) {
    this.#query = query;
    this.#limit = firstLimit;
    const state = query.get("state") ?? "";
    put(this.#choices, choices.map(([words, value]) => el("a.button.quiet", {
      href: this.#address({ state: value, delivery: "" }), "aria-current": value === state && "page",
    }, words)));
    this.#choices.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" });
    this.#refresh.now();
  }

  /** The zone of its definition, if that is still there. */
  #zone(delivery) {
    return this.#app.model.items.get(delivery.definition)?.timezone;
  }

  /** The address of this view with other choices. */
  #address(other) {
    const values = Object.fromEntries(["state", "definition", "sink", "delivery"].map((key) => [key, this.#query.get(key)]));
    return withQuery("?deliveries", { ...values, ...other }).replace("?deliveries?", "?deliveries&");
  }

  async #load() {
    const [state, definition, sink, id] = ["state", "definition", "sink", "delivery"].map((key) => this.#query.get(key));
    const query = this.#query;
    try {
      const deliveries = await get(withQuery("deliveries", { limit: this.#limit, state, definition, sink, id }));
      if (query === this.#query) this.#show(deliveries);
    } catch (problem) {
      if (query !== this.#query) return;
      this.#show(problem.status === 404 ? [] : this.#shown);
      text(this.#note, problem.message);
      this.#note.hidden = false;
    }
  }

  #show(deliveries) {
    this.#shown = deliveries;
    this.#rows.show(deliveries.map((delivery) => ({ delivery, zone: this.#zone(delivery) })));
    if (this.#query.get("delivery")) for (const details of this.#list.querySelectorAll("details")) details.open = true;
    this.#note.hidden = deliveries.length > 0;
    text(this.#note, "No such deliveries.");
    this.#showAmong();
    this.#foot.hidden = deliveries.length !== this.#limit || this.#limit >= lastLimit;
  }

  #more() {
    this.#limit = Math.min(lastLimit, this.#limit * 4);
    this.#refresh.now();
  }

  /** What the list is narrowed to, and what can be done to all of it. */
  #showAmong() {
    const [definition, sink, id] = ["definition", "sink", "delivery"].map((key) => this.#query.get(key));
    const isNarrow = this.#query.get("state") || definition || sink;
    const retried = isNarrow ? this.#shown.filter(canRetry).length : 0;
    const left = definition || sink ? this.#shown.filter(canDiscard).length : 0;
    const chip = (act, words, name) => name && { act, words, name, href: this.#address({ [act]: "" }) };
    const all = [
      chip("definition", "of", definition), chip("sink", "to", sink && this.#title(sink)),
      chip("delivery", "only", id?.slice(0, 8)),
      retried > 1 && { act: "retry-all", words: `Retry all ${retried}` },
      left > 1 && { act: "discard-all", words: "Discard all that are not delivered" },
    ].filter(Boolean);
    this.#among.show(all);
    this.#amongRow.hidden = all.length === 0;
  }

  /** A choice that can be taken back, or a button for all of the list. */
  #narrowing({ act, words, name, href }) {
    if (act === "retry-all") return el("button", { "data-act": act, onclick: () => this.#retryAll() }, words);
    if (act === "discard-all") {
      return el("button.danger", { "data-act": act, onclick: () => this.#discardAll() }, words);
    }
    return el("a.chip", { href, title: "Show all again" },
      el("span.faint", words), " ", user("bdi", name),
      el("span", { "aria-hidden": "true" }, "×"), el("span.unseen", ", show all again"));
  }

  /** What a sink is called. */
  #title(sink) {
    return this.#shown.find((delivery) => delivery.sink === sink)?.["sink-title"] ?? sink;
  }

  async #act(verb, delivery) {
    const words = {
      retry: `${delivery.definition} to ${delivery["sink-title"]} is tried again`,
      discard: `${delivery.definition} to ${delivery["sink-title"]} is discarded; retry sends it after all`,
    };
    await this.#try(async () => {
      await ask("POST", `deliveries/${part(delivery.id)}/${verb}`);
      return words[verb];
    });
  }

  async #retryAll() {
    const deliveries = this.#shown.filter(canRetry);
    await this.#try(async () => {
      for (const delivery of deliveries) await ask("POST", `deliveries/${part(delivery.id)}/retry`);
      return `${count(deliveries.length, "delivery", "deliveries")} tried again`;
    });
  }

  async #discardAll() {
    const [definition, sink] = ["definition", "sink"].map((key) => this.#query.get(key));
    const whose = [definition ? `of ${definition}` : "", sink ? `to ${this.#title(sink)}` : ""].filter(Boolean).join(" ");
    const isSure = await confirm("Discard all that are not delivered?",
      ["All deliveries ", user("bdi", whose), " that wait, run, are dead or expired are discarded, ",
        "also those that this list does not show."],
      "Discard them");
    if (!isSure) return;
    await this.#try(async () => {
      const answer = await post(withQuery("deliveries/discard", { definition, sink }), {}, { limit: 60_000 });
      return `${count(answer.count, "delivery", "deliveries")} discarded`;
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
