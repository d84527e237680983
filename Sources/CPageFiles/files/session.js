// Who is signed in, and what they may do. The browser holds the session in a cookie that no script can read.

import { Problem, ask, get, onSignedOut, post } from "./api.js";

/** The session of this browser. */
export class Session {
  /** What it may do: `read`, `control` or `edit`; null if nothing, undefined until the daemon has said so. */
  level = undefined;
  /** The name of the token, or of the user who asked for the code; empty if nobody is signed in. */
  name = "";

  /** When it ends, in RFC 3339; null if it does not. */
  ends = null;
  /** Whether level edit is of use by this way: `allowed`, `off` or `not-encrypted`. */
  editing = "allowed";

  #listeners = new Set();

  constructor() {
    onSignedOut(() => this.#become({ level: null }));
  }

  /** Calls `listener` with the former level whenever somebody else is signed in, or nobody any more. */
  on(listener) {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * Asks the daemon who is signed in. If the address has a code (`#code=…`), that is taken out of it at once and signs in
   * first; throws a Problem if it does not.
   */
  async begin() {
    const code = new URLSearchParams(location.hash.slice(1)).get("code");
    if (code !== null) {
      history.replaceState(history.state, "", location.pathname + location.search);
      return this.#login({ code });
    }
    return this.ask();
  }

  /** Asks the daemon who is signed in. */
  async ask() {
    try {
      this.#become(await get("session"));
    } catch (problem) {
      if (!(problem instanceof Problem && problem.isSignedOut)) throw problem;
    }
  }

  /** Signs in; throws a Problem if the token is not right, or too many were not. */
  signIn(token) {
    return this.#login({ token });
  }

  /** Ends the session, and forgets what this browser kept of it. */
  async signOut() {
    await ask("POST", "logout");
    (await import("./drafts.js")).forgetDrafts();
    this.#become({ level: null });
    await this.ask();
  }

  async #login(secret) {
    this.#become(await post("login", secret));
  }

  #become({ level, name = "", ends = null, editing = "allowed" }) {
    // Whoever comes through the control socket may do everything.
    const may = level === "socket" ? "edit" : level;
    [this.ends, this.editing] = [ends, editing];
    if (may === this.level && name === this.name) return;
    const former = this.level;
    [this.level, this.name] = [may, name];
    for (const listener of this.#listeners) listener(former);
  }
}
