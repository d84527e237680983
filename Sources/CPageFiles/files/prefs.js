// What this browser prefers: kept here only, and only if the browser keeps anything.

const PREFIX = "tminus.";

/** The preference with a name, or `usual`. */
export function preferred(name, usual) {
  try {
    return localStorage.getItem(PREFIX + name) ?? usual;
  } catch {
    return usual;
  }
}

/** Keeps a preference; null forgets it. */
export function prefer(name, value) {
  try {
    if (value === null) localStorage.removeItem(PREFIX + name);
    else localStorage.setItem(PREFIX + name, value);
  } catch {
    // A browser that keeps nothing shows the usual.
  }
}

/** Shows the page in a theme: `dark`, `light`, or `auto` for that of the system. */
export function showTheme(theme) {
  const root = document.documentElement;
  if (theme === "dark" || theme === "light") root.dataset.theme = theme;
  else delete root.dataset.theme;
}
