// The views of the page. Each is a module with `open(root, query, app)`, which fills the element `root` for the query of
// the address and returns `{ close() }`, or that with `update(query)`, which takes a new query of the same view.
//
// The first row whose key is in the query decides; the last one is for all others.

/** The views, most special first. `level` is what somebody needs to use it. */
export const views = [
  { key: "wall", level: "read", load: () => import("./wall.js") },
  { key: "deliveries", level: "control", load: () => import("./deliveries.js") },
  { key: "status", level: "read", load: () => import("./status.js") },
  { key: "new", level: "control", load: () => import("./add.js") },
  { key: "edit", level: "edit", load: () => import("./edit.js") },
  { key: "file", level: "edit", load: () => import("./edit.js") },
  { key: "id", level: "read", load: () => import("./item.js") },
  { key: null, level: "read", load: () => import("./list.js") },
];

/** The view for a query. */
export function viewFor(query) {
  return views.find((view) => view.key === null || query.has(view.key));
}
