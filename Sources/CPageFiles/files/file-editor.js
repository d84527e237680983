// The editor of one file: its text, its problems, what would change, and saving, which never overwrites what somebody else
// has written meanwhile.

import { el, put, text, user } from "./dom.js";
import { changeList } from "./change-list.js";
import { count } from "./delivery-words.js";
import { conflict, putAside } from "./edit-conflict.js";
import { nothing } from "./file-list.js";
import { FileText } from "./file-text.js";
import { problemList } from "./problems.js";
import { Refresh } from "./refresh.js";
import { TextEditor } from "./text-editor.js";

/** How long after the last key the text is checked, in milliseconds. */
const pause = 300;

/** Shows a file of the directory in `root`, from a place on. */
export class FileEditor {
  #file;
  #app;
  #root;
  #editor;
  #place;
  #timer = 0;
  /** The number of the newest check. The answer to an older one tells of another text. */
  #run = 0;
  #isSaving = false;
  #refresh;
  #state = el("p#edit-state.faint", { role: "status" });
  #save = el("button.primary", { type: "button", "aria-keyshortcuts": "Control+S", onclick: () => this.#store() }, "Save");
  #undo = el("button.quiet", { type: "button", onclick: () => this.#become(this.#file.base) }, "Undo all");
  #aside = el("div.notice.row.spread", { hidden: true });
  #conflict = el("section.notice.bad.conflict", { hidden: true, "aria-label": "Changed by another" });
  #problems = el("section", { "aria-label": "Problems" });
  #changes = el("section", { "aria-label": "What would change" });
  #onKey = (event) => this.#key(event);

  constructor(root, path, { isNew, place }, app) {
    [this.#file, this.#app, this.#root, this.#place] = [new FileText(path), app, root, place];
    this.#editor = new TextEditor(`Text of ${path}`, "edit-state", () => this.#typed());
    app.title(path);
    document.addEventListener("keydown", this.#onKey);
    this.#refresh = new Refresh(app, () => this.#look());
    if (isNew) this.#begin("", null);
    else this.#load();
  }

  /** The path of the file below the directory. */
  get path() {
    return this.#file.path;
  }

  close() {
    clearTimeout(this.#timer);
    this.#run += 1;
    this.#refresh.close();
    document.removeEventListener("keydown", this.#onKey);
  }

  /** Brings a place into sight; none without a line. */
  goTo({ line, column }) {
    if (line > 0) this.#editor.select(line, column || 1);
  }

  // Reading

  async #load() {
    const run = ++this.#run;
    try {
      const { text, tag } = await this.#file.read();
      if (run === this.#run) this.#begin(text, tag);
    } catch (problem) {
      if (run === this.#run) put(this.#root, nothing("This file cannot be edited.", problem.message));
    }
  }

  /** Shows the file, or the text that was not saved to it. */
  #begin(theirs, tag) {
    const unsaved = this.#file.unsaved;
    Object.assign(this.#file, { base: theirs, tag });
    this.#editor.value = unsaved?.text ?? theirs;
    const hint = el("p.hint", "Enter keeps the indentation, Tab leaves the text, Ctrl-S saves.");
    put(this.#root, el("div.edit",
      el("header.row.spread",
        el("div", el("h1", user("bdi", this.path)), this.#state), el("div.row", this.#undo, this.#save)),
      this.#aside, this.#conflict,
      el("div.workplace",
        el("div", this.#editor.element, hint), el("aside.stack", this.#problems, this.#changes))));
    this.#show();
    this.#offer();
    if (unsaved && unsaved.tag !== tag) this.#differ(theirs, tag);
    else this.#check();
    this.goTo(this.#place);
  }

  /** Looks whether the file has changed beside. An unchanged text follows it, another one is compared. */
  async #look() {
    const former = this.#file.tag;
    if (former === null || this.#isSaving || !this.#conflict.hidden) return;
    try {
      const { text: theirs, tag } = await this.#file.read();
      if (former !== this.#file.tag || former === tag || this.#isSaving) return;
      this.#follow(theirs, tag);
    } catch {
      // The next key or save tells what is wrong.
    }
  }

  /** The file is another by now: an unchanged text follows it, another one is compared. */
  #follow(theirs, tag) {
    if (this.#isChanged) return this.#differ(theirs, tag);
    Object.assign(this.#file, { base: theirs, tag });
    this.#editor.value = theirs;
    this.#app.say(`${this.path} was changed by another, and is shown as it is now`);
    this.#check();
  }

  // The text

  get #isChanged() {
    return this.#editor.value !== this.#file.base || this.#file.tag === null;
  }

  #typed() {
    this.#file.keep(this.#editor.value);
    this.#show();
    clearTimeout(this.#timer);
    this.#run += 1;
    this.#timer = setTimeout(() => this.#check(), pause);
  }

  /** Replaces the text by another one. The former one can come back. */
  #become(other) {
    this.#file.aside = this.#editor.value;
    this.#editor.value = other;
    this.#typed();
    this.#offer();
    this.#editor.focus();
  }

  /** Offers to bring a text back that was put aside. */
  #offer() {
    const mine = this.#file.aside;
    this.#aside.hidden = mine === null;
    const forget = () => {
      this.#file.aside = null;
      this.#aside.hidden = true;
    };
    put(this.#aside, putAside({ bring: () => { this.#become(mine); forget(); }, forget }));
  }

  #show(words = null) {
    const isNew = this.#file.tag === null;
    const usual = isNew ? "A new file, not saved yet" : this.#isChanged ? "Not saved yet" : "As in the file";
    text(this.#state, words ?? usual);
    this.#save.disabled = !this.#isChanged || this.#isSaving;
    this.#undo.hidden = !this.#isChanged || isNew;
  }

  // Checking and saving

  /** Asks what is wrong with the text and what it would change, and writes nothing. */
  async #check() {
    const run = ++this.#run;
    try {
      const { diagnostics, diff } = await this.#file.write(this.#editor.value, { isTrial: true });
      if (run === this.#run) this.#tell(diagnostics, diff);
    } catch (problem) {
      if (run === this.#run) this.#refused(problem);
    }
  }

  async #store() {
    if (this.#save.disabled) return;
    clearTimeout(this.#timer);
    this.#run += 1;
    const written = this.#editor.value;
    this.#isSaving = true;
    this.#show("Saving …");
    try {
      const answer = await this.#file.write(written, { isTrial: false });
      Object.assign(this.#file, { base: written, tag: answer.etag });
      this.#file.keep(this.#editor.value);
      this.#isSaving = false;
      this.#show();
      this.#app.say(savedWords(this.path, answer));
      this.#check();
    } catch (problem) {
      this.#isSaving = false;
      this.#show();
      this.#refused(problem);
      if (problem.status !== 412) this.#app.say(`not saved: ${problem.message}`, { problem: true });
    }
  }

  #refused({ status, body, message }) {
    if (status === 412 && typeof body?.text === "string") return this.#follow(this.#file.lines(body.text), body.etag);
    if (status === 422) return this.#tell(body.diagnostics ?? [], null);
    if (status === 404 && this.#file.tag !== null) {
      // It was removed. Saving makes it again.
      this.#file.tag = null;
      this.#show("The file is not there any more. Saving makes it anew.");
      return this.#check();
    }
    put(this.#problems, el("h2", "Not checked"), user("p", message));
    put(this.#changes);
  }

  #tell(diagnostics, diff) {
    const errors = diagnostics.filter(({ severity }) => severity === "error").length;
    this.#editor.mark(diagnostics.filter(({ file }) => file === this.path));
    put(this.#problems, el("h2", "Problems"), diagnostics.length === 0
      ? el("p.faint", "None.") : problemList(diagnostics, this.path, (one) => this.#jump(one)));
    put(this.#changes, el("h2", "What would change"),
      diff?.sinks ? changeList(diff) : el("p.faint", "This is known when there are no errors."));
    this.#show(errors > 0 && this.#isChanged ? `Not saved yet, ${count(errors, "error")}` : null);
  }

  /** Takes a place in this file itself. */
  #jump({ file, line, column, length }) {
    if (file !== this.path) return false;
    this.#editor.select(line ?? 1, column ?? 1, length ?? 0);
    return true;
  }

  /** The file is another by now. Both texts are kept, and shown beside each other. */
  #differ(theirs, tag) {
    const mine = this.#editor.value;
    const accept = () => {
      Object.assign(this.#file, { base: theirs, tag });
      this.#conflict.hidden = true;
      this.#typed();
    };
    // Somebody wrote the same.
    if (mine === theirs) return accept();
    put(this.#conflict, conflict(theirs, mine, {
      goOn: () => { accept(); this.#editor.focus(); },
      take: () => { accept(); this.#become(theirs); },
    }));
    this.#conflict.hidden = false;
    this.#show("Changed by another");
    this.#save.disabled = true;
  }

  #key(event) {
    if (event.key !== "s" || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return;
    event.preventDefault();
    this.#store();
  }
}

/** What saving did, in one sentence. */
function savedWords(path, { added, changed, removed }) {
  const groups = [["added", added], ["changed", changed], ["removed", removed]].filter(([, ids]) => ids?.length > 0);
  const words = groups.map(([verb, ids]) => `${verb} ${ids.join(", ")}`).join("; ");
  return `${path}: ${words || "saved"}`;
}
