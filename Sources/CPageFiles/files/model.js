// What is known of the daemon: all its items, by id, and its clock. Views read the items and are told which have changed, at
// most once a frame.

import { GROUPS, before, groupOf, hasDead, item } from "./items.js";

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

  /** Whether something needs a person, as far as the page is told: a problem of a file, or a dead delivery. */
  get needsPerson() {
    return this.problems.length > 0 || [...this.items.values()].some(hasDead);
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

// The clock of the browser may be wrong by any amount, so it is never compared with the daemon's instants: only the time
// that passes in the browser counts.

/** How many offsets are kept. */
const KEPT = 20;

/** From this difference on, in milliseconds, a clock was set, not read late. */
const SET = 2_000;

/** Estimates the daemon's clock from the instants that it tells. */
export class DaemonClock {
  #offsets = [];
  #suspect = null;
  #monotonic;
  #wall;
  #gap;

  /** `monotonic` and `wall` read the clocks of the browser, in milliseconds. */
  constructor(monotonic = () => performance.now(), wall = () => Date.now()) {
    this.#monotonic = monotonic;
    this.#wall = wall;
    this.#gap = wall() - monotonic();
  }

  /** Whether the daemon has told any instant. */
  get isSet() {
    return this.#offsets.length > 0;
  }

  /** The daemon's time now; that of the browser until the daemon has told one. */
  now() {
    return this.isSet ? this.#best + this.#monotonic() : this.#wall();
  }

  /**
   * The daemon told its time. The message travelled for an unknown while, so the true offset is no less than what it
   * says, and the greatest of the last ones is the nearest.
   *
   * A much smaller one was late, or the daemon's clock was set back. Only a second one that says the same decides; false
   * until then. `at` is when the message came, by the monotonic clock.
   */
  told(time, at = this.#monotonic()) {
    const offset = time - at;
    if (this.isSet && this.#best - offset > SET) {
      const isSure = this.#suspect !== null && Math.abs(this.#suspect - offset) < SET / 2;
      this.#suspect = isSure ? null : offset;
      if (isSure) this.#offsets = [offset];
      return isSure;
    }
    this.#suspect = null;
    if (this.isSet && offset - this.#best > SET) this.#offsets = [];
    this.#offsets.push(offset);
    if (this.#offsets.length > KEPT) this.#offsets.shift();
    return true;
  }

  /** The daemon has been at this instant, some while ago. It counts if it is the latest. */
  reached(time) {
    if (time !== null && (!this.isSet || time - this.#monotonic() > this.#best)) this.told(time);
  }

  /**
   * Whether the two clocks of the browser have moved against each other by a second or more since the last call: the
   * machine slept, in which time the monotonic clock stands still, or its clock was set. Then the estimate is forgotten.
   */
  hasSlept() {
    const gap = this.#wall() - this.#monotonic();
    if (Math.abs(gap - this.#gap) < 1_000) return false;
    this.#gap = gap;
    this.#offsets = [];
    this.#suspect = null;
    return true;
  }

  get #best() {
    return Math.max(...this.#offsets);
  }
}
