// Elements are built from text nodes and attributes only. No text is ever parsed as HTML, and the content security
// policy of the page refuses it too (require-trusted-types-for 'script').

const SVG = "http://www.w3.org/2000/svg";

/**
 * Builds an element. `spec` is a tag with classes and an id: `button.primary`, `p#note.muted`.
 *
 * Of the rest, a plain object sets attributes: `on…` with a function listens, `vars` sets custom properties of CSS, true
 * sets an empty attribute, and false, null and undefined leave it out. Everything else is a child: nodes, texts, numbers,
 * and lists of them; null and false are left out.
 */
export function el(spec, ...rest) {
  return fill(document.createElement(tag(spec)), spec, rest);
}

/** Builds an element of SVG in the same way. */
export function svg(spec, ...rest) {
  return fill(document.createElementNS(SVG, tag(spec)), spec, rest);
}

function tag(spec) {
  return /^[a-z0-9-]+/i.exec(spec)[0];
}

function fill(node, spec, rest) {
  for (const [, mark, name] of spec.matchAll(/([.#])([\w-]+)/g)) {
    if (mark === ".") node.classList.add(name);
    else node.id = name;
  }
  for (const part of rest) {
    if (isPlain(part)) set(node, part);
    else add(node, part);
  }
  return node;
}

function isPlain(part) {
  return part !== null && typeof part === "object" && Object.getPrototypeOf(part) === Object.prototype;
}

/** Sets attributes, listeners and custom properties, as `el` does. */
export function set(node, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") node.addEventListener(name.slice(2), value);
    else if (name === "vars") for (const [key, text] of Object.entries(value)) node.style.setProperty(key, text);
    else if (value === true) node.setAttribute(name, "");
    else if (value === false || value === null || value === undefined) node.removeAttribute(name);
    else node.setAttribute(name, value);
  }
  return node;
}

/** Appends children, as `el` does. */
export function add(node, ...children) {
  for (const child of children.flat(Infinity)) {
    if (child === null || child === undefined || child === false) continue;
    node.append(child instanceof Node ? child : String(child));
  }
  return node;
}

/** Replaces all children. */
export function put(node, ...children) {
  node.replaceChildren();
  return add(node, ...children);
}

/** Sets the text of a node, unless it has it already: a write costs a layout, and a new text node costs twice as much. */
export function text(node, value) {
  const words = String(value);
  const only = node.childNodes.length === 1 ? node.firstChild : null;
  if (only?.nodeType === Node.TEXT_NODE) {
    if (only.data !== words) only.data = words;
  } else if (node.textContent !== words) node.textContent = words;
}

const sheets = new Map();

/**
 * Loads a style sheet beside a module, once: `await sheet(new URL("forms.css", import.meta.url))`. The module that waits
 * for it is there as soon as its style is, so nothing moves later. One that does not load is done without.
 */
export function sheet(url) {
  if (!sheets.has(url.href)) {
    sheets.set(url.href, new Promise((loaded) => {
      document.head.append(el("link", { rel: "stylesheet", href: url.href, onload: loaded, onerror: loaded }));
    }));
  }
  return sheets.get(url.href);
}

/** A text of the user, whose direction may differ from that of the page. */
export function user(spec, words, attributes = {}) {
  return el(spec, { dir: "auto", ...attributes }, visible(words));
}

/** Shows control characters and marks of direction as their code points, as the terminal does. */
export function visible(words) {
  return String(words).replace(
    /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]/g,
    (sign) => (sign === "\n" || sign === "\t" ? " " : `\\u{${sign.codePointAt(0).toString(16).toUpperCase()}}`),
  );
}
