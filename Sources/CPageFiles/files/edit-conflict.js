// What is said when a file and the text for it have parted.

import { el } from "./dom.js";
import { comparison } from "./compare.js";

/** The file is another by now: both texts beside each other, and the two ways on. */
export function conflict(theirs, mine, { goOn, take }) {
  return [
    el("h2", "The file was changed by another"),
    el("p", "Nothing was overwritten, and your text is still here. Compare, take over what is missing, and go on."),
    comparison(theirs, mine),
    el("div.row",
      el("button", { type: "button", onclick: goOn }, "Go on with my text"),
      el("button", { type: "button", onclick: take }, "Take the text of the file")),
  ];
}

/** A text was put aside, and can come back. */
export function putAside({ bring, forget }) {
  return [
    "Your text is put aside.",
    el("span.row",
      el("button", { type: "button", onclick: bring }, "Bring my text back"),
      el("button.quiet", { type: "button", onclick: forget }, "Forget it")),
  ];
}
