// Many items on the wall: a grid of tiles of one size. Above 150 tiles all is drawn on one canvas, because then elements cost
// several times as much.

import { el, text, user, visible } from "./dom.js";
import { Canvas } from "./canvas.js";
import { Rings, step } from "./draw.js";
import { fraction, inkOf, isCounting, rowTime, shownParts, shownTime } from "./items.js";
import { wallState } from "./single.js";
import { spoken } from "./time.js";

/** The width of a tile, for a height of one. */
const SHAPE = 2.5;
/** The least height of a tile, in pixels. */
const LEAST = 96;
/** How long nothing is drawn if nothing counts, in milliseconds. */
const PAUSE = 20_000;
/** From more tiles than this on, they are on a canvas. */
const MANY = 150;

/** How `count` tiles fit: columns, the height of a tile in pixels, and how many fit at all. */
export function layout(count, width, height, rem) {
  const [room, tall] = [width - 2 * rem, height - 3 * rem];
  let best = { columns: 1, size: 0 };
  for (let columns = 1; columns <= count; columns += 1) {
    const size = Math.min(room / columns / SHAPE, tall / Math.ceil(count / columns));
    if (size > best.size) best = { columns, size };
  }
  const least = Math.min(LEAST, room / SHAPE);
  if (best.size >= least) return { ...best, most: count };
  const columns = Math.max(1, Math.floor(room / (least * SHAPE)));
  return { columns, size: least, most: columns * Math.max(1, Math.floor(tall / least)) };
}

/** A page of tiles. */
export class Tiles {
  node = el("div.tiles");
  #tiles = [];
  #canvas = null;
  #second = 0;
  #size = 0;
  #chars = 8;

  /** Makes as many tiles, in places that `layout` has found. */
  show(count, { columns, size }) {
    this.#size = size;
    const isMany = count > MANY;
    if (isMany !== (this.#canvas !== null) || this.#tiles.length !== count) {
      this.#canvas = isMany ? new Canvas() : null;
      this.#tiles = Array.from({ length: count }, (_, number) => new Tile(this.#canvas, number));
      this.node.replaceChildren(...(isMany ? [this.#canvas.node] : []), ...this.#tiles.map(({ node }) => node));
    }
    this.node.style.setProperty("--columns", columns);
    this.node.style.setProperty("--u", `${size}px`);
    this.#measure();
  }

  /** The canvas begins anew if sizes have changed. */
  #measure() {
    this.#canvas?.measure(this.#tiles.map(({ node }) => node), this.#tiles[0].parts, this.node);
    for (const tile of this.#tiles) tile.forget();
    this.refresh();
  }

  /** Draws everything anew at the next drawing: items have changed. */
  refresh() {
    for (const tile of this.#tiles) tile.nextRing = 0;
    this.#second = 0;
  }

  /** Draws the items with these ids as `find` has them, and returns when something moves next. */
  draw(ids, find, { isLive }, now) {
    const isSecond = now >= this.#second - 5 || this.#second > now + PAUSE;
    let next = Infinity;
    let first = null;
    ids.forEach((id, number) => {
      const tile = this.#tiles[number];
      const isRing = now >= tile.nextRing;
      if (isSecond || isRing) {
        const item = find(id);
        if (!item) return tile.hide(id);
        if (isCounting(item)) first ??= item;
        if (isSecond) tile.show(item, isLive);
        if (isRing) this.#drawRing(number, item, now);
      }
      // A ring that moves more slowly moves with the digits, because a frame costs more than the rings that it has.
      if (tile.ringStep < 1_000) next = Math.min(next, tile.nextRing);
    });
    if (isSecond) {
      const rest = first ? shownTime(first) % 1_000 : 0;
      this.#second = first === null ? now + PAUSE : now + (first.kind === "stopwatch" || rest === 0 ? 1_000 - rest : rest);
      this.#fit();
    }
    // Ten frames a second are enough for many small rings.
    return Math.min(Math.max(next, now + 100), this.#second);
  }

  /** Gives the digits of all tiles the size at which the longest fit. */
  #fit() {
    const chars = Math.max(8, ...this.#tiles.map((tile) => tile.chars));
    if (chars === this.#chars) return;
    this.#chars = chars;
    this.node.style.setProperty("--chars", chars);
    this.#measure();
  }

  #drawRing(number, item, now) {
    const tile = this.#tiles[number];
    const share = item.state === "expired" || item.state === "disabled" ? null : fraction(item);
    tile.showRing(share, inkOf(item));
    tile.ringStep = share > 0 && isCounting(item) ? step(this.#size * 0.34, item.total) : Infinity;
    tile.nextRing = now + tile.ringStep;
  }
}

class Tile {
  /** When its ring is drawn next, as an instant of the daemon, and how long it stands still, in milliseconds. */
  nextRing = 0;
  ringStep = Infinity;
  /** How many characters its digits have. */
  chars = 0;
  /** Its elements by name. */
  parts = { name: user("p.name", ""), clock: el("p.clock", { role: "timer" }), state: el("p.state") };
  #canvas;
  #number;
  #rings = null;
  #texts = new Map();

  /** A tile of elements, or the one with a number on a canvas. */
  constructor(canvas, number) {
    [this.#canvas, this.#number] = [canvas, number];
    if (!canvas) this.#rings = new Rings(1, 12);
    const { name, clock, state } = this.parts;
    this.parts.ring = el("div.ring", this.#rings?.node ?? null);
    this.node = el("div.tile", this.parts.ring, el("div.tell", name, clock, state));
  }

  show(item, isLive) {
    this.node.classList.remove("is-gone");
    this.#write("name", visible(item.name));
    const digits = rowTime(item);
    this.chars = digits.length;
    this.#write("clock", digits);
    const parts = shownParts(item);
    const heard = parts && item.state !== "expired" ? spoken(parts) : digits;
    if (this.#texts.get("heard") !== heard) {
      this.#texts.set("heard", heard);
      this.parts.clock.setAttribute("aria-label", heard);
    }
    const { words, isBad } = wallState(item, isLive);
    this.#write("state", words, isBad ? "var(--bad)" : "var(--faint)");
  }

  /** Shows a share of its ring, or none for null. */
  showRing(share, ink) {
    if (this.#canvas) this.#canvas.drawRing(this.#number, share, ink);
    else this.#rings.show([share, ink]);
  }

  /** Shows that an item is not there any more. */
  hide(id) {
    this.node.classList.add("is-gone");
    this.#write("name", id, "var(--faint)");
    this.#write("clock", "--:--", "var(--faint)");
    this.#write("state", "not there; waiting", "var(--faint)");
  }

  /** What was written is not there any more. */
  forget() {
    this.#texts.clear();
  }

  /**
   * Writes a text in a colour. What is on the canvas is in its element too, for those who hear the page; but a clock has its
   * label, because elements would have to be laid out each second.
   */
  #write(name, words, css = "var(--text)") {
    if (this.#texts.get(name) === words + css) return;
    this.#texts.set(name, words + css);
    if (this.#canvas && name === "clock") return this.#canvas.writeClock(this.#number, words, css);
    const part = this.parts[name];
    part.style.setProperty("color", css);
    text(part, words);
    this.#canvas?.write(this.#number, name, words, css, part.matches(":dir(rtl)") ? "rtl" : "ltr");
  }
}
