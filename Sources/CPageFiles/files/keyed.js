// Parts of the page that keep their place, and their focus, while the data behind them changes.

/**
 * Keeps the children of `parent` in step with values. `key(value)` names a row, `build(value)` makes it. A row is made
 * anew only if its value changed.
 */
export class KeyedList {
  #parent;
  #key;
  #build;
  #rows = new Map();

  constructor(parent, key, build) {
    [this.#parent, this.#key, this.#build] = [parent, key, build];
  }

  /** Shows these values in this order. */
  show(values) {
    const rows = new Map(values.map((value) => [this.#key(value), this.#row(value)]));
    for (const [key, { node }] of this.#rows) if (!rows.has(key)) node.remove();
    this.#rows = rows;
    let place = this.#parent.firstElementChild;
    for (const { node } of rows.values()) {
      if (node === place) place = place.nextElementSibling;
      else this.#parent.insertBefore(node, place);
    }
  }

  /** The row of a value: the one that is there, or a new one in its place. */
  #row(value) {
    const written = JSON.stringify(value);
    const former = this.#rows.get(this.#key(value));
    if (former?.written === written) return former;
    const node = this.#build(value);
    if (former) replace(former.node, node);
    return { node, written };
  }
}

/**
 * Puts a node in the place of a former one. What was open stays open, and the focus stays at the part with the same
 * `data-act`, or else at the first control.
 */
export function replace(former, node) {
  const open = [...former.querySelectorAll("details")].map((details) => details.open);
  node.querySelectorAll("details").forEach((details, at) => { details.open = open[at] ?? details.open; });
  const focus = former.contains(document.activeElement) ? document.activeElement : null;
  former.replaceWith(node);
  if (!focus) return;
  const controls = [node, ...node.querySelectorAll("*")].filter((one) => one.matches("summary, a, button"));
  const { act } = focus.dataset;
  (controls.find((one) => act && one.dataset.act === act) ?? controls[0])?.focus();
}
