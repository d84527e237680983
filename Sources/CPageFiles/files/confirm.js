// A question before something that cannot be taken back.

import { el } from "./dom.js";

/**
 * Asks in a dialog. `words` are the title, `more` says what will happen, `yes` is the button that does it. Resolves to
 * whether that was pressed; Escape, `n` and the other button are a no, `y` is a yes. With `patience`, in milliseconds, the
 * question is withdrawn after that time: null. The focus returns to where it was.
 */
export function confirm(words, more, yes, patience = 0) {
  return new Promise((resolve) => {
    const dialog = el("dialog", { "aria-labelledby": "confirm-title" },
      el("form", { method: "dialog" },
        el("h2#confirm-title", words),
        more ? el("p", more) : null,
        el("div.row",
          el("button", { value: "no", autofocus: true }, "Cancel"),
          el("button.danger", { value: "yes" }, yes))));
    const timer = patience > 0 ? setTimeout(() => dialog.close("late"), patience) : 0;
    dialog.addEventListener("keydown", ({ key }) => {
      if (key === "y" || key === "Y") dialog.close("yes");
      else if (key === "n" || key === "N") dialog.close("no");
    });
    dialog.addEventListener("close", () => {
      clearTimeout(timer);
      dialog.remove();
      resolve(dialog.returnValue === "late" ? null : dialog.returnValue === "yes");
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}
