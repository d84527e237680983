// Asks the daemon again whenever something may have changed, one request at a time, and never while the page is hidden.

/** The shortest time between two requests that changes cause, in milliseconds. */
const pause = 1_000;

/** The longest time without a request, for what changes without an event. */
const longest = 15_000;

/** Calls `load`, a function that returns a promise, now and then until `close`. */
export class Refresh {
  #app;
  #load;
  #isRunning = false;
  #isAsked = false;
  #timer = 0;
  #stop = () => {};
  #seen = () => { if (!document.hidden) this.now(); };

  constructor(app, load) {
    [this.#app, this.#load] = [app, load];
    document.addEventListener("visibilitychange", this.#seen);
    this.#stop = app.onChange?.(() => this.#soon(pause)) ?? this.#stop;
  }

  close() {
    clearTimeout(this.#timer);
    document.removeEventListener("visibilitychange", this.#seen);
    this.#stop();
    this.#load = null;
  }

  /** Loads at once, or as soon as the request that runs is over. */
  async now() {
    this.#isAsked = true;
    if (this.#isRunning) return;
    this.#isRunning = true;
    while (this.#isAsked && this.#load) {
      this.#isAsked = false;
      // Who is not signed in waits for the dialog.
      if (this.#app.level !== null) await this.#load();
    }
    this.#isRunning = false;
    this.#soon(longest);
  }

  #due = Infinity;

  #soon(time) {
    const due = performance.now() + time;
    if (!this.#load || document.hidden || due >= this.#due) return;
    clearTimeout(this.#timer);
    this.#due = due;
    this.#timer = setTimeout(() => {
      this.#due = Infinity;
      if (!document.hidden) this.now();
    }, time);
  }
}
