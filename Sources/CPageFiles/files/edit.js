// Editing a file of the directory: its text, the problems of it, what would change, and saving, which never overwrites what
// somebody else has written meanwhile.

import { el, put, text, user } from "./dom.js";
import { Problem, ask, get, part, withQuery } from "./api.js";
import { changeList } from "./change-list.js";
import { comparison } from "./compare.js";
import { count } from "./delivery-words.js";
import { draft, keepDraft } from "./drafts.js";
import { showFiles } from "./file-list.js";
import { problemList } from "./problems.js";
import { Refresh } from "./refresh.js";
import { TextEditor } from "./text-editor.js";

/** How long after the last key the text is checked, in milliseconds. */
const pause = 300;

/** How long a check and a save may take. */
const patience = 30_000;

/** Opens the file of `?file=`, at `&line=` and `&column=`, or that of the definition of `?edit=`; or the list of files. */
export function open(root, query, app) {
  let editor = null;
  let number = 0;

  async function choose(query) {
    const mine = ++number;
    const path = query.get("file");
    const place = { line: Number(query.get("line")), column: Number(query.get("column")) };
    if (editor && editor.path === path) return editor.goTo(place);
    editor?.close();
    editor = null;
    put(root);
    if (query.has("edit")) return find(query.get("edit"), mine);
    if (path === "" || path === null) return showFiles(root, app);
    editor = new Editor(root, path, query.has("begin"), place, app);
  }

  /** Goes on to the file of a definition. */
  async function find(id, mine) {
    try {
      const [item, { files }] = await Promise.all([get(`items/${part(id)}`), get("files")]);
      if (mine !== number) return;
      if (!item.file) throw new Problem(`'${id}' has no file: the daemon keeps it for the time being`);
      const file = files.find((one) => one.file === item.file);
      if (!file) throw new Problem(`the file ${item.file} is not in the directory any more`);
      app.go(withQuery("", { file: file.path, line: item.line }), { replace: true });
    } catch (problem) {
      if (mine !== number) return;
      put(root, el("div.empty", el("h1", "There is nothing to edit."), user("p", problem.message),
        el("p", el("a.button", { href: "?file=" }, "All files"))));
    }
  }

  choose(query);
  return { close: () => { number += 1; editor?.close(); }, update: choose };
}

class Editor {
  path;

  #app;
  #root;
  #editor;
  /** The tag and the text of the file as this text began; no tag while there is no file. */
  #tag = null;
  #base = "";
  /** How its lines end. A textarea knows one way only. */
  #ending = "\n";
  #timer = 0;
  #run = 0;
  #place;
  #isSaving = false;
  #refresh;
  #state = el("p#edit-state.faint", { role: "status" });
  #save = el("button.primary", { type: "button", "aria-keyshortcuts": "Control+S", onclick: () => this.#store() }, "Save");
  #undo = el("button.quiet", { type: "button", onclick: () => this.#takeBack() }, "Undo all");
  #conflict = el("section.notice.bad.conflict", { hidden: true, "aria-label": "Changed by another" });
  #problems = el("section", { "aria-label": "Problems" });
  #changes = el("section", { "aria-label": "What would change" });
  #onKey = (event) => this.#key(event);

  constructor(root, path, isNew, place, app) {
    [this.path, this.#app, this.#root, this.#place] = [path, app, root, place];
    this.#editor = new TextEditor(`Text of ${path}`, "edit-state", () => this.#typed());
    app.title(path);
    document.addEventListener("keydown", this.#onKey);
    this.#refresh = new Refresh(app, () => this.#look());
    if (isNew) this.#begin("", null);
    else this.#load();
  }

  close() {
    clearTimeout(this.#timer);
    this.#run += 1;
    this.#refresh.close();
    document.removeEventListener("keydown", this.#onKey);
  }

  goTo({ line, column }) {
    if (line > 0) this.#editor.select(line, column || 1);
  }

  async #load() {
    const run = ++this.#run;
    try {
      const { body, headers } = await this.#read();
      if (run === this.#run) this.#begin(this.#lines(body), headers.get("ETag"));
    } catch (problem) {
      if (run !== this.#run) return;
      put(this.#root, el("div.empty", el("h1", "This file cannot be edited."), user("p", problem.message),
        el("p", el("a.button", { href: "?file=" }, "All files"))));
    }
  }

  /** The text with lines that end as in a textarea. */
  #lines(text) {
    this.#ending = text.includes("\r\n") ? "\r\n" : "\n";
    return text.replaceAll("\r\n", "\n");
  }

  #read() {
    return ask("GET", withQuery("file", { path: this.path }), { limit: patience });
  }

  /** Shows the file, or the text that was not saved to it. */
  #begin(theirs, tag) {
    const kept = draft(this.#draftName);
    [this.#base, this.#tag] = [theirs, tag];
    this.#editor.value = kept?.text ?? theirs;
    put(this.#root, el("div.edit",
      el("header.row.spread",
        el("div", el("h1", user("bdi", this.path)), this.#state),
        el("div.row", this.#undo, this.#save)),
      this.#conflict,
      el("div.workplace", el("div", this.#editor.element, el("p.hint", "Enter keeps the indentation, Tab leaves the text, Ctrl-S saves.")),
        el("aside.stack", this.#problems, this.#changes))));
    this.#show();
    if (kept?.text === theirs) keepDraft(this.#draftName, null);
    if (kept && kept.text !== theirs && kept.tag !== tag) this.#differ(theirs, tag);
    else this.#check();
    this.goTo(this.#place);
  }

  get #draftName() {
    return `file.${this.path}`;
  }

  get #isChanged() {
    return this.#editor.value !== this.#base || this.#tag === null;
  }

  #typed() {
    keepDraft(this.#draftName, this.#editor.value === this.#base ? null : { text: this.#editor.value, tag: this.#tag });
    this.#show();
    clearTimeout(this.#timer);
    this.#run += 1;
    this.#timer = setTimeout(() => this.#check(), pause);
  }

  #show(words = null) {
    text(this.#state, words ?? (this.#tag === null ? "A new file, not saved yet" : this.#isChanged ? "Not saved yet" : "As in the file"));
    this.#save.disabled = !this.#isChanged || this.#isSaving;
    this.#undo.hidden = !this.#isChanged || this.#tag === null;
  }

  /** What the text may replace. */
  get #condition() {
    return this.#tag === null ? { "If-None-Match": "*" } : { "If-Match": this.#tag };
  }

  #put(query) {
    return ask("PUT", withQuery("file", { path: this.path, ...query }), {
      text: this.#editor.value.replaceAll("\n", this.#ending), limit: patience,
      headers: { "Content-Type": "text/plain; charset=utf-8", ...this.#condition },
    });
  }

  /** Asks what is wrong with the text and what it would change, and writes nothing. */
  async #check() {
    const run = ++this.#run;
    try {
      const { body } = await this.#put({ "dry-run": "true" });
      if (run === this.#run) this.#tell(body.diagnostics, body.diff);
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
      const { body } = await this.#put({});
      [this.#tag, this.#base] = [body.etag, written];
      keepDraft(this.#draftName, this.#editor.value === written ? null : { text: this.#editor.value, tag: this.#tag });
      this.#conflict.hidden = true;
      this.#app.say(saved(this.path, body));
      this.#isSaving = false;
      this.#show();
      this.#check();
    } catch (problem) {
      this.#isSaving = false;
      this.#show();
      this.#refused(problem);
      if (problem.status !== 412) this.#app.say(`not saved: ${problem.message}`, { problem: true });
    }
  }

  #refused(problem) {
    const { status, body } = problem;
    if (status === 412 && typeof body?.text === "string") return this.#differ(this.#lines(body.text), body.etag);
    if (status === 422) return this.#tell(body.diagnostics ?? [], null);
    if (status === 404 && this.#tag !== null) {
      // It was removed. Saving makes it again.
      this.#tag = null;
      this.#show("The file is not there any more. Saving makes it anew.");
      return this.#check();
    }
    put(this.#problems, el("h2", "Not checked"), user("p", problem.message));
    put(this.#changes);
  }

  #tell(diagnostics, diff) {
    this.#editor.mark(diagnostics.filter(({ file }) => file === this.path));
    const errors = diagnostics.filter(({ severity }) => severity === "error").length;
    put(this.#problems, el("h2", "Problems"),
      diagnostics.length === 0 ? el("p.faint", "None.") : problemList(diagnostics, this.path, (one) => this.#jump(one)));
    put(this.#changes, el("h2", "What would change"),
      diff?.sinks ? changeList(diff) : el("p.faint", "This is known when there are no errors."));
    if (errors > 0 && this.#isChanged) this.#show(`Not saved yet, ${count(errors, "error")}`);
    else this.#show();
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
    if (mine === theirs) return this.#rebase(theirs, tag);
    put(this.#conflict, el("h2", "The file was changed by another"),
      el("p", "Nothing was overwritten, and your text is still here. Compare, take over what is missing, and go on."),
      comparison(theirs, mine),
      el("div.row",
        el("button", { type: "button", onclick: () => this.#rebase(theirs, tag) }, "Go on with my text"),
        el("button", { type: "button", onclick: () => this.#takeTheirs(theirs, tag, mine) }, "Take the text of the file")));
    this.#conflict.hidden = false;
    this.#show("Changed by another");
    this.#save.disabled = true;
  }

  /** The user has seen their text; this one may replace it. */
  #rebase(theirs, tag) {
    [this.#base, this.#tag] = [theirs, tag];
    this.#conflict.hidden = true;
    this.#typed();
    this.#editor.focus();
  }

  #takeTheirs(theirs, tag, mine) {
    this.#editor.value = theirs;
    this.#rebase(theirs, tag);
    this.#offer("Your text is put aside.", mine);
  }

  #takeBack() {
    const mine = this.#editor.value;
    this.#editor.value = this.#base;
    this.#typed();
    this.#editor.focus();
    this.#offer("All is as in the file again.", mine);
  }

  /** Offers to bring a text back. */
  #offer(words, mine) {
    const offer = el("p.notice.row.spread", words, el("button", {
      type: "button",
      onclick: () => {
        offer.remove();
        this.#editor.value = mine;
        this.#typed();
        this.#editor.focus();
      },
    }, "Bring my text back"));
    this.#root.querySelector(".offer")?.remove();
    offer.classList.add("offer");
    this.#conflict.before(offer);
  }

  /** Looks whether the file has changed beside. An unchanged text follows it, another one is compared. */
  async #look() {
    if (this.#tag === null || this.#isSaving || !this.#conflict.hidden) return;
    const tag = this.#tag;
    try {
      const { body, headers } = await this.#read();
      if (tag !== this.#tag || headers.get("ETag") === tag || this.#isSaving) return;
      const theirs = this.#lines(body);
      if (this.#isChanged) return this.#differ(theirs, headers.get("ETag"));
      [this.#base, this.#tag] = [theirs, headers.get("ETag")];
      this.#editor.value = theirs;
      this.#app.say(`${this.path} was changed by another, and is shown as it is now`);
      this.#check();
    } catch {
      // The next key or save tells what is wrong.
    }
  }

  #key(event) {
    if (event.key !== "s" || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return;
    event.preventDefault();
    this.#store();
  }
}

/** What saving did, in one sentence. */
function saved(path, { added, changed, removed }) {
  const groups = [["added", added], ["changed", changed], ["removed", removed]].filter(([, ids]) => ids?.length > 0);
  return `${path}: ${groups.length === 0 ? "saved" : groups.map(([words, ids]) => `${words} ${ids.join(", ")}`).join("; ")}`;
}
