// What of the list is shown: search, group, label and order. It is in the address, so links and back work.

import { withQuery } from "./api.js";
import { el, text } from "./dom.js";
import { GROUPS } from "./items.js";

const ORDERS = { due: "by time", name: "by name" };

/** The toolbar above the list, and what it lets through. */
export class Filter {
  #app;
  #values = {};
  #changed;
  #search = el("input", { type: "search", placeholder: "Search", "aria-label": "Search all items", "aria-keyshortcuts": "/", autocomplete: "off", spellcheck: "false" });
  #groups = new Map();
  #label = el("button.quiet.label", { type: "button", hidden: true });
  #order = el("select", { "aria-label": "Order" }, Object.entries(ORDERS).map(([value, words]) => el("option", { value }, words)));
  #haystacks = new WeakMap();
  #typing = 0;

  constructor(query, app, changed) {
    [this.#app, this.#changed] = [app, changed];
    for (const group of GROUPS) {
      this.#groups.set(group, el("button.quiet", { type: "button", "aria-pressed": "false", onclick: () => this.#choose(group) }, group, el("span.count")));
    }
    this.#search.addEventListener("input", () => {
      clearTimeout(this.#typing);
      this.#typing = setTimeout(() => this.#set({ q: this.#search.value.trim() }), 80);
    });
    this.#search.addEventListener("keydown", (event) => {
      if (event.key === "Escape" && this.#search.value === "" || event.key === "Enter" || event.key === "ArrowDown") {
        document.getElementById("grid").focus();
        event.preventDefault();
      }
    });
    this.#order.addEventListener("change", () => this.#set({ sort: this.#order.value === "due" ? "" : this.#order.value }));
    this.#label.addEventListener("click", () => this.#set({ label: "" }));
    this.node = el("div.tools", { role: "search" }, this.#search, this.#order, this.#label,
      el("div.groups", { role: "group", "aria-label": "Groups" }, [...this.#groups.values()]));
    this.take(query);
  }

  /** Takes what the address says. */
  take(query) {
    const group = GROUPS.find((name) => name.toLowerCase() === query.get("group")?.toLowerCase()) ?? "";
    this.#values = { q: query.get("q") ?? "", group, label: query.get("label") ?? "", sort: query.get("sort") ?? "" };
    if (document.activeElement !== this.#search) this.#search.value = this.#values.q;
    this.#order.value = this.#values.sort === "name" ? "name" : "due";
    for (const [name, button] of this.#groups) button.setAttribute("aria-pressed", String(name === group));
    this.#label.hidden = this.#values.label === "";
    text(this.#label, `${this.#values.label} ×`);
    this.#label.setAttribute("aria-label", `Show items of all labels, not only ${this.#values.label}`);
  }

  /** The groups with the items that pass, in the order that was asked for. */
  apply(groups) {
    const { q, group, label, sort } = this.#values;
    const terms = q.toLowerCase().split(/\s+/).filter((term) => term !== "");
    const passes = (item) => passesLabel(item, label) && terms.every((term) => this.#haystack(item).includes(term));
    return groups.filter((one) => group === "" || one.group === group)
      .map((one) => ({ group: one.group, items: terms.length > 0 || label !== "" ? one.items.filter(passes) : one.items }))
      .filter(({ items }) => items.length > 0)
      .map((one) => (sort === "name" ? { ...one, items: one.items.toSorted((a, b) => a.name.localeCompare(b.name) || (a.id < b.id ? -1 : 1)) } : one));
  }

  /** Shows how many items each group has. */
  count(model) {
    const counts = new Map(model.groups().map(({ group, items }) => [group, items.length]));
    for (const [group, button] of this.#groups) text(button.lastChild, counts.get(group) ?? 0);
    this.node.hidden = model.items.size === 0;
  }

  /** Whether it lets only some through. */
  get isActive() {
    return this.#values.q !== "" || this.#values.group !== "" || this.#values.label !== "";
  }

  /** Shows everything again. Returns whether there was anything to clear. */
  clear() {
    if (!this.isActive) return false;
    this.#search.value = "";
    this.#set({ q: "", group: "", label: "" });
    return true;
  }

  /** Puts the focus into the search. */
  focus() {
    this.#search.focus();
    this.#search.select();
  }

  #choose(group) {
    this.#set({ group: this.#values.group === group ? "" : group });
  }

  #set(values) {
    const { q, group, label, sort } = { ...this.#values, ...values };
    this.#app.go(withQuery("", { q, group: group.toLowerCase(), label, sort }), { replace: true });
  }

  /** What a search looks at: name, id, description, kind, state, labels and file. */
  #haystack(item) {
    let words = this.#haystacks.get(item);
    if (words === undefined) {
      const labels = Object.entries(item.labels).map(([key, value]) => `${key}=${value} ${key}:${value}`);
      words = [item.name, item.id, item.description, item.kind, item.state, ...labels, item.file].join("\n").toLowerCase();
      this.#haystacks.set(item, words);
    }
    return words;
  }
}

/** Whether an item has a label such as `team:web`, or any value of `team`. */
export function passesLabel(item, label) {
  if (label === "") return true;
  const colon = label.indexOf(":");
  return colon < 0 ? label in item.labels : item.labels[label.slice(0, colon)] === label.slice(colon + 1);
}
