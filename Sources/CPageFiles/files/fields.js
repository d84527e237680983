// Fields of forms: a label, a control, a hint and the place for what is wrong, tied together for those who cannot see them.

import { el, put, sheet, text } from "./dom.js";

await sheet(new URL("forms.css", import.meta.url));

/** The fields of a form by name. Each change of one calls `changed(name, value)`. */
export class Fields {
  #controls = new Map();
  #changed;

  constructor(changed) {
    this.#changed = changed;
  }

  /** A field of one line. `more` are attributes of the input. */
  input(name, label, value, { hint = null, ...more } = {}) {
    return this.#field(name, label, el("input", { value, autocomplete: "off", ...more }), hint);
  }

  /** A field of several lines. */
  area(name, label, value, { hint = null, ...more } = {}) {
    return this.#field(name, label, el("textarea", more, value), hint);
  }

  /** A choice of `[value, words]`. */
  select(name, label, value, options, { hint = null } = {}) {
    return this.#field(name, label, el("select", choices(value, options)), hint);
  }

  /** Replaces the options of a choice, if it is there. Nothing else of the form changes. */
  offer(name, value, options) {
    const select = this.#controls.get(name)?.control;
    if (select) put(select, choices(value, options));
  }

  /** A choice of `[value, words]` that shows all of them in a row. */
  segments(name, legend, value, options) {
    return el("fieldset", el("legend", legend), el("div.segments", options.map(([key, words]) => el("label",
      el("input", { type: "radio", name, value: key, checked: key === value, onchange: () => this.#changed(name, key) }),
      el("span", words)))));
  }

  /** Says what is wrong, by the name of the field, and takes back what was said of others. Focuses the first. */
  tell(problems, { focus = false } = {}) {
    let first = null;
    for (const [name, { control, error }] of this.#controls) {
      const words = problems[name] ?? "";
      text(error, words);
      if (words) control.setAttribute("aria-invalid", "true");
      else control.removeAttribute("aria-invalid");
      if (words) first ??= control;
    }
    if (!focus || !first) return;
    first.closest("details")?.setAttribute("open", "");
    first.focus();
  }

  #field(name, label, control, hint) {
    const id = `field-${name}`;
    const error = el("p.error", { id: `${id}-error` });
    const help = hint === null ? null : el("p.hint", { id: `${id}-hint` }, hint);
    control.id = id;
    control.name = name;
    control.setAttribute("aria-describedby", hint === null ? error.id : `${help.id} ${error.id}`);
    control.addEventListener("input", () => this.#changed(name, control.value));
    this.#controls.set(name, { control, error });
    return el("div.field", el("label", { for: id }, label), control, help, error);
  }
}

function choices(value, options) {
  return options.map(([key, words]) => el("option", { value: key, selected: key === value }, words));
}
