// A file of the directory as the daemon has it, the text that would replace it, and where that is kept until it is saved.

import { ask, withQuery } from "./api.js";
import { draft, keepDraft } from "./drafts.js";

/** How long a check and a save may take, in milliseconds. */
const patience = 30_000;

/** The text of a file, and the tag that says which text it was. */
export class FileText {
  /** The path of the file below the directory. */
  path;
  /** The text of the file, with lines that end as in a textarea. */
  base = "";
  /** Its tag; null while there is no file. */
  tag = null;

  /** How the lines of the file end. A textarea knows one way only. */
  #ending = "\n";

  constructor(path) {
    this.path = path;
  }

  /** Reads the file: `{ text, tag }`. Throws a Problem. */
  async read() {
    const { body, headers } = await ask("GET", withQuery("file", { path: this.path }), { limit: patience });
    return { text: this.lines(body), tag: headers.get("ETag") };
  }

  /** A text of the daemon with lines that end as in a textarea. */
  lines(text) {
    this.#ending = text.includes("\r\n") ? "\r\n" : "\n";
    return text.replaceAll("\r\n", "\n");
  }

  /**
   * Sends a text, on the condition that the file is still the one it would replace. `isTrial` writes nothing. Throws a
   * Problem: 412 if the file is another by now, 422 if the text has errors.
   */
  async write(text, { isTrial }) {
    const condition = this.tag === null ? { "If-None-Match": "*" } : { "If-Match": this.tag };
    const query = { path: this.path, "dry-run": isTrial ? "true" : "" };
    const { body } = await ask("PUT", withQuery("file", query), {
      text: text.replaceAll("\n", this.#ending),
      headers: { "Content-Type": "text/plain; charset=utf-8", ...condition },
      limit: patience,
    });
    return body;
  }

  /** The text that was not saved, with the tag of the file it would have replaced: `{ text, tag }`, or null. */
  get unsaved() {
    return draft(`file.${this.path}`);
  }

  /** Keeps a text until it is saved. That of the file need not be kept. */
  keep(text) {
    keepDraft(`file.${this.path}`, text === this.base ? null : { text, tag: this.tag });
  }

  /** The text that was put aside for another one, or null. */
  get aside() {
    return draft(`aside.${this.path}`);
  }

  set aside(text) {
    keepDraft(`aside.${this.path}`, text);
  }
}
