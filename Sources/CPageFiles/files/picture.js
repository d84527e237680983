// The picture of an item: three rings of what is left of the day, the hour and the minute, one ring of the total, or an
// analogue face.

import { inkOf, fraction, isCounting, shares, shownTime } from "./items.js";
import { Dial, Rings, step } from "./ring.js";
import { el } from "./dom.js";

/** The wholes of the three rings, in milliseconds. */
const WHOLES = [86_400_000, 3_600_000, 60_000];

/** Draws one item large. */
export class Picture {
  node = el("div.picture");
  #kind = null;
  #drawing = null;

  /** Draws an item as it is now, and returns the daemon's time at which something moves next. */
  draw(item, face, rings, now) {
    const time = shownTime(item) ?? item.total;
    const share = fraction(item);
    const kind = time === null ? null : face === "analogue" ? "dial" : rings === "total" && share !== null ? "total" : "three";
    if (kind !== this.#kind) {
      this.#kind = kind;
      this.#drawing = kind === null ? null : kind === "dial" ? new Dial() : kind === "total" ? new Rings(1, 8) : new Rings(3, 8);
      this.node.replaceChildren(...(this.#drawing ? [this.#drawing.node] : []));
    }
    const ink = inkOf(item);
    if (kind === "dial") this.#drawing.show(item.kind === "stopwatch" ? Math.floor(time / 1_000) * 1_000 : Math.ceil(time / 1_000) * 1_000, ink);
    else if (kind === "total") this.#drawing.show([share, ink]);
    else if (kind === "three") {
      const [hours, minutes, seconds] = shares(time);
      this.#drawing.show([hours, "blue"], [minutes, "green"], [seconds, ink]);
    }
    if (!isCounting(item)) return now + 20_000;
    const rest = time % 1_000;
    const second = now + (item.kind === "stopwatch" || rest === 0 ? 1_000 - rest : rest);
    if (kind === "dial" || kind === null) return second;
    const radius = this.node.clientWidth / 2;
    const wholes = kind === "total" ? [item.total] : WHOLES;
    return Math.min(second, ...wholes.map((whole) => now + step(Math.max(1, radius), whole)));
  }
}
