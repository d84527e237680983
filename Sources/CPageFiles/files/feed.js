// The connection to the daemon: reads all items, then follows the changes, and says how well that goes.

import { PATIENCE, Problem, ask, part } from "./api.js";
import { instant } from "./time.js";

/** How many items are asked for first, so that something is on the screen at once. */
const FIRST = 100;
/** How many are asked for at a time after that, so that none keeps the page from drawing; and how long that may take. */
const MORE = 2_000;
const MORE_PATIENCE = 60_000;
/** The daemon tells its time every 15 s. Without any news for this time, what is shown is old. */
const SILENCE = 40_000;
/** After this time a page that starts is at rest. */
const STARTED = 1_000;
/** How often a page that is seen looks at its clocks. */
const CHECK = 5_000;
/** A tab that nobody sees gives its connection back after this time, because a browser has six of them. */
const HIDDEN = 30_000;

/**
 * Keeps a model as the daemon has it.
 *
 * `state` is `loading`, `live`, `lost` (counting on alone) or `out` (nobody is signed in); `since` is the browser's time of
 * the last news, and `reason` says in words why it was lost.
 */
export class Feed {
  state = "loading";
  since = Date.now();
  reason = "";
  /** The version of the daemon; `isNewer` if it has changed since the page was loaded. */
  version = null;
  isNewer = false;

  #model;
  #clock;
  #listeners = new Set();
  #source = null;
  #position = null;
  #tellsTime = false;
  #heard = 0;
  #attempts = 0;
  #retry = 0;
  #hiding = 0;
  #checking = 0;
  #run = 0;

  constructor(model, clock) {
    this.#model = model;
    this.#clock = clock;
    document.addEventListener("visibilitychange", () => this.#seen());
    addEventListener("pagehide", () => this.#close());
    addEventListener("pageshow", (event) => { if (event.persisted) this.start(); });
    addEventListener("online", () => { if (this.state === "lost") this.#again(0); });
    // A tab can be opened in the background. No `visibilitychange` tells of that.
    this.#watch();
  }

  /** Calls `listener` after each change of the state. */
  on(listener) {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Reads everything anew, and follows from there. */
  async start() {
    const run = this.#begin();
    try {
      const position = await this.#load(run);
      if (run === this.#run) this.#follow(position);
    } catch (problem) {
      if (run === this.#run) this.#failed(problem);
    }
  }

  /** Finds out whether the machine slept, and whether the daemon is silent. Returns whether it reads everything anew. */
  #check() {
    if (this.#clock.hasSlept()) {
      this.#lose("the machine was asleep, or its clock was set");
      this.start();
      return true;
    }
    if (this.#source && this.#tellsTime && performance.now() - this.#heard > SILENCE) {
      this.#close();
      this.#lose("the daemon is silent");
      this.#again(0);
    }
    return false;
  }

  #begin() {
    this.#close();
    clearTimeout(this.#retry);
    return ++this.#run;
  }

  /** Reads all items page by page, and returns the position from which the changes follow; null if there is none. */
  async #load(run) {
    let path = `items?limit=${FIRST}&outcomes=true&events=true`;
    let limit = PATIENCE;
    let position = null;
    const seen = new Set();
    while (path) {
      const { headers, body } = await ask("GET", path, { limit });
      if (run !== this.#run) return null;
      position ??= headers.get("Tminus-Event");
      for (const json of body) {
        this.#clock.reached(instant(json["as-of"]));
        seen.add(json.id);
      }
      this.#model.add(body, seen.size <= FIRST);
      const from = /[?&]from=(\d+)/.exec(headers.get("Link") ?? "")?.[1];
      if (from === undefined) this.#model.keepOnly(seen);
      // Without a position the changes begin with all items.
      path = from === undefined || position === null ? null : `items?from=${from}&limit=${MORE}&outcomes=true`;
      limit = MORE_PATIENCE;
    }
    return position;
  }

  #follow(position) {
    this.#close();
    this.#position = position;
    const source = new EventSource(`events?clock=true${position === null ? "" : `&after=${part(position)}`}`);
    this.#source = source;
    const on = (name, take) => source.addEventListener(name, (event) => {
      if (source !== this.#source) return;
      if (event.lastEventId) this.#position = event.lastEventId;
      take(JSON.parse(event.data));
      this.#hear();
    });
    on("hello", (hello) => {
      this.#greet(hello);
      // While a page starts it may read the time late, and the next one comes only after a while.
      setTimeout(() => { if (source === this.#source) this.#askTime(); }, STARTED);
    });
    on("clock", ({ now }) => this.#time(now));
    on("snapshot", (list) => {
      for (const json of list) this.#clock.reached(instant(json["as-of"]));
      this.#model.setProblems([]);
      this.#model.replace(list);
    });
    on("item", (json) => { this.#clock.reached(instant(json["as-of"])); this.#model.take(json); });
    on("removed", ({ id }) => this.#model.remove(id));
    on("problems", ({ problems }) => this.#model.setProblems(problems));
    source.onopen = () => { if (source === this.#source) this.#hear(); };
    source.onerror = () => { if (source === this.#source) this.#find(); };
  }

  #greet({ version, now }) {
    if (now) this.#time(now);
    if (version) {
      this.isNewer ||= this.version !== null && this.version !== version;
      this.version ??= version;
    }
    this.#tell();
  }

  /** Takes the daemon's time. What looks late is asked for once more, since the daemon's clock may have been set. */
  #time(now) {
    this.#tellsTime = true;
    if (!this.#clock.told(instant(now))) this.#askTime();
  }

  #askTime() {
    const path = "items?limit=1";
    const begun = performance.now();
    ask("GET", path).then(
      ({ body }) => { for (const json of body) this.#clock.told(instant(json["as-of"]), arrival(path, begun)); },
      () => {},
    );
  }

  #hear() {
    this.#heard = performance.now();
    this.#attempts = 0;
    this.since = Date.now();
    if (this.state === "live") return;
    [this.state, this.reason] = ["live", ""];
    this.#tell();
  }

  /** A stream has ended without saying why. A short request finds out. */
  async #find() {
    const run = this.#begin();
    this.#lose("the connection has ended");
    try {
      await ask("GET", "items?limit=1");
      if (run === this.#run) this.#again(this.#attempts);
    } catch (problem) {
      if (run === this.#run) this.#failed(problem);
    }
  }

  #failed(problem) {
    if (!(problem instanceof Problem)) throw problem;
    if (problem.isSignedOut) {
      [this.state, this.reason] = ["out", problem.message];
      this.#tell();
      return;
    }
    this.#lose(problem.message);
    this.#again(++this.#attempts);
  }

  /** Tries again: after the first failure within a second, later within half a minute. */
  #again(attempts) {
    clearTimeout(this.#retry);
    const most = attempts === 0 ? 0 : Math.min(30_000, 1_000 * 2 ** (attempts - 1));
    this.#attempts = attempts + 1;
    this.#retry = setTimeout(() => this.#resume(), most * (0.5 + Math.random() / 2));
  }

  #resume() {
    if (document.hidden) return;
    if (this.#position === null || !this.#model.isLoaded) this.start();
    else {
      this.#begin();
      this.#follow(this.#position);
    }
  }

  #lose(reason) {
    [this.state, this.reason] = [this.#model.isLoaded || this.#model.items.size > 0 ? "lost" : "loading", reason];
    this.#tell();
  }

  /** Looks at the clocks while the page is seen, and gives the connection back while it is not. */
  #watch() {
    clearTimeout(this.#hiding);
    clearInterval(this.#checking);
    if (document.hidden) this.#hiding = setTimeout(() => this.#begin(), HIDDEN);
    else this.#checking = setInterval(() => this.#check(), CHECK);
  }

  #seen() {
    this.#watch();
    if (document.hidden || this.#check()) return;
    if (!this.#source && this.state !== "out") this.#resume();
  }

  #close() {
    this.#source?.close();
    this.#source = null;
  }

  #tell() {
    for (const listener of this.#listeners) listener();
  }
}

/** When the answer to a request began to arrive: a busy page reads it later. Now, if the browser does not say. */
function arrival(path, begun) {
  const last = performance.getEntriesByName(new URL(path, location.href).href).at(-1);
  return last?.startTime >= begun ? last.responseStart : performance.now();
}
