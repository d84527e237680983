// The daemon's clock, as far as this page knows it. The clock of the browser may be wrong by any amount, so it is never
// compared with the daemon's instants: only the time that passes in the browser counts.

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
   * until then.
   */
  told(time) {
    const offset = time - this.#monotonic();
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
