// One row of the list. It exists only while it is in sight, and writes only what has changed.

import { part } from "./api.js";
import { el, svg, text, user, visible } from "./dom.js";
import { comingReminder, fraction, inkCSS, inkOf, isCounting, isFailing, isOverdue, lastWords, rowTime, shownParts, stateWords } from "./items.js";
import { Rings, step } from "./draw.js";
import { dateTime, spoken } from "./time.js";

/** The radius of the ring of a row, in CSS pixels. */
const RADIUS = 17;

/** The row of an item. */
export class Row {
  /** When the ring has to be drawn again, as an instant of the daemon. */
  nextRing = 0;

  #rings = new Rings(1, 13);
  #dot = svg("circle.dot", { cx: 50, cy: 50, r: 9 });
  #name = user("a", "", { tabindex: "-1" });
  #state = el("span.state");
  #due = el("span.due");
  #more = el("span.next");
  #time = el("span", { role: "timer" });
  #texts = new Map();

  constructor(id) {
    this.id = id;
    this.#rings.node.append(this.#dot);
    this.#name.href = `?id=${part(id)}`;
    const cell = (name, ...parts) => el(`div.${name}`, { role: "gridcell" }, parts);
    this.node = el("div.item", { role: "row", id: `row-${id}`, "aria-selected": "false" },
      cell("ring", this.#rings.node), cell("name", this.#name, this.#state), cell("when", this.#due, this.#more),
      cell("time", this.#time));
  }

  /** Shows everything of an item as it is now. `isLive` says whether what it shows is confirmed. */
  show(item, isLive) {
    const ink = inkOf(item);
    const overdue = !isLive && isOverdue(item);
    this.#write(this.#name, visible(item.name));
    this.#write(this.#state, (overdue ? "due, not confirmed" : stateWords(item)) + (item.id === item.name ? "" : ` · ${item.id}`));
    this.#write(this.#due, item.due === null ? "" : `${dateTime(item.due, item.timezone)}`);
    const next = item.reminder;
    const lead = next === null ? "" : next.lead + (next.silence ? `, ${next.silence}` : "");
    this.#write(this.#more, [lead, lastWords(item)].filter((words) => words !== "").join(" · "));
    this.node.classList.toggle("failing", isFailing(item));
    this.node.dataset.state = item.state;
    this.node.style.setProperty("--ink", inkCSS(ink));
    this.#dot.setAttribute("visibility", comingReminder(item) ? "visible" : "hidden");
    this.showTime(item);
    this.showRing(item);
  }

  /** Shows the time. */
  showTime(item) {
    this.#write(this.#time, rowTime(item));
    const parts = shownParts(item);
    // The words change once a minute, so a screen reader that looks finds something that stays for a while.
    if (parts) this.#label(item.state === "expired" ? rowTime(item) : spoken(parts));
  }

  /** Shows the ring, and notes when it moves next. */
  showRing(item) {
    const share = item.state === "expired" || item.state === "disabled" ? null : fraction(item);
    this.#rings.show([share, inkOf(item)]);
    this.nextRing = share !== null && share > 0 && isCounting(item) ? item.asOf + step(RADIUS, item.total) : Infinity;
  }

  #label(words) {
    if (this.#texts.get("label") === words) return;
    this.#texts.set("label", words);
    this.#time.setAttribute("aria-label", words);
  }

  #write(node, words) {
    if (this.#texts.get(node) === words) return;
    this.#texts.set(node, words);
    text(node, words);
  }
}
