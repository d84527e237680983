// Many rings on one canvas. A ring is drawn alone, over its own place, when its end has moved.

import { el } from "./dom.js";
import { inkCSS } from "./items.js";

/** Draws rings at places given by elements. */
export class Canvas {
  node = el("canvas", { "aria-hidden": "true" });
  #context = this.node.getContext("2d");
  #places = [];
  #inks = new Map();

  /** Takes the places of the rings, inside an element that the canvas covers. */
  measure(places, over) {
    const scale = devicePixelRatio || 1;
    const whole = over.getBoundingClientRect();
    this.node.width = Math.round(whole.width * scale);
    this.node.height = Math.round(whole.height * scale);
    this.#context.setTransform(scale, 0, 0, scale, 0, 0);
    this.#places = places.map((place) => {
      const { left, top, width } = place.getBoundingClientRect();
      return { x: left - whole.left + width / 2, y: top - whole.top + width / 2, radius: width / 2 };
    });
    this.#inks.clear();
  }

  /** Draws a ring anew: its track, and the arc of what is left. */
  draw(number, share, ink) {
    const place = this.#places[number];
    if (!place) return;
    const { x, y, radius } = place;
    const width = radius * 0.24;
    const context = this.#context;
    context.clearRect(x - radius, y - radius, 2 * radius, 2 * radius);
    context.lineWidth = width;
    this.#stroke(x, y, radius - width / 2, 1, this.#color("var(--track)"));
    if (share > 0) this.#stroke(x, y, radius - width / 2, share, this.#color(inkCSS(ink)));
  }

  #stroke(x, y, radius, share, color) {
    this.#context.beginPath();
    this.#context.arc(x, y, radius, -Math.PI / 2, -Math.PI / 2 + 2 * Math.PI * share);
    this.#context.strokeStyle = color;
    this.#context.stroke();
  }

  /** A colour of the theme as the canvas takes it. */
  #color(css) {
    let color = this.#inks.get(css);
    if (!color) {
      this.node.style.setProperty("color", css);
      color = getComputedStyle(this.node).color;
      this.#inks.set(css, color);
    }
    return color;
  }
}
