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
  #among = el("div.row");
  #note = el("p.faint");
  #list = el("ol.records");
  #foot = el("p.row");
  // A row is drawn anew once the zone of its definition is known: the items may come after the deliveries.
  #rows = new KeyedList(this.#list, (delivery) => `${delivery.id} ${this.#zone(delivery)}`, (delivery) =>
    deliveryRow(delivery, (verb, one) => this.#act(verb, one), this.#zone(delivery)));
  #refresh;

  constructor(root, query, app) {
    this.#app = app;
    this.#query = query;
    app.title("Deliveries");
    put(root, el("div.stack",
      el("header", el("h1", "Deliveries"), el("p.faint", `Newest first. Times are those of ${ownZone}.`)),
      this.#choices, this.#among, this.#note, this.#list, this.#foot));
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
    this.#rows.show(deliveries);
    if (this.#query.get("delivery")) for (const details of this.#list.querySelectorAll("details")) details.open = true;
    this.#note.hidden = deliveries.length > 0;
    text(this.#note, "No such deliveries.");
    this.#showAmong();
    put(this.#foot,
      deliveries.length === this.#limit && this.#limit < lastLimit
        ? el("button", { onclick: () => this.#more() }, "Show more") : null);
  }

  #more() {
    this.#limit = Math.min(lastLimit, this.#limit * 4);
    this.#refresh.now();
  }

  /** What the list is narrowed to, and what can be done to all of it. */
  #showAmong() {
    const [definition, sink, id] = ["definition", "sink", "delivery"].map((key) => this.#query.get(key));
    const title = this.#shown.find((delivery) => delivery.sink === sink)?.["sink-title"] ?? sink;
    const chip = (key, words, name) => name
      ? el("a.chip", { href: this.#address({ [key]: "" }), title: "Show all again" },
        el("span.faint", words), " ", user("bdi", name),
        el("span", { "aria-hidden": "true" }, "×"), el("span.unseen", ", show all again"))
      : null;
    const isNarrow = this.#query.get("state") || definition || sink;
    const retried = isNarrow ? this.#shown.filter(canRetry) : [];
    const left = this.#shown.filter(canDiscard);
    put(this.#among,
      chip("definition", "of", definition), chip("sink", "to", title), chip("delivery", "only", id?.slice(0, 8)),
      retried.length > 1 ? el("button", { onclick: () => this.#retryAll(retried) }, `Retry all ${retried.length}`) : null,
      (definition || sink) && left.length > 1
        ? el("button.danger", { onclick: () => this.#discardAll(definition, sink, title) },
          "Discard all that are not delivered") : null);
    this.#among.hidden = this.#among.childElementCount === 0;
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

  async #retryAll(deliveries) {
    await this.#try(async () => {
      for (const delivery of deliveries) await ask("POST", `deliveries/${part(delivery.id)}/retry`);
      return `${count(deliveries.length, "delivery", "deliveries")} tried again`;
    });
  }

  async #discardAll(definition, sink, title) {
    const whose = [definition ? `of ${definition}` : "", sink ? `to ${title}` : ""].filter(Boolean).join(" ");
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
