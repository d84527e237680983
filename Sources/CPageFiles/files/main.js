// The page begins here: it builds the application, and opens the view that the address asks for.

import { put, el, text } from "./dom.js";
import { prefer, preferred, showTheme } from "./prefs.js";
import { viewFor } from "./views.js";

const order = ["read", "control", "edit"];
const root = document.getElementById("view");

/** What every view is given. */
const app = {
  /** What this session may do: `read`, `control` or `edit`. */
  level: "read",

  /** Whether this session may do what needs `level`. */
  may(level) {
    return order.indexOf(this.level) >= order.indexOf(level);
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
    document.title = words === "" ? "tminus" : `${words} · tminus`;
  },

  /** Shows a short text for some seconds, and speaks it. */
  say(words, { problem = false } = {}) {
    say(words, problem);
  },
};

let current = null;
let shown = 0;

async function show() {
  const query = new URLSearchParams(location.search);
  const view = viewFor(query);
  if (current?.view === view && current.opened.update) return current.opened.update(query);
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
  current?.opened.close();
  put(root);
  root.className = "view";
  current = { view, opened: module.open(root, query, app) };
}

/** A module is gone after an update of the daemon, or it does not answer. */
function fail() {
  put(root, el("div.empty", el("h1", "This part of the page did not load."),
    el("p", "The daemon does not answer, or it was updated and the page is an old one."),
    el("p", el("button.primary", { onclick: () => location.reload() }, "Load the page again"))));
}

let hiding = 0;

function say(words, problem) {
  const toast = document.getElementById("toast");
  clearTimeout(hiding);
  text(toast, words);
  toast.classList.toggle("problem", problem);
  toast.hidden = false;
  text(document.getElementById("voice"), words);
  hiding = setTimeout(() => { toast.hidden = true; }, problem ? 8_000 : 5_000);
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

addEventListener("popstate", show);
showTheme(new URLSearchParams(location.search).get("theme") ?? preferred("theme", "auto"));
show();
