// One item on the wall, as large as there is room for.

import { el, text, user, visible } from "./dom.js";
import { isOverdue, shownParts, stateWords } from "./items.js";
import { Picture } from "./picture.js";
import { faceDigits, spoken } from "./time.js";

/** Shows one item. */
export class Single {
  #picture = new Picture();
  #name = user("p.name", "");
  #digits = el("p.clock", { role: "timer" });
  #state = el("p.state.faint");
  node = el("div.single", this.#picture.node, el("div.tell", this.#name, this.#digits, this.#state));

  /** Draws the item with an id as `find` has it, and returns when something moves next. */
  draw([id], find, { face, rings, isLive }, now) {
    const item = find(id);
    this.node.classList.toggle("is-gone", !item);
    if (!item) {
      text(this.#name, id);
      text(this.#digits, "--:--:--");
      text(this.#state, "not there any more; waiting for it to come back");
      return Infinity;
    }
    const parts = shownParts(item);
    const digits = parts ? faceDigits(parts) : "--:--:--";
    text(this.#name, visible(item.name));
    text(this.#digits, digits);
    if (parts) this.#digits.setAttribute("aria-label", spoken(parts));
    this.node.style.setProperty("--chars", digits.length);
    const words = !isLive && isOverdue(item) ? "due, not confirmed" : stateWords(item);
    text(this.#state, words === "upcoming" || words === "running" ? "" : words);
    return this.#picture.draw(item, face, rings, now);
  }
}
