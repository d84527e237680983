// All items, by id. Views read them and are told which have changed, at most once a frame.

import { GROUPS, before, groupOf, item } from "./items.js";

/** The items, their order, and who wants to know of changes. */
export class Model {
  /** The items by id. */
  items = new Map();
  /** The problems of the directory and its files, one line each. */
  problems = [];
  /** Whether all items have been received. */
  isLoaded = false;

  /** Counts the changes of the order of items. */
  order = 0;

  #groups = null;
  #listeners = new Set();
  #changed = new Set();
  #hasAll = false;
  #frame = 0;
  #ended = null;

  /** `ended` is told of each item that has come to its end, with what it was before. */
  constructor(ended = null) {
    this.#ended = ended;
  }

  /** Calls `listener` with the ids that have changed, or with null if any may have. Returns a function that ends it. */
  on(listener) {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** These are all items there are. */
  replace(list) {
    this.add(list, false);
    this.keepOnly(new Set(list.map(({ id }) => id)));
  }

  /** There are no items but those with these ids. */
  keepOnly(ids) {
    for (const id of this.items.keys()) if (!ids.has(id)) this.items.delete(id);
    this.isLoaded = true;
    this.#disorder();
    this.#tell(null);
  }

  /** These are some of the items. Unless `isShown`, nobody is told before all are there: to put them in order takes time. */
  add(list, isShown = true) {
    for (const json of list) this.#keep(json);
    if (!isShown) return;
    this.#disorder();
    this.#tell(null);
  }

  /** An item is new, or has changed. */
  take(json) {
    const former = this.items.get(json.id);
    const changed = this.#keep(json);
    if (!former || groupOf(former) !== groupOf(changed) || former.due !== changed.due || former.name !== changed.name) {
      this.#disorder();
    }
    this.#tell(json.id);
    return changed;
  }

  /** The answer to a control is the item without what became of its deliveries. */
  takeAnswer(json) {
    const former = this.items.get(json.id);
    const changed = this.take(json);
    if (former) Object.assign(changed, { undelivered: former.undelivered, last: former.last });
    return changed;
  }

  /** An item is not there any more. */
  remove(id) {
    if (!this.items.delete(id)) return;
    this.#disorder();
    this.#tell(id);
  }

  /** The problems have changed. */
  setProblems(list) {
    this.problems = list;
    this.#tell(null);
  }

  /** The items by group, each in its order: `[{ group, items }]`, without empty groups. */
  groups() {
    if (!this.#groups) {
      const all = Map.groupBy([...this.items.values()], groupOf);
      this.#groups = GROUPS.filter((group) => all.has(group))
        .map((group) => ({ group, items: all.get(group).sort(before) }));
    }
    // The order is kept, the items may have changed since.
    return this.#groups.map(({ group, items }) => ({ group, items: items.map(({ id }) => this.items.get(id)) }));
  }

  #disorder() {
    this.#groups = null;
    this.order += 1;
  }

  #keep(json) {
    const kept = item(json);
    const former = this.items.get(kept.id);
    this.items.set(kept.id, kept);
    if (former && this.#ended) this.#ended(former, kept);
    return kept;
  }

  #tell(id) {
    if (id === null) this.#hasAll = true;
    else this.#changed.add(id);
    this.#frame ||= requestAnimationFrame(() => {
      const changed = this.#hasAll ? null : this.#changed;
      [this.#frame, this.#hasAll, this.#changed] = [0, false, new Set()];
      for (const listener of this.#listeners) listener(changed);
    });
  }
}
