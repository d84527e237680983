// One item on the wall, as large as there is room for.

import { el, text, user, visible } from "./dom.js";
import { isFailing, isOverdue, shownParts, stateWords } from "./items.js";
import { Picture } from "./picture.js";
import { faceDigits, spoken } from "./time.js";

/** What the wall says of the state of an item, and whether that is bad. What only counts needs no words. */
export function wallState(item, isLive) {
  const isUnsure = !isLive && isOverdue(item);
  const words = isUnsure ? "due, not confirmed" : stateWords(item);
  return { words: words === "upcoming" || words === "running" ? "" : words, isBad: isUnsure || isFailing(item) };
}

/** Shows one item. */
export class Single {
  #picture = new Picture();
  /** The id of the item that was shown last. */
  #last = null;
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
      text(this.#state, id === this.#last ? "not there any more; waiting for it to come back"
        : "there is no such item; when one comes it is shown here");
      this.#state.classList.remove("bad");
      return Infinity;
    }
    this.#last = id;
    const parts = shownParts(item);
    const digits = parts ? faceDigits(parts) : "--:--:--";
    text(this.#name, visible(item.name));
    text(this.#digits, digits);
    if (parts) this.#digits.setAttribute("aria-label", spoken(parts));
    this.node.style.setProperty("--chars", digits.length);
    const { words, isBad } = wallState(item, isLive);
    text(this.#state, words);
    this.#state.classList.toggle("bad", isBad);
    return this.#picture.draw(item, face, rings, now);
  }
}
