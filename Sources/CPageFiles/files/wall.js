// The wall display: one item, or as many as fit without scrolling. It shows what is there to show, and nothing else.
//
// `?wall` shows all that count or have dead deliveries; `id` (several), `label` and `group` choose. `face`, `rings` and
// `theme` are those of this display only. `controls` adds the controls of a single item.

import { Ticker } from "./draw.js";
import { ControlBar, actionOf } from "./controls.js";
import { count } from "./delivery-words.js";
import { el, put, sheet, text, visible } from "./dom.js";
import { passesLabel } from "./filter.js";
import { GROUPS, before, groupOf, hasDead } from "./items.js";
import { prefer, preferred, showTheme } from "./frame.js";
import { Single } from "./single.js";
import { Tiles, layout } from "./tiles.js";
import { timeOfDay } from "./time.js";

await sheet(new URL("watch.css", import.meta.url));

/** How long one page is shown if there are more items than fit, in milliseconds. */
const PAGE = 15_000;
/** How far everything moves each minute, in pixels, so that nothing burns into the screen. */
const SHIFTS = [[0, 0], [3, 2], [-2, 4], [-4, -2], [2, -4], [4, 0], [-3, 3], [0, -3]];

/** Opens the wall. */
export function open(root, query, app) {
  return new Wall(root, query, app);
}

/** What a wall without items says. */
function waiting({ state, reason }) {
  if (state === "out") return "Nobody is signed in.";
  return reason === "" ? "" : `Waiting for the daemon: ${reason}.`;
}

class Wall {
  #app;
  #query;
  #stops = [];
  #shown = null;
  #page = 0;
  #turned = 0;
  #lock = null;
  #reloading = 0;
  #hiding = 0;
  /** The ids that are on the screen, and what their places depend on. */
  #ids = [];
  #placed = "";

  constructor(root, query, app) {
    this.#app = app;
    this.stage = el("div.stage");
    this.old = el("p.news", { hidden: true });
    this.pages = el("p.pages.faint", { "aria-hidden": "true" });
    this.bar = new ControlBar(app);
    this.tools = el("div.row.tools-over",
      document.fullscreenEnabled ? el("button", { type: "button", onclick: () => this.#fill() }, "Full screen") : null,
      el("a.button", { href: "./" }, "All items"));
    root.classList.add("wall");
    put(root, el("h1.unseen", "Wall display"), this.stage, this.bar.node, this.old, this.pages, this.tools);
    this.#listen(window, "resize", () => this.#arrange());
    // The canvas has the colours of the theme it was drawn in.
    this.#listen(matchMedia("(prefers-color-scheme: dark)"), "change", () => this.#arrange(true));
    this.#listen(document, "visibilitychange", () => this.#stayAwake());
    this.#listen(document, "keydown", (event) => this.#key(event));
    this.#listen(document, "pointermove", () => this.#reveal());
    this.ticker = new Ticker(app.clock, (now) => this.#draw(now), 33);
    // What may have changed altogether may be the problems.
    this.#stops.push(app.model.on((ids) => (ids === null ? this.#tell() : this.#arrange())), app.feed.on(() => this.#tell()));
    this.update(query);
    this.#stayAwake();
    this.#reveal();
    this.#tell();
  }

  update(query) {
    this.#query = query;
    showTheme(query.get("theme") ?? preferred("theme", "auto"));
    this.#arrange(true);
  }

  close() {
    this.ticker.close();
    this.#lock?.release();
    clearTimeout(this.#reloading);
    showTheme(preferred("theme", "auto"));
    for (const stop of this.#stops) stop();
  }

  #listen(target, name, take) {
    target.addEventListener(name, take);
    this.#stops.push(() => target.removeEventListener(name, take));
  }

  /** The items of this wall, in order. An id that is not there stands for an item that may come back. */
  #items() {
    const { model } = this.#app;
    const ids = this.#query.getAll("id").filter((id) => id !== "");
    if (ids.length > 0 && !model.isLoaded && model.items.size === 0) return [];
    if (ids.length > 0) return ids.map((id) => model.items.get(id) ?? { id, isGone: true });
    const label = this.#query.get("label") ?? "";
    const group = GROUPS.find((name) => name.toLowerCase() === this.#query.get("group")?.toLowerCase());
    const isChosen = label !== "" || group !== undefined;
    const order = ["Running", "Upcoming", "Expired"];
    return [...model.items.values()]
      .filter((item) => passesLabel(item, label) && (group === undefined || groupOf(item) === group)
        && (isChosen || hasDead(item) || !["expired", "disabled", "idle"].includes(item.state)))
      .sort((one, other) => order.indexOf(groupOf(one)) - order.indexOf(groupOf(other)) || before(one, other));
  }

  #arrange(anew = false) {
    const items = this.#items();
    let shown = items;
    const { model, feed } = this.#app;
    const only = items.length === 1 ? items[0] : null;
    if (items.length === 0) {
      this.#shown = null;
      put(this.stage, el("p.nothing.faint", model.isLoaded ? "Nothing is counting." : waiting(feed)));
    } else if (only) {
      if (!(this.#shown instanceof Single)) put(this.stage, (this.#shown = new Single()).node);
    } else {
      if (!(this.#shown instanceof Tiles)) {
        put(this.stage, (this.#shown = new Tiles()).node);
        this.#placed = "";
      }
      const { clientWidth: width, clientHeight: height } = this.stage;
      const room = layout(items.length, width, height, parseFloat(getComputedStyle(document.documentElement).fontSize));
      const count = Math.ceil(items.length / room.most);
      if (this.#page >= count) this.#page = 0;
      shown = items.slice(this.#page * room.most, (this.#page + 1) * room.most);
      text(this.pages, count > 1 ? `${this.#page + 1} of ${count}` : "");
      this.count = count;
      const placed = JSON.stringify([shown.map(({ id }) => id), room, width, height]);
      if (anew || placed !== this.#placed) this.#shown.show(shown.length, room);
      else this.#shown.refresh();
      this.#placed = placed;
    }
    this.#ids = shown.map(({ id }) => id);
    if (!(this.#shown instanceof Tiles)) { text(this.pages, ""); this.count = 1; }
    this.bar.show(only && !only.isGone && this.#query.has("controls") ? this.#app.itemNow(only.id) : null);
    this.#app.title(only && !only.isGone ? visible(only.name) : "Wall");
    this.ticker?.wake();
  }

  #draw(now) {
    const minute = Math.floor(now / 60_000);
    const [x, y] = SHIFTS[minute % SHIFTS.length];
    this.stage.style.setProperty("transform", `translate(${x}px, ${y}px)`);
    let next = (minute + 1) * 60_000;
    if (this.count > 1) {
      // By the daemon's time, so that several displays turn together.
      const turn = Math.floor(now / PAGE);
      next = Math.min(next, (turn + 1) * PAGE);
      if (turn !== this.#turned) {
        if (this.#turned !== 0) this.#page = (this.#page + 1) % this.count;
        this.#turned = turn;
        this.#arrange();
      }
    }
    if (!this.#shown) return next;
    const isLive = this.#app.feed.state === "live";
    const look = { face: this.#look("face", "digital"), rings: this.#look("rings", "three"), isLive };
    return Math.min(next, this.#shown.draw(this.#ids, (id) => this.#app.itemNow(id, now), look, now));
  }

  #look(name, usual) {
    return this.#query.get(name) ?? preferred(name, usual);
  }

  /**
   * Says how the connection is, and whether files have problems. A display loads a newer page by itself, within a minute,
   * not all at once.
   */
  #tell() {
    const { state, since, isNewer, reason } = this.#app.feed;
    const problems = this.#app.model.problems.length;
    const isBroken = state === "live" && problems > 0;
    this.old.hidden = !isBroken && (state === "live" || (state === "loading" && reason === ""));
    this.old.dataset.state = isBroken ? "broken" : state;
    put(this.old, el("i", { "aria-hidden": "true" }), el("span", {
      lost: `since ${timeOfDay(since)} without news, counting on`, out: "signed out, counting on",
      live: `${count(problems, "problem")} in files, see the status`,
    }[state] ?? "connecting"));
    if (isNewer) this.#reloading ||= setTimeout(() => location.reload(), Math.random() * 60_000);
    this.#arrange();
  }

  async #stayAwake() {
    if (document.hidden) return;
    try {
      this.#lock = await navigator.wakeLock.request("screen");
    } catch {
      if (preferred("awake", "") === "") {
        prefer("awake", "told");
        this.#app.say(isSecureContext ? "this browser does not keep the screen on" : "over plain HTTP the screen may go dark");
      }
    }
  }

  #fill() {
    if (document.fullscreenElement) document.exitFullscreen();
    else document.documentElement.requestFullscreen().catch(() => {});
  }

  /** Shows the buttons while a pointer moves. */
  #reveal() {
    this.tools.classList.add("seen");
    clearTimeout(this.#hiding);
    this.#hiding = setTimeout(() => this.tools.classList.remove("seen"), 3_000);
  }

  #key(event) {
    if (event.target.closest("input, select, textarea, dialog, button, a, [popover]")) return;
    const action = actionOf(event);
    const items = this.#items();
    if (action === "back" || action === "enlarge") this.#app.go(items.length === 1 ? `?id=${items[0].id}` : "");
    else if (action === "face" || action === "rings") {
      const [one, other] = action === "face" ? ["digital", "analogue"] : ["three", "total"];
      prefer(action, this.#look(action, one) === one ? other : one);
      this.#query.delete(action);
      this.ticker.wake();
    } else if (action === "wall") this.#fill();
    else if (action === "help" || action === "theme") {
      this.#app.act(action);
      this.#arrange(true);
    }
    else if (items.length === 1 && this.#query.has("controls") && this.#app.act(action, items[0].id)) { /* done */ }
    else return;
    event.preventDefault();
  }
}
