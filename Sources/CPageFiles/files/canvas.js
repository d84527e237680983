// Many tiles on one canvas. Only what has changed is drawn: a ring when its end has moved, and of digits those that differ.

import { el } from "./dom.js";
import { inkCSS } from "./items.js";

/** Draws tiles at the places of their elements, which stay beneath. */
export class Canvas {
  node = el("canvas", { "aria-hidden": "true" });
  // Without transparency the browser need not draw what lies beneath.
  #context = this.node.getContext("2d", { alpha: false });
  #scale = 1;
  #tiles = [];
  #parts = {};
  #clocks = [];
  #colors = new Map();
  #widths = new Map();

  /**
   * Takes the places of tiles, inside an element that the canvas covers, and empties the canvas. `parts` are elements of the
   * first tile by name; in every tile they are at the same place.
   */
  measure(tiles, parts, over) {
    this.#scale = devicePixelRatio || 1;
    const whole = over.getBoundingClientRect();
    const first = tiles[0].getBoundingClientRect();
    this.#tiles = tiles.map((tile) => this.#place(tile, whole));
    this.#clocks = tiles.map(() => "");
    this.#colors.clear();
    this.#widths.clear();
    const { width, height } = this.#place(over, whole);
    Object.assign(this.node, { width, height });
    this.#clear(0, 0, width, height);
    for (const [name, part] of Object.entries(parts)) this.#parts[name] = { ...this.#place(part, first), ...this.#type(part) };
  }

  /** The place of an element from the corner of another, in whole pixels of the screen. */
  #place(node, from) {
    const { left, top, width, height } = node.getBoundingClientRect();
    const [x, y, right, bottom] = [left - from.left, top - from.top, left + width - from.left, top + height - from.top]
      .map((length) => Math.round(length * this.#scale));
    return { x, y, width: right - x, height: bottom - y };
  }

  /** The font of an element, and how far below its upper edge the line is on which letters stand. */
  #type(node) {
    const { fontWeight, fontSize, fontFamily } = getComputedStyle(node);
    const font = `${fontWeight} ${parseFloat(fontSize) * this.#scale}px ${fontFamily}`;
    this.#context.font = font;
    const { fontBoundingBoxAscent: above, fontBoundingBoxDescent: below } = this.#context.measureText("0");
    return { font, line: Math.round((node.getBoundingClientRect().height * this.#scale + above - below) / 2) };
  }

  /** Draws a ring anew: its track, and the arc of what is left. */
  drawRing(number, share, ink) {
    const place = this.#part(number, "ring");
    this.#clear(place.x, place.y, place.width, place.height);
    this.#stroke(place, 1, "var(--track)");
    if (share > 0) this.#stroke(place, share, inkCSS(ink));
  }

  #stroke({ x, y, width: size }, share, css) {
    const context = this.#context;
    context.lineWidth = size * 0.12;
    context.strokeStyle = this.#color(css);
    context.beginPath();
    context.arc(x + size / 2, y + size / 2, size * 0.44, -Math.PI / 2, -Math.PI / 2 + 2 * Math.PI * share);
    context.stroke();
  }

  /** Writes a line of text anew. What does not fit ends in `…`. */
  write(number, name, words, css, direction = "ltr") {
    const { x, y, width, height, line, font } = this.#part(number, name);
    const context = this.#context;
    this.#clear(x, y, width, height);
    Object.assign(context, { font, direction, textAlign: "left", fillStyle: this.#color(css) });
    let fitting = words;
    for (let end = words.length - 1; end > 0 && context.measureText(fitting).width > width; end -= 1) {
      fitting = `${words.slice(0, end)}…`;
    }
    context.fillText(fitting, x, y + line);
  }

  /** Writes the digits of a clock. Each has a place of its own, so that nothing moves, and only those that differ are drawn. */
  writeClock(number, digits, css) {
    const { x, y, width, height, line, font } = this.#part(number, "clock");
    const context = this.#context;
    let former = this.#clocks[number];
    if (shape(former) !== shape(digits)) {
      this.#clear(x, y, width, height);
      former = "";
    }
    this.#clocks[number] = digits;
    Object.assign(context, { font, textAlign: "center" });
    let left = x;
    for (let index = 0; index < digits.length; index += 1) {
      const sign = digits[index];
      const room = this.#width(sign);
      if (sign !== former[index]) {
        this.#clear(left, y, room, height);
        context.fillStyle = this.#color(css);
        context.fillText(sign, left + room / 2, y + line);
      }
      left += room;
    }
  }

  /** The place of a part of a tile on the canvas. */
  #part(number, name) {
    const { x, y } = this.#tiles[number];
    const part = this.#parts[name];
    return { ...part, x: x + part.x, y: y + part.y };
  }

  #clear(x, y, width, height) {
    this.#context.fillStyle = this.#color("var(--ground)");
    this.#context.fillRect(x, y, width, height);
  }

  /** The width of a sign of the clock; all digits have the same. */
  #width(sign) {
    const widest = /\d/.test(sign) ? "0" : sign;
    let width = this.#widths.get(widest);
    if (width === undefined) {
      width = Math.round(this.#context.measureText(widest).width);
      this.#widths.set(widest, width);
    }
    return width;
  }

  /** A colour of the theme as the canvas takes it. */
  #color(css) {
    let color = this.#colors.get(css);
    if (!color) {
      this.node.style.setProperty("color", css);
      color = getComputedStyle(this.node).color;
      this.#colors.set(css, color);
    }
    return color;
  }
}

/** What of digits says where each is. */
function shape(digits) {
  return digits.replace(/\d/g, "0");
}
