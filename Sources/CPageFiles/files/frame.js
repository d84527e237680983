// What is around every view: the head of the page, what the page says, and what this browser prefers.

import { el, put, set, svg, text, user, visible } from "./dom.js";
import { KEYS } from "./controls.js";
import { timeOfDay } from "./time.js";

const THEMES = { auto: "Auto", light: "Light", dark: "Dark" };

/** What the signs of the menu and of the status mean. */
const NEED = "something needs a person";

/** The names of the levels. */
const LEVELS = { read: "read only", control: "control", edit: "edit" };

/** Builds the head and keeps it true. */
export class Head {
  #app;
  #news = el("span.news", { "data-state": "loading" }, el("i", { "aria-hidden": "true" }), el("span"));
  #notice = el("div.old", { hidden: true });
  #add = el("a.button.primary", { href: "?new=event", hidden: true }, el("span", { "aria-hidden": "true" }, "+"), " Add");
  #links;
  /** What is there only while something needs a person: the signs, and the words of the second one. */
  #signs = [sign(), sign(), el("span.unseen", { hidden: true }, NEED)];
  #button = el("button.quiet", { type: "button", popovertarget: "menu" }, dots(), this.#signs[0]);
  #session = el("button.quiet", { type: "button", "aria-haspopup": "dialog", onclick: () => this.#openSession() });
  #themes = Object.entries(THEMES).map(([theme, words]) =>
    el("button.quiet", { type: "button", "data-theme-choice": theme, onclick: () => this.choose(theme) }, words));

  constructor(app, root) {
    this.#app = app;
    const link = (href, words, key) => el("a.button.quiet", { href, "data-key": key }, words);
    const menu = el("div#menu.menu", { popover: "auto" },
      el("nav", { "aria-label": "Views" }, link("./", "All items", ""), link("?wall", "Wall display", "wall"),
        link("?deliveries", "Deliveries", "deliveries"), link("?status", ["Status", this.#signs.slice(1)], "status")),
      el("div.themes", { role: "group", "aria-label": "Theme" }, this.#themes),
      el("button.quiet", { type: "button", onclick: () => { menu.hidePopover(); this.help(); } }, "Keys", el("kbd", "?")),
      this.#session);
    this.#links = [...menu.querySelectorAll("a")];
    menu.addEventListener("click", (event) => { if (event.target.closest("a")) menu.hidePopover(); });
    put(root,
      el("div.bar", el("a.brand", { href: "./", "aria-label": "tminus, all items" }, mark(), "tminus"), this.#news,
        el("span.gap"), this.#add, this.#button, menu),
      this.#notice);
    this.choose(preferred("theme", "auto"), false);
    app.feed.on(() => this.show());
    app.session.on(() => this.show());
    app.model.on(() => this.#mark());
    this.show();
    this.#mark();
  }

  /** Marks the menu, and in it the way to the status, while something needs a person. */
  #mark() {
    const isMarked = this.#app.model.needsPerson;
    set(this.#button, { "aria-label": isMarked ? `Menu: ${NEED}` : "Menu" });
    for (const node of this.#signs) node.hidden = !isMarked;
  }

  /** Shows how the connection is. */
  show() {
    const { state, since, reason, isNewer } = this.#app.feed;
    const clock = timeOfDay(since);
    const [short, long] = {
      loading: ["connecting", reason],
      live: ["live", ""],
      lost: [`since ${clock}`, `Since ${clock} without news (${reason}). Everything counts on by itself.`],
      out: ["signed out", "Nobody is signed in. What was there stays, and counts on."],
    }[state];
    this.#news.dataset.state = state;
    text(this.#news.lastChild, short);
    const { name, level } = this.#app.session;
    put(this.#session, name ? [user("bdi", name), el("span.faint", LEVELS[level] ?? "")] : "Sign in");
    this.#add.hidden = !this.#app.offers("new");
    for (const link of this.#links) link.hidden = link.dataset.key !== "" && !this.#app.offers(link.dataset.key);
    const newer = state === "live" && isNewer ? "The daemon was updated." : "";
    const words = newer || long;
    this.#notice.hidden = words === "";
    put(this.#notice, el("span", words),
      newer ? el("button", { type: "button", onclick: () => location.reload() }, "Load the new page") : null);
  }

  async #openSession() {
    (await import("./sign-in.js")).openSession(this.#app.session);
  }

  /** Takes a theme, and keeps it in this browser. */
  choose(theme, keep = true) {
    if (keep) {
      prefer("theme", theme === "auto" ? null : theme);
      showTheme(theme);
    }
    for (const button of this.#themes) button.setAttribute("aria-pressed", String(button.dataset.themeChoice === theme));
  }

  /** Takes the next theme. */
  turn() {
    const all = Object.keys(THEMES);
    const theme = all[(all.indexOf(preferred("theme", "auto")) + 1) % all.length];
    this.choose(theme);
    this.#app.say(`theme: ${THEMES[theme].toLowerCase()}`);
  }

  /** Shows all keys. */
  help() {
    const rows = KEYS.filter(({ label, level }) => label !== null && (!level || this.#app.may(level)));
    const dialog = el("dialog.keys", { "aria-labelledby": "keys", onclose: () => dialog.remove() },
      el("form", { method: "dialog" }, el("h2#keys", "Keys"),
        el("dl", { tabindex: "0" }, rows.map(({ label, does }) => [el("dt", el("kbd", label)), el("dd", does)])),
        el("p.faint.small", "Keys act while the list or an item has the focus."),
        el("div.row", el("button.primary", { autofocus: true }, "Close"))));
    document.body.append(dialog);
    dialog.showModal();
  }
}

function mark() {
  return svg("svg", { viewBox: "0 0 32 32", "aria-hidden": "true" },
    svg("circle", { cx: 16, cy: 16, r: 12 }), svg("path", { d: "M16 4a12 12 0 1 1-12 12" }));
}

function dots() {
  return svg("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" },
    [5, 12, 19].map((y) => svg("path", { d: `M4 ${y}h16` })));
}

/** The sign of what needs a person. Whoever hears the page is told by words instead. */
function sign() {
  return el("span.sign", { "aria-hidden": "true", hidden: true }, "!");
}

/** The least time between two announcements that nobody asked for, in milliseconds. */
const PAUSE = 10_000;

/** Speaks, and shows answers for some seconds. */
export class Voice {
  #region;
  #toast;
  #hiding = 0;
  #ended = [];
  #timer = 0;
  #state = "loading";

  constructor(region, toast) {
    [this.#region, this.#toast] = [region, toast];
  }

  /** An answer to what somebody did. */
  say(words, isProblem = false) {
    clearTimeout(this.#hiding);
    text(this.#toast, words);
    this.#toast.classList.toggle("problem", isProblem);
    this.#toast.hidden = false;
    text(this.#region, words);
    this.#hiding = setTimeout(() => { this.#toast.hidden = true; }, isProblem ? 8_000 : 5_000);
  }

  /** The connection was lost, or is back. */
  connection({ state }) {
    if (state === this.#state) return;
    const former = this.#state;
    this.#state = state;
    if (state === "lost") text(this.#region, "The connection is lost. The page counts on by itself.");
    if (state === "out") text(this.#region, "Nobody is signed in any more.");
    if (state === "live" && former !== "loading") text(this.#region, "The connection is back.");
  }

  /** An item was `former` and is `item` now: tells if that is its end. Several within ten seconds are told as a number. */
  ended(former, item, now) {
    const counted = former.state === "running" || former.state === "upcoming";
    const isOver = counted && former.kind !== "stopwatch" && former.due !== null && former.due <= now + 1_000;
    if (!isOver || (item.due === former.due && item.state === former.state)) return;
    this.#ended.push(visible(item.name));
    this.#timer ||= setTimeout(() => this.#tellEnded(), this.#ended.length === 1 ? 200 : PAUSE);
  }

  #tellEnded() {
    const all = this.#ended;
    this.#ended = [];
    this.#timer = 0;
    if (all.length === 0) return;
    text(this.#region, all.length === 1 ? `${all[0]} has ended` : `${all.length} items have ended`);
    this.#timer = setTimeout(() => this.#tellEnded(), PAUSE);
  }
}

// What this browser prefers is kept here only, and only if the browser keeps anything.

const PREFIX = "tminus.";

/** The preference with a name, or `usual`. */
export function preferred(name, usual) {
  try {
    return localStorage.getItem(PREFIX + name) ?? usual;
  } catch {
    return usual;
  }
}

/** Keeps a preference; null forgets it. */
export function prefer(name, value) {
  try {
    if (value === null) localStorage.removeItem(PREFIX + name);
    else localStorage.setItem(PREFIX + name, value);
  } catch {
    // A browser that keeps nothing shows the usual.
  }
}

/** Shows the page in a theme: `dark`, `light`, or `auto` for that of the system. */
export function showTheme(theme) {
  const root = document.documentElement;
  if (theme === "dark" || theme === "light") root.dataset.theme = theme;
  else delete root.dataset.theme;
}
