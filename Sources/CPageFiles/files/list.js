// The list: all items in their groups, as a grid with one tab stop. Only the rows in sight exist.

import { part } from "./api.js";
import { Ticker } from "./draw.js";
import { ControlBar, actionOf } from "./controls.js";
import { el, put, set, text, visible } from "./dom.js";
import { at, isCounting, shownTime } from "./items.js";
import { Row } from "./row.js";
import { Filter } from "./filter.js";

/** The heights of a row and of a heading, in rem; a row on a narrow screen has two lines. */
const ROW = 4.25;
const HEAD = 3.25;

/** How long nothing is drawn if only words such as `2 hours ago` change, in milliseconds. */
const PAUSE = 20_000;

/** Kept while other views are open. */
const kept = { selected: null, scroll: 0 };

/** Opens the list. */
export function open(root, query, app) {
  return new List(root, query, app);
}

class List {
  #app;
  #filter;
  #entries = [];
  #tops = [];
  #height = 0;
  #rows = new Map();
  #heads = new Map();
  #nextSecond = 0;
  #printing = false;
  #order = -1;
  #wantsFocus = true;
  #stops = [];

  constructor(root, query, app) {
    this.#app = app;
    this.body = el("div.rows", { role: "rowgroup" });
    this.grid = el("div#grid.grid", { role: "grid", tabindex: "0", "aria-label": "Items", "aria-colcount": "4" }, this.body);
    this.bar = new ControlBar(app);
    this.foot = el("div.foot", { hidden: true }, el("div.inner", el("strong", { dir: "auto" }), this.bar.node));
    this.problems = el("div.notice.bad", { hidden: true });
    this.empty = el("div");
    this.#filter = new Filter(query, app, () => this.arrange());
    root.classList.add("list");
    put(root, el("h1.unseen", "Items"), this.#filter.node, this.problems, this.grid, this.empty, this.foot);
    app.title("");
    this.grid.addEventListener("keydown", (event) => this.#key(event));
    this.grid.addEventListener("click", (event) => this.#click(event));
    this.#listen(window, "scroll", () => this.#place());
    this.#listen(window, "resize", () => this.arrange());
    this.#listen(window, "beforeprint", () => this.#print(true));
    this.#listen(window, "afterprint", () => this.#print(false));
    this.ticker = new Ticker(app.clock, (now) => this.#draw(now));
    this.#stops.push(app.model.on((ids) => this.#changed(ids)), app.feed.on(() => this.#changed(null)));
    this.arrange();
    scrollTo(0, kept.scroll);
    this.#takeFocus();
  }

  update(query) {
    this.#filter.take(query);
    this.arrange();
  }

  close() {
    kept.scroll = scrollY;
    this.ticker.close();
    for (const stop of this.#stops) stop();
  }

  #listen(target, name, take) {
    target.addEventListener(name, take, { passive: true });
    this.#stops.push(() => target.removeEventListener(name, take));
  }

  /** Puts all items into their order and places. */
  arrange() {
    const { model } = this.#app;
    const rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
    const entries = [];
    this.#order = model.order;
    for (const { group, items } of this.#filter.apply(model.groups())) {
      entries.push({ head: group, count: items.length });
      for (const { id } of items) entries.push({ id });
    }
    this.#entries = entries;
    this.#tops = [];
    this.#height = 0;
    for (const entry of entries) {
      this.#tops.push(this.#height);
      this.#height += (entry.head ? HEAD : ROW) * rem;
    }
    this.body.style.setProperty("height", `${this.#height}px`);
    set(this.grid, { "aria-rowcount": entries.length, hidden: entries.length === 0 });
    this.#filter.count(model, entries.length > 0);
    this.#tellEmpty();
    this.#tellProblems();
    if (kept.selected !== null && model.isLoaded && !model.items.has(kept.selected)) this.#select(null);
    this.#place();
    this.#tellSelected();
    this.#takeFocus();
  }

  /** Takes the focus once there are rows, unless somebody has put it elsewhere. */
  #takeFocus() {
    if (!this.#wantsFocus || this.grid.hidden) return;
    this.#wantsFocus = false;
    const { activeElement } = document;
    if (activeElement === document.body || activeElement === this.grid.parentElement) this.grid.focus({ preventScroll: true, focusVisible: false });
  }

  /** Makes the rows that are in sight, and drops the others. */
  #place() {
    const from = this.#printing ? 0 : Math.max(0, scrollY - this.grid.offsetTop - 300);
    const to = this.#printing ? this.#height : scrollY - this.grid.offsetTop + innerHeight + 300;
    const shown = new Set();
    let isNew = false;
    let last = null;
    for (let index = this.#first(from); index < this.#entries.length && this.#tops[index] < to; index += 1) {
      const entry = this.#entries[index];
      const key = entry.head ?? entry.id;
      const all = entry.head ? this.#heads : this.#rows;
      shown.add(entry.head ? `head ${key}` : key);
      let row = all.get(key);
      if (!row) {
        row = entry.head ? { node: heading(entry.head) } : new Row(key);
        all.set(key, row);
        isNew = true;
        if (!entry.head) row.node.setAttribute("aria-selected", String(key === kept.selected));
      }
      if (entry.head) text(row.node.lastChild.lastChild, entry.count);
      if (row.index !== index) {
        row.index = index;
        set(row.node, { "aria-rowindex": index + 1 });
      }
      // The order of the elements is that of the rows, for whoever hears it.
      const place = last === null ? this.body.firstChild : last.nextSibling;
      if (row.node !== place) this.body.insertBefore(row.node, place);
      last = row.node;
      row.node.style.setProperty("transform", `translateY(${this.#tops[index]}px)`);
    }
    for (const [id, row] of this.#rows) if (!shown.has(id)) { row.node.remove(); this.#rows.delete(id); }
    for (const [head, row] of this.#heads) if (!shown.has(`head ${head}`)) { row.node.remove(); this.#heads.delete(head); }
    if (isNew) this.#showAll();
  }

  /** The first entry that reaches below a height. */
  #first(height) {
    let [low, high] = [0, this.#tops.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#tops[middle + 1] ?? this.#height) <= height) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #showAll() {
    const isLive = this.#app.feed.state === "live";
    for (const row of this.#rows.values()) {
      const item = this.#app.itemNow(row.id);
      if (item) row.show(item, isLive);
    }
    this.#nextSecond = 0;
    this.ticker?.wake();
  }

  #changed(ids) {
    if (ids === null) {
      this.arrange();
      return this.#showAll();
    }
    // Most changes are of what an item says, not of its place.
    if (this.#order !== this.#app.model.order || this.#filter.isActive) this.arrange();
    const isLive = this.#app.feed.state === "live";
    for (const id of ids) {
      const item = this.#app.itemNow(id);
      if (item) this.#rows.get(id)?.show(item, isLive);
    }
    this.#tellSelected();
    this.ticker.wake();
  }

  /** Draws what has moved, and returns when something moves next. */
  #draw(now) {
    // The daemon's clock may have been set back.
    const isSecond = now >= this.#nextSecond - 5 || this.#nextSecond > now + PAUSE;
    let next = Infinity;
    for (const row of this.#rows.values()) {
      const item = this.#app.model.items.get(row.id);
      if (!item) continue;
      if (isSecond) {
        const moved = at(item, now);
        row.show(moved, this.#app.feed.state === "live");
      } else if (now >= row.nextRing) row.showRing(at(item, now));
      next = Math.min(next, row.nextRing);
    }
    if (isSecond) this.#nextSecond = this.#second(now);
    return Math.min(next, this.#nextSecond);
  }

  /** The next full second of the selected item, or of the first that counts. The others are drawn with it. */
  #second(now) {
    const shown = [...this.#rows.values()].sort((one, other) => one.index - other.index)
      .map(({ id }) => this.#app.model.items.get(id)).filter((item) => item && isCounting(at(item, now)));
    const item = shown.find(({ id }) => id === kept.selected) ?? shown[0];
    if (!item) return now + PAUSE;
    const rest = (shownTime(at(item, now)) ?? 0) % 1_000;
    return now + (item.kind === "stopwatch" || rest === 0 ? 1_000 - rest : rest);
  }

  #tellEmpty() {
    const { model, feed } = this.#app;
    if (this.#entries.length > 0) return put(this.empty);
    if (model.items.size > 0) return put(this.empty, el("div.empty", el("p", "No item is like that."),
      el("p", el("button", { type: "button", onclick: () => this.#filter.clear() }, "Show all"))));
    if (!model.isLoaded) return put(this.empty, el("p.empty.waiting.faint", feed.reason === "" ? "Waiting for the daemon." : `Waiting for the daemon: ${feed.reason}.`));
    put(this.empty, el("div.empty", el("h2", "Nothing is defined yet."),
      el("p", "Write these lines into a file such as ", el("code", "tea.yaml"), " in the config directory. It is in force as soon as it is saved."),
      el("pre", "timers:\n  tea:\n    duration: 4m")));
  }

  #tellProblems() {
    const { problems } = this.#app.model;
    this.problems.hidden = problems.length === 0;
    put(this.problems, problems.slice(0, 5).map((line) => el("div", { dir: "auto" }, visible(line))),
      problems.length > 5 ? el("div", `and ${problems.length - 5} more`) : null);
  }

  // Selection and keys

  #click(event) {
    const id = event.target.closest("[role=row]")?.id;
    if (id?.startsWith("row-") && !event.target.closest("a")) this.#select(id.slice(4));
  }

  #select(id) {
    for (const name of [kept.selected, id]) {
      this.#rows.get(name)?.node.setAttribute("aria-selected", String(name === id));
    }
    kept.selected = id;
    this.#tellSelected();
    if (this.ticker) { this.#nextSecond = 0; this.ticker.wake(); }
  }

  #tellSelected() {
    const item = kept.selected === null ? undefined : this.#app.itemNow(kept.selected);
    this.bar.show(item);
    this.foot.hidden = !item || this.bar.node.childElementCount === 0;
    if (item) text(this.foot.querySelector("strong"), visible(item.name));
    set(this.grid, { "aria-activedescendant": item && this.#rows.has(item.id) ? `row-${item.id}` : null });
  }

  #key(event) {
    const action = actionOf(event);
    if (action === null) return;
    const ids = () => this.#entries.filter(({ id }) => id);
    const page = Math.max(1, Math.floor(innerHeight / (ROW * 16)) - 2);
    const moves = { next: 1, previous: -1, pageDown: page, pageUp: -page, first: -Infinity, last: Infinity };
    if (action in moves) {
      const all = ids();
      const place = all.findIndex(({ id }) => id === kept.selected);
      const to = place < 0 && Number.isFinite(moves[action]) ? 0 : Math.min(Math.max(place + moves[action], 0), all.length - 1);
      if (all[to]) this.#reveal(all[to].id);
    } else if (action === "enlarge") {
      if (kept.selected !== null) this.#app.go(`?id=${part(kept.selected)}`);
    } else if (action === "search") this.#filter.focus();
    else if (action === "back") { if (!this.#filter.clear()) this.#select(null); }
    else if (!this.#app.act(action, kept.selected)) return;
    event.preventDefault();
  }

  /** Selects an item and scrolls so that it is in sight, with the heading above it. */
  #reveal(id) {
    const index = this.#entries.findIndex((entry) => entry.id === id);
    const top = this.grid.offsetTop + this.#tops[index > 0 && this.#entries[index - 1].head ? index - 1 : index];
    const bottom = this.grid.offsetTop + (this.#tops[index + 1] ?? this.#height);
    const room = innerHeight - (this.foot.hidden ? 90 : this.foot.offsetHeight + 16);
    if (top < scrollY) scrollTo(0, index <= 1 ? 0 : top - 8);
    else if (bottom > scrollY + room) scrollTo(0, bottom - room);
    this.#place();
    this.#select(id);
  }

  #print(isOn) {
    this.#printing = isOn;
    this.#place();
  }
}

function heading(group) {
  return el("div.group", { role: "row" }, el("div", { role: "gridcell", "aria-colspan": "4" }, el("h2", group), el("span.count")));
}
