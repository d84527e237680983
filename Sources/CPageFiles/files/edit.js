// Editing the files of the directory: one at a place, that of a definition, or a choice of all.

import { put } from "./dom.js";
import { Problem, get, part, withQuery } from "./api.js";
import { FileEditor } from "./file-editor.js";
import { nothing, showFiles } from "./file-list.js";

/** Opens the file of `?file=`, at `&line=` and `&column=`, or that of the definition of `?edit=`; or the list of files. */
export function open(root, query, app) {
  let editor = null;
  let number = 0;

  function choose(query) {
    const mine = ++number;
    const path = query.get("file");
    const place = { line: Number(query.get("line")), column: Number(query.get("column")) };
    if (editor && editor.path === path) return editor.goTo(place);
    editor?.close();
    editor = null;
    put(root);
    if (query.has("edit")) find(query.get("edit"), mine);
    else if (path === "") showFiles(root, app);
    else editor = new FileEditor(root, path, { isNew: query.has("begin"), place }, app);
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
      if (mine === number) put(root, nothing("There is nothing to edit.", problem.message));
    }
  }

  choose(query);
  return { close: () => { number += 1; editor?.close(); }, update: choose };
}
