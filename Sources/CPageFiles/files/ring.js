// Rings and the analogue face, in SVG. A ring is written only when its end has moved by half a pixel of the screen.

import { set, svg } from "./dom.js";
import { inkCSS } from "./items.js";

/** Whether movement is to be little: then everything moves once a second. */
const still = matchMedia("(prefers-reduced-motion: reduce)");

/** An arc of what is left, over a track: it begins at the top and runs clockwise. */
class Arc {
  #arc;
  #length;
  #share;
  #ink;

  constructor(middle, radius, width) {
    this.#length = 2 * Math.PI * radius;
    const circle = (name) => svg(`circle.${name}`, { cx: middle, cy: middle, r: radius, "stroke-width": width });
    this.#arc = circle("arc");
    this.nodes = [circle("track"), this.#arc];
  }

  /** Shows a share from 0 to 1, or none for null. */
  show(share, ink) {
    if (ink !== this.#ink) {
      this.#ink = ink;
      this.#arc.style.setProperty("stroke", inkCSS(ink));
    }
    if (share === this.#share) return;
    this.#share = share;
    // A round end would show something where nothing is left.
    set(this.#arc, { "stroke-dasharray": `${(share ?? 0) * this.#length} ${this.#length}`, visibility: share ? null : "hidden" });
  }
}

/** The time in which the end of a ring of `radius` pixels moves by half a pixel of the screen, for a whole of `total`. */
export function step(radius, total) {
  if (still.matches) return 1_000;
  return total / (2 * Math.PI * radius * 2 * (devicePixelRatio || 1));
}

/** One ring, or several around each other, in a square of 100 units. */
export class Rings {
  #arcs;

  /** `count` rings, the first outermost, of a stroke of `width` units. */
  constructor(count = 1, width = 12) {
    const gap = width * 1.42;
    this.#arcs = Array.from({ length: count }, (_, number) => new Arc(50, 50 - width / 2 - number * gap, width));
    this.node = svg("svg.rings", { viewBox: "0 0 100 100", "aria-hidden": "true", focusable: "false" },
      svg("g", { transform: "rotate(-90 50 50)" }, this.#arcs.flatMap((arc) => arc.nodes)));
  }

  /** Shows a share and a colour for each ring. */
  show(...rings) {
    rings.forEach(([share, ink], number) => this.#arcs[number].show(share, ink));
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
