// The files of the directory, to choose one to edit or to begin a new one.

import { el, put, user } from "./dom.js";
import { get, part } from "./api.js";
import { Fields } from "./fields.js";
import { fileSection } from "./status-files.js";

/** Fills `root` with the list. */
export async function showFiles(root, app) {
  app.title("Files");
  try {
    const { files, directories, writable } = await get("files");
    put(root, el("div.stack", el("h1", "Files"), fileSection(files, app, null),
      writable === false ? el("p.notice", "The daemon may not write to its directory, so files can be looked at only.")
        : beginning(directories, files, app)));
  } catch (problem) {
    put(root, el("div.stack", el("h1", "Files"), el("p.notice.bad", problem.message)));
  }
}

function beginning(directories, files, app) {
  const values = { name: "", directory: directories[0] ?? "" };
  const fields = new Fields((name, value) => { values[name] = value; });
  return el("form.panel.form", { novalidate: true, onsubmit: begin },
    el("h2", "A new file"),
    el("div.columns",
      directories.length > 1
        ? fields.select("directory", "Directory", values.directory,
          directories.map((path) => [path, path || "the directory itself"])) : null,
      fields.input("name", "Name", "", { class: "mono", hint: "Such as launch.yaml; .yaml, .yml or .json." })),
    el("div.row", el("button.primary", { type: "submit" }, "Begin")));

  function begin(event) {
    event.preventDefault();
    const path = [values.directory, values.name.trim()].filter(Boolean).join("/");
    const isPlain = /^[^/.][^/]*\.(yaml|yml|json)$/.test(values.name.trim());
    const problem = !isPlain ? "A plain name that ends in .yaml, .yml or .json."
      : files.some((file) => file.path === path) ? "There is such a file." : "";
    fields.tell({ name: problem }, { focus: true });
    if (!problem) app.go(`?file=${part(path)}&begin`);
  }
}

/** What is shown in place of an editor: why, and the way to the list. */
export function nothing(title, words) {
  return el("div.empty", el("h1", title), user("p", words), el("p", el("a.button", { href: "?file=" }, "All files")));
}
