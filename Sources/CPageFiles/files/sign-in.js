// The dialogs to sign in, and to sign out.

import { el, put, text, user } from "./dom.js";
import { Problem } from "./api.js";
import { fullWhen } from "./when.js";

/** What each level may do, in words. */
const means = {
  read: "You may look at everything that is defined, and at nothing that it sent.",
  control: "You may also start, pause, snooze and mute, add timers without a file, and retry or discard deliveries.",
  edit: "You may also add, change and remove definitions in files. They can run commands on the machine.",
};

/** Why a token of level edit does not edit. */
const cuts = {
  off: "Editing is off: the daemon runs without --allow-edit.",
  "not-encrypted": "Editing is off, because the connection is not encrypted.",
};

/** Opens the dialog that fits: who is signed in, or the one to sign in. */
export function openSession(session) {
  return session.name ? openAccount(session) : openSignIn(session);
}

/** The dialog that is open. */
let open = null;

/**
 * Opens the dialog to sign in, over what is on the page, unless it is open. `reason` says why. Without the right to read,
 * there is no way around it.
 */
export function openSignIn(session, reason = "") {
  if (open?.id === "sign-in") {
    if (reason) text(open.querySelector("#sign-in-error"), reason);
    return;
  }
  open?.close();
  const failure = el("p.error", { id: "sign-in-error", role: "alert" }, reason);
  const field = el("input", {
    id: "sign-in-token", name: "token", type: "password", autocomplete: "current-password", required: true,
    spellcheck: "false", autocapitalize: "off", "aria-describedby": "sign-in-hint sign-in-error", autofocus: true,
  });
  const send = el("button.primary", { type: "submit" }, "Sign in");
  const form = el("form", { method: "post", action: "login", onsubmit: submit },
    el("h2#sign-in-title", "Sign in"),
    el("div.field",
      el("label", { for: "sign-in-token" }, "Token"), field,
      el("p.hint", { id: "sign-in-hint" }, el("code", "tminus token add NAME"), " makes a token. ",
        el("code", "tminus web"), " prints a link that signs in without one."),
      failure),
    el("div.row",
      session.level === null ? null : el("button", { type: "button", onclick: () => dialog.close() }, "Cancel"), send));
  const dialog = show(el("dialog#sign-in", { "aria-labelledby": "sign-in-title" }, form), session.level !== null);
  const stop = session.on(() => { if (session.level !== null) dialog.close(); });
  // Somebody may have signed in beside, in another tab.
  const look = () => { if (!document.hidden) session.ask().catch(() => {}); };
  document.addEventListener("visibilitychange", look);
  dialog.addEventListener("close", () => {
    stop();
    document.removeEventListener("visibilitychange", look);
    // A browser lets Escape close any dialog in the end.
    if (session.level === null) openSignIn(session);
  });

  async function submit(event) {
    event.preventDefault();
    send.disabled = true;
    text(failure, "");
    field.removeAttribute("aria-invalid");
    try {
      await session.signIn(field.value.trim());
      dialog.close();
    } catch (problem) {
      text(failure, problem instanceof Problem ? problem.message : String(problem));
      field.setAttribute("aria-invalid", "true");
      field.select();
      field.focus();
    } finally {
      send.disabled = false;
    }
  }
}

/** Says who is signed in and what they may do, and signs out. */
function openAccount(session) {
  const failure = el("p.error", { role: "alert" });
  const dialog = show(el("dialog#account", { "aria-labelledby": "account-title" },
    el("h2#account-title", "Signed in as ", user("bdi", session.name)),
    el("p", el("b", `Level ${session.level}. `), means[session.level] ?? ""),
    cuts[session.editing] ? el("p", cuts[session.editing]) : null,
    session.ends ? el("p.faint", "Signed in until ", fullWhen(session.ends), ", or until you log out.") : null,
    failure,
    el("div.row",
      el("button", { type: "button", onclick: leave }, "Log out"),
      el("button.primary", { type: "button", autofocus: true, onclick: () => dialog.close() }, "Close"))), true);

  async function leave() {
    try {
      await session.signOut();
      dialog.close();
    } catch (problem) {
      text(failure, problem.message);
    }
  }
}

function show(dialog, mayClose) {
  open = dialog;
  dialog.addEventListener("cancel", (event) => { if (!mayClose) event.preventDefault(); });
  dialog.addEventListener("close", () => {
    if (open === dialog) open = null;
    dialog.remove();
  });
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}
