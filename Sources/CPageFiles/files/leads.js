// The choice of lead times: a button for each usual one, and a field for others.

import { el, put } from "./dom.js";

const usual = ["1 week", "1 day", "1 hour", "30 minutes", "5 minutes"];

/** Builds the choice. `chosen` are the lead times at first; `changed` is called with the new list. */
export function leadChoice(legend, hint, chosen, changed) {
  let leads = chosen;
  const buttons = el("div.row");
  const other = el("input", {
    "aria-label": "Another one", placeholder: "such as 2 days", autocomplete: "off",
    onkeydown: (event) => {
      if (event.key !== "Enter") return;
      event.preventDefault();
      take();
    },
  });
  const ask = el("div.row.other", { hidden: true }, other, el("button", { type: "button", onclick: take }, "Take it"));
  const toggle = el("button", {
    type: "button", "aria-expanded": "false",
    onclick: () => {
      ask.hidden = !ask.hidden;
      toggle.setAttribute("aria-expanded", String(!ask.hidden));
      if (!ask.hidden) other.focus();
    },
  }, "other");

  function take() {
    const words = other.value.trim().replace(/\s+/g, " ");
    if (words === "") return;
    other.value = "";
    if (!leads.includes(words)) become([...leads, words]);
    other.focus();
  }

  function become(next) {
    leads = next;
    show();
    changed(leads);
  }

  function show() {
    const focused = buttons.contains(document.activeElement) ? document.activeElement.dataset.lead : null;
    const all = [...usual, ...leads.filter((lead) => !usual.includes(lead))];
    put(buttons, all.map((lead) => el("button", {
      type: "button", "data-lead": lead, "aria-pressed": String(leads.includes(lead)),
      onclick: () => become(leads.includes(lead) ? leads.filter((one) => one !== lead) : [...leads, lead]),
    }, lead)), toggle);
    [...buttons.children].find((button) => focused !== null && button.dataset.lead === focused)?.focus();
  }

  show();
  return el("fieldset.leads", el("legend", legend), el("p.hint", hint), buttons, ask);
}
