// A question before something that cannot be taken back.

import { el } from "./dom.js";

/**
 * Asks in a dialog. `words` are the title, `more` says what will happen, `yes` is the button that does it. Resolves to
 * whether that was pressed; Escape and the other button are a no. The focus returns to where it was.
 */
export function confirm(words, more, yes) {
  return new Promise((resolve) => {
    const dialog = el("dialog", { "aria-labelledby": "confirm-title" },
      el("form", { method: "dialog" },
        el("h2#confirm-title", words),
        el("p", more),
        el("div.row",
          el("button", { value: "no", autofocus: true }, "Cancel"),
          el("button.danger", { value: "yes" }, yes))));
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(dialog.returnValue === "yes");
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}
