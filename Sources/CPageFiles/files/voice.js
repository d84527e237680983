// What the page says: short texts on the screen, and one region that screen readers speak.

import { text, visible } from "./dom.js";

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
