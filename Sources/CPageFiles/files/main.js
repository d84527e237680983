// The page begins here: it builds the application, and opens the view that the address asks for.

import { Session } from "./api.js";
import { perform } from "./controls.js";
import { el, put } from "./dom.js";
import { Feed } from "./feed.js";
import { Head, Voice, preferred, showTheme } from "./frame.js";
import { at } from "./items.js";
import { DaemonClock, Model } from "./model.js";

// A view is a module with `open(root, query, app)`, which fills the element `root` for the query of the address and returns
// `{ close() }`, or that with `update(query)`, which takes a new query of the same view. Its files come when it is opened.

/**
 * The views, most special first. `level` is what somebody needs to use it. The first whose key is in the query is
 * opened, the last one for all others.
 */
const views = [
  { key: "wall", level: "read", load: () => import("./wall.js") },
  { key: "deliveries", level: "control", load: () => import("./deliveries.js") },
  { key: "status", level: "read", load: () => import("./status.js") },
  { key: "new", level: "control", load: () => import("./add.js") },
  { key: "edit", level: "edit", load: () => import("./edit.js") },
  { key: "file", level: "edit", load: () => import("./edit.js") },
  { key: "id", level: "read", load: () => import("./item.js") },
  { key: null, level: "read", load: () => import("./list.js") },
];

/** The view for a query. */
function viewFor(query) {
  return views.find((view) => view.key === null || query.has(view.key));
}

const ORDER = ["read", "control", "edit"];
const root = document.getElementById("view");
const clock = new DaemonClock();
const voice = new Voice(document.getElementById("voice"), document.getElementById("toast"));
const model = new Model((former, item) => voice.ended(former, item, clock.now()));
const feed = new Feed(model, clock);
const session = new Session();

/** What every view is given. */
const app = {
  /** The daemon's clock, all items, and the connection. */
  clock,
  model,
  feed,
  /** Who is signed in. */
  session,

  /** What this session may do: `read`, `control` or `edit`; null for nothing, undefined until the daemon has said so. */
  get level() {
    return session.level;
  },

  /** Whether this session may do what needs a level. */
  may(level) {
    return ORDER.indexOf(session.level ?? "") >= ORDER.indexOf(level);
  },

  /** Whether there is a view with a key, and this session may use it. */
  offers(key) {
    const view = views.find((view) => view.key === key);
    return view !== undefined && this.may(view.level);
  },

  /** Calls `listener` after changes of items, at most once a frame. Returns a function that ends it. */
  onChange(listener) {
    return model.on(listener);
  },

  /** The item with an id as it is now, undefined if there is none. */
  itemNow(id, now = clock.now()) {
    const item = model.items.get(id);
    return item && at(item, now);
  },

  /** Opens the view of a query such as `?id=tea`, or the list for an empty one. */
  go(query, { replace = false } = {}) {
    const url = query === "" ? location.pathname : query;
    if (replace) history.replaceState(null, "", url);
    else history.pushState(null, "", url);
    return show();
  },

  /** The part of the title before `tminus`; empty for none. */
  title(words) {
    named = words;
    title();
  },

  /** Shows a short text for some seconds, and speaks it. */
  say(words, { problem = false } = {}) {
    voice.say(words, problem);
  },

  /** Does what an action asks for, to the item with an id where it needs one. Returns whether it was one for all views. */
  act(action, id) {
    if (action === "help") head.help();
    else if (action === "theme") head.turn();
    else if (action === "wall") app.go(id && current.view.key === "id" ? `?wall&id=${id}` : "?wall");
    else if (action === "new") { if (app.offers("new")) app.go("?new=event"); }
    else if (action === "edit") { if (app.offers("edit") && id) app.go(`?edit=${id}`); }
    else if (CONTROLS.has(action)) { if (app.may("control")) perform(app, action, id); }
    else return false;
    return true;
  },
};

const CONTROLS = new Set(["pauseOrResume", "start", "stop", "reset", "lap", "add", "snooze", "skip", "mute", "unmute", "remove"]);

let current = null;
let shown = 0;
let named = "";
let isFollowing = false;

function title() {
  const page = named === "" ? "tminus" : `${named} · tminus`;
  const said = { lost: `old · ${page}`, out: `signed out · ${page}` }[feed.state] ?? page;
  const whole = feed.state === "lost" || model.needsPerson ? `! ${said}` : said;
  if (document.title !== whole) document.title = whole;
}

/** Opens the view of the address; `anew` even if it is the one that is open. */
async function show(anew = false) {
  const query = new URLSearchParams(location.search);
  const asked = viewFor(query);
  // What needs more than reading waits until the daemon has said what this session may do.
  if (session.level === undefined && asked.level !== "read") return;
  // Without the right to a view, the list is shown.
  const view = session.level && !app.may(asked.level) ? viewFor(new URLSearchParams()) : asked;
  if (!anew && current?.view === view && current.opened.update) return current.opened.update(query);
  const number = ++shown;
  let module;
  try {
    module = await view.load();
  } catch {
    if (number === shown) fail();
    return;
  }
  // Another view was asked for meanwhile.
  if (number !== shown) return;
  const isFirst = current === null;
  current?.opened.close();
  put(root);
  root.className = "view";
  scrollTo(0, 0);
  // Before `open`, which may ask for another view at once.
  current = { view, opened: { close() {} } };
  document.documentElement.dataset.view = view.key ?? "list";
  current.opened = module.open(root, query, app) ?? current.opened;
  if (!isFirst && !root.contains(document.activeElement)) root.focus({ preventScroll: true });
}

/** A module is gone after an update of the daemon, or it does not answer. */
function fail() {
  put(root, el("div.empty", el("h1", "This part of the page did not load."),
    el("p", "The daemon does not answer, or it was updated and the page is an old one."),
    el("p", el("button.primary", { onclick: () => location.reload() }, "Load the page again"))));
}

/** Links within the page open their view without loading the page anew. */
document.addEventListener("click", (event) => {
  const link = event.target.closest?.("a[href]");
  if (!link || event.defaultPrevented || event.button !== 0 || link.target !== "") return;
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  const href = link.getAttribute("href");
  if (!href.startsWith("?") && href !== "./") return;
  event.preventDefault();
  app.go(href === "./" ? "" : href);
});

addEventListener("popstate", () => show());
showTheme(new URLSearchParams(location.search).get("theme") ?? preferred("theme", "auto"));
const head = new Head(app, document.getElementById("head"));
model.on(title);
feed.on(() => {
  title();
  document.documentElement.dataset.feed = feed.state;
  voice.connection(feed);
});
session.on((former) => {
  if (session.level === null) return signIn();
  // The first answer only says what the items that come already may be used for.
  if (former !== undefined || feed.state === "out" || !isFollowing) follow();
  // What a view offers depends on the level. What is filled in and not saved is kept.
  show(former !== undefined && former !== session.level);
});
begin();

function follow() {
  isFollowing = true;
  feed.start();
}

/** Opens the dialog to sign in. */
async function signIn(reason) {
  (await import("./sign-in.js")).openSignIn(session, reason);
}

/** Signs in if the address has a code. Otherwise the items do not wait for the answer to who is signed in. */
async function begin() {
  const hasCode = location.hash.includes("code=");
  if (!hasCode) follow();
  show();
  try {
    await session.begin();
  } catch (problem) {
    if (!hasCode) return;
    // The code is of no use. Whoever may read without one goes on as a reader, behind the dialog.
    await session.ask().catch(() => {});
    if (session.level === undefined && !isFollowing) follow();
    signIn(problem.message);
  }
}
