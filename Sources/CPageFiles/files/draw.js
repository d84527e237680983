// What draws: when something is drawn next, and rings in SVG. A ring is written only when its end has moved by half a pixel
// of the screen.

import { set, svg } from "./dom.js";
import { inkCSS } from "./items.js";

/** Draws when something changes, never more often than the frames need, and not at all while nobody looks. */
export class Ticker {
  #clock;
  #draw;
  #pause;
  #timer = 0;
  #frame = 0;
  #last = -Infinity;
  #seen = () => { if (!document.hidden) this.wake(); };

  /**
   * `draw` is called with the daemon's time and returns the daemon's time at which something changes next. `pause` is the
   * least time between two drawings, in milliseconds.
   */
  constructor(clock, draw, pause = 100) {
    [this.#clock, this.#draw, this.#pause] = [clock, draw, pause];
    document.addEventListener("visibilitychange", this.#seen);
    this.wake();
  }

  /** Draws at the next frame. */
  wake() {
    clearTimeout(this.#timer);
    this.#frame ||= requestAnimationFrame(() => this.#run());
  }

  /** Draws no more. */
  close() {
    clearTimeout(this.#timer);
    cancelAnimationFrame(this.#frame);
    document.removeEventListener("visibilitychange", this.#seen);
  }

  #run() {
    this.#frame = 0;
    this.#last = performance.now();
    const next = this.#draw(this.#clock.now());
    if (document.hidden || next === Infinity) return;
    const wait = Math.max(next - this.#clock.now(), this.#last + this.#pause - performance.now(), 0);
    // Longer waits than a signed 32-bit number of milliseconds would end at once.
    this.#timer = setTimeout(() => this.wake(), Math.min(wait, 3_600_000));
  }
}

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
