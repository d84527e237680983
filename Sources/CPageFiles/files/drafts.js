// Texts that are not saved yet. They survive a reload and a closed tab that is opened again, and no other tab sees them.

const PREFIX = "tminus.draft.";

/** The draft with a name, or null. */
export function draft(name) {
  try {
    return JSON.parse(sessionStorage.getItem(PREFIX + name));
  } catch {
    return null;
  }
}

/** Keeps a draft; null forgets it. Returns false if the browser does not keep it. */
export function keepDraft(name, value) {
  try {
    if (value === null) sessionStorage.removeItem(PREFIX + name);
    else sessionStorage.setItem(PREFIX + name, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}

/** Forgets all drafts. */
export function forgetDrafts() {
  try {
    for (const name of Object.keys(sessionStorage)) if (name.startsWith(PREFIX)) sessionStorage.removeItem(name);
  } catch {
    // A browser that keeps nothing has nothing to forget.
  }
}
