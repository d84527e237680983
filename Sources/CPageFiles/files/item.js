// One item: its rings or its dial, its time, its fields, reminders, laps and deliveries.

import { get, part } from "./api.js";
import { Ticker } from "./draw.js";
import { ControlBar, actionOf } from "./controls.js";
import { el, put, sheet, text, user, visible } from "./dom.js";
import { Picture } from "./picture.js";
import { facts, sections } from "./facts.js";
import { isFailing, isOverdue, shownParts, stateWords } from "./items.js";
import { prefer, preferred } from "./frame.js";
import { faceDigits, spoken } from "./time.js";

await sheet(new URL("watch.css", import.meta.url));

const FACES = [["digital", "Digital"], ["analogue", "Analogue"]];
const RINGS = [["three", "Three rings"], ["total", "Total"]];

/** Opens the item that the query names. */
export function open(root, query, app) {
  return new ItemView(root, query, app);
}

class ItemView {
  #app;
  #root;
  #id;
  /** Whether there was an item with that id while it was shown. */
  #wasThere = false;
  #details = null;
  #reading = 0;
  #stops = [];
  #choices = [];
  #lastFacts = "";

  constructor(root, query, app) {
    [this.#app, this.#root] = [app, root];
    root.classList.add("one");
    this.bar = new ControlBar(app);
    this.picture = new Picture();
    this.name = user("h1", "");
    this.kind = el("p.faint.kind");
    this.digits = el("p.clock", { role: "timer" });
    this.state = el("p.state");
    this.description = user("p.description", "");
    this.facts = el("dl.facts");
    this.more = el("div.sections");
    this.gone = el("p.notice.bad", { hidden: true });
    this.choices = el("div.choices", this.#choice("face", "Face", FACES), this.#choice("rings", "Rings", RINGS));
    put(root,
      el("p.up", el("a", { href: "./" }, "‹ All items")),
      this.gone,
      el("section.hero", { tabindex: "-1" },
        el("div.show", this.picture.node, this.choices),
        el("div.tell", this.name, this.kind, this.digits, this.state, this.description, this.bar.node)),
      el("section.panel", el("h2.unseen", "Fields"), this.facts), this.more);
    this.#listen(document, "keydown", (event) => this.#key(event));
    this.ticker = new Ticker(app.clock, (now) => this.#draw(now), 33);
    this.#stops.push(app.model.on((ids) => { if (ids === null || ids.has(this.#id)) this.#changed(); }),
      app.feed.on(() => this.#changed()));
    this.update(query);
  }

  update(query) {
    this.#id = query.get("id");
    this.#wasThere = false;
    this.#details = null;
    this.#lastFacts = "";
    put(this.more);
    this.#changed();
  }

  close() {
    this.ticker.close();
    for (const stop of this.#stops) stop();
  }

  #listen(target, name, take) {
    target.addEventListener(name, take);
    this.#stops.push(() => target.removeEventListener(name, take));
  }

  #choice(name, label, options) {
    const group = el("div.choice", { role: "group", "aria-label": label }, options.map(([value, words]) =>
      el("button.quiet", { type: "button", "data-value": value, onclick: () => this.#choose(name, value) }, words)));
    this.#choices.push([name, group, options]);
    return group;
  }

  #choose(name, value) {
    prefer(name, value);
    this.ticker.wake();
  }

  /** The item has changed: its picture is drawn at the next frame, which may come after the item has gone; the rest is written now. */
  #changed() {
    const item = this.#app.itemNow(this.#id);
    const { model, feed } = this.#app;
    this.gone.hidden = Boolean(item) || !model.isLoaded;
    this.#wasThere ||= Boolean(item);
    text(this.gone, this.#wasThere ? `There is no '${this.#id}' now. This page waits for it to come back.`
      : `There is no item '${this.#id}'. When one comes it is shown here.`);
    this.#root.classList.toggle("is-gone", !item);
    this.#root.classList.toggle("is-unknown", !this.#wasThere);
    // Without an item there is nothing to draw in another way.
    this.choices.hidden = !item && model.isLoaded;
    this.bar.show(item);
    if (!item) {
      text(this.name, this.#id);
      return this.#app.title(this.#id);
    }
    this.#app.title(visible(item.name));
    text(this.name, visible(item.name));
    text(this.kind, item.id === item.name ? item.kind : `${item.kind} · ${item.id}`);
    text(this.description, item.description === null ? "" : visible(item.description));
    const overdue = feed.state !== "live" && isOverdue(item);
    text(this.state, overdue ? "due, not confirmed" : item.state === "acting" ? "acting: its actions are running" : stateWords(item));
    this.state.classList.toggle("bad", isFailing(item));
    this.#writeTime(item);
    this.ticker.wake();
    clearTimeout(this.#reading);
    this.#reading = setTimeout(() => this.#read(), this.#details === null ? 0 : 300);
  }

  async #read() {
    const id = this.#id;
    try {
      const details = await get(`items/${part(id)}?details=true`);
      if (id !== this.#id) return;
      this.#details = details;
      put(this.more, sections(details, this.#app));
    } catch {
      // What is shown stays; the head of the page says if the connection is lost.
    }
  }

  #draw(now) {
    const item = this.#app.itemNow(this.#id);
    const [face, rings] = [preferred("face", "digital"), preferred("rings", "three")];
    for (const [name, group] of this.#choices) {
      const value = name === "face" ? face : rings;
      for (const button of group.children) button.setAttribute("aria-pressed", String(button.dataset.value === value));
    }
    this.#choices[1][1].hidden = face === "analogue" || item?.total == null;
    if (!item) return Infinity;
    this.#writeTime(item);
    return this.picture.draw(item, face, rings, now);
  }

  /** Writes what may differ from one moment to the next: the digits and the fields. */
  #writeTime(item) {
    const parts = shownParts(item);
    const digits = parts ? faceDigits(parts) : "--:--:--";
    text(this.digits, digits);
    this.digits.style.setProperty("--chars", Math.max(8, digits.length));
    if (parts) this.digits.setAttribute("aria-label", spoken(parts));
    const fields = facts(item);
    const key = JSON.stringify(fields.map(([label, words]) => [label, words]));
    if (key !== this.#lastFacts) {
      this.#lastFacts = key;
      put(this.facts, fields.map(([label, words]) => [el("dt", label), user("dd", words)]));
    }
  }

  #key(event) {
    const target = event.target;
    if (target.closest("input, select, textarea, dialog, [popover]")) return;
    // A button has keys of its own.
    if (target.closest("button, a") && (event.key === " " || event.key === "Enter")) return;
    const action = actionOf(event);
    if (action === "face") this.#choose("face", preferred("face", "digital") === "digital" ? "analogue" : "digital");
    else if (action === "rings") this.#choose("rings", preferred("rings", "three") === "three" ? "total" : "three");
    else if (action === "back" || action === "enlarge") this.#app.go("");
    else if (action === "next" || action === "previous") this.#move(action === "next" ? 1 : -1);
    else if (action === null || !this.#app.act(action, this.#id)) return;
    event.preventDefault();
  }

  /** Shows the item after or before this one in the list. */
  #move(distance) {
    const ids = this.#app.model.groups().flatMap(({ items }) => items.map(({ id }) => id));
    const place = ids.indexOf(this.#id);
    const id = ids[Math.min(Math.max(place + distance, 0), ids.length - 1)];
    if (place >= 0 && id !== this.#id) this.#app.go(`?id=${part(id)}`, { replace: true });
  }
}
