// The list of all items.

import { el, put, user } from "./dom.js";
import { get, part } from "./api.js";

/** Opens the list. */
export function open(root, query, app) {
  app.title("");
  get("items?limit=100").then(
    (items) => put(root, el("ul", items.map((item) => el("li", user("a", item.name, { href: `?id=${part(item.id)}` }))))),
    (problem) => app.say(problem.message, { problem: true }),
  );
  return { close() {} };
}
