// Requests to the daemon, and who is signed in. All paths are relative to the page, so it works below any prefix of a proxy.

/** The time after which a request has failed, in milliseconds. */
export const PATIENCE = 5_000;

/** Why a request failed, in words (RFC 9457). `message` is one sentence without a full stop. */
export class Problem extends Error {
  /** `status` is 0 if there was no answer. `body` is the answer as JSON, if it was JSON. */
  constructor(message, { status = 0, body = null, headers = null } = {}) {
    super(message);
    this.name = "Problem";
    this.status = status;
    this.body = body;
    this.headers = headers;
  }

  /** Whether nobody is signed in, or the session has ended. */
  get isSignedOut() {
    return this.status === 401;
  }
}

const signedOut = new Set();

/** Calls `listener` after each request that was refused because nobody is signed in. */
export function onSignedOut(listener) {
  signedOut.add(listener);
}

/**
 * Sends a request and returns `{ status, headers, body }`; `body` is JSON, or a text if the answer is none.
 *
 * `json` is sent as JSON, `text` as it is. `limit` is the time for the answer in milliseconds; `signal` gives the request
 * up earlier. Throws a Problem for every answer from 400 up, and for none.
 */
export async function ask(method, path, { json, text, headers = {}, limit = PATIENCE, signal } = {}) {
  const own = new Headers(headers);
  if (json !== undefined) own.set("Content-Type", "application/json");
  else if (text !== undefined && !own.has("Content-Type")) own.set("Content-Type", "application/yaml");
  let answer;
  let body;
  try {
    answer = await fetch(path, {
      method,
      headers: own,
      body: json !== undefined ? JSON.stringify(json) : text,
      credentials: "same-origin",
      cache: "no-store",
      redirect: "error",
      signal: AbortSignal.any([AbortSignal.timeout(limit), signal].filter(Boolean)),
    });
    body = await read(answer);
  } catch (error) {
    throw new Problem(
      error.name === "TimeoutError"
        ? `no answer within ${Math.round(limit / 1000)} s; whether it was done is not known`
        : "the daemon does not answer",
    );
  }
  if (answer.ok) return { status: answer.status, headers: answer.headers, body };
  const problem = new Problem(words(answer, body), { status: answer.status, body, headers: answer.headers });
  // A token or code that is not right says nothing of who is signed in.
  if (problem.isSignedOut && path !== "login") for (const listener of signedOut) listener(problem);
  throw problem;
}

/** The body of the answer to a GET. */
export async function get(path, options) {
  return (await ask("GET", path, options)).body;
}

/** The body of the answer to a POST of a value as JSON. Without a value the body is an empty object. */
export async function post(path, json = {}, options = {}) {
  return (await ask("POST", path, { json, ...options })).body;
}

/** A part of a path or query, escaped. */
export function part(text) {
  return encodeURIComponent(text);
}

/** A path with a query of those names and values. Empty values are left out. */
export function withQuery(path, values) {
  const query = new URLSearchParams(Object.entries(values).filter(([, value]) => value !== "" && value != null));
  // URLSearchParams writes a space as `+`, which the daemon reads as a plus sign.
  return query.size > 0 ? `${path}?${query.toString().replaceAll("+", "%20")}` : path;
}

async function read(answer) {
  const kind = answer.headers.get("Content-Type") ?? "";
  if (answer.status === 204) return null;
  return /\bjson\b/.test(kind) ? answer.json() : answer.text();
}

function words(answer, body) {
  if (typeof body?.detail === "string") return body.detail;
  if (answer.status === 401) return "nobody is signed in";
  if (answer.status === 502 || answer.status === 504) return "the proxy does not reach the daemon";
  return `the daemon answered ${answer.status} ${answer.statusText}`.trim();
}

/** Who is signed in, and what they may do. The browser holds the session in a cookie that no script can read. */
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
