// Requests to the daemon. All paths are relative to the page, so it works below any prefix of a proxy.

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
 * `json` is sent as JSON, `text` as it is. `limit` is the time for the answer in milliseconds. Throws a Problem for every
 * answer from 400 up, and for none.
 */
export async function ask(method, path, { json, text, headers = {}, limit = PATIENCE } = {}) {
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
      signal: AbortSignal.timeout(limit),
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
  if (problem.isSignedOut) for (const listener of signedOut) listener(problem);
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
  return query.size > 0 ? `${path}?${query}` : path;
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
