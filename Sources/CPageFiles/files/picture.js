// The picture of an item: three rings of what is left of the day, the hour and the minute, one ring of the total, or an
// analogue face.

import { el, set, svg } from "./dom.js";
import { Rings, step } from "./draw.js";
import { fraction, inkCSS, inkOf, isCounting, shares, shownTime } from "./items.js";

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

/** A dial with twelve marks and hands for hours, minutes and seconds. For a remaining time they run backwards. */
export class Dial {
  #hands;
  #second;

  constructor() {
    const marks = Array.from({ length: 60 }, (_, number) => svg(number % 5 === 0 ? "path.mark" : "path.tick",
      { d: number % 5 === 0 ? "M50 4.5V11" : "M50 4.5V7", transform: `rotate(${number * 6} 50 50)` }));
    const hand = (name, d) => svg(`path.${name}`, { d });
    this.#second = hand("second", "M50 60V8");
    this.#hands = [hand("hour", "M50 56V26"), hand("minute", "M50 58V14"), this.#second];
    this.node = svg("svg.dial", { viewBox: "0 0 100 100", "aria-hidden": "true", focusable: "false" },
      svg("circle.rim", { cx: 50, cy: 50, r: 47.5 }), marks, this.#hands, svg("circle.hub", { cx: 50, cy: 50, r: 2.2 }));
  }

  /** Shows a time of milliseconds; the second hand stands on whole seconds. */
  show(time, ink) {
    const seconds = Math.max(0, time) / 1_000;
    [seconds / 43_200, seconds / 3_600, seconds / 60].forEach((turns, number) =>
      set(this.#hands[number], { transform: `rotate(${((turns % 1) * 360).toFixed(2)} 50 50)` }));
    this.#second.style.setProperty("stroke", inkCSS(ink));
  }
}
