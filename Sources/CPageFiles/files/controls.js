// What keys and buttons do to an item, and the questions before what cannot be taken back.

import { ask, part, post } from "./api.js";
import { el, put, visible } from "./dom.js";
import { answerLine, at } from "./items.js";

/**
 * The keys, as in the terminal, most used first. `level` is what a session needs; `label` is what the help calls the keys,
 * null if the row before says it. `on` is a place where the key has no meaning elsewhere.
 */
export const KEYS = [
  { action: "pauseOrResume", keys: [" "], label: "space", does: "pause, resume or start", level: "control" },
  { action: "start", keys: ["s"], label: "s", does: "start", level: "control" },
  { action: "stop", keys: ["x"], label: "x", does: "stop (asks first)", level: "control" },
  { action: "reset", keys: ["r"], label: "r", does: "reset (asks first)", level: "control" },
  { action: "lap", keys: ["l"], label: "l", does: "lap", level: "control" },
  { action: "add", keys: ["+", "="], label: "+", does: "add a minute to a running timer", level: "control" },
  { action: "snooze", keys: ["z"], label: "z", does: "snooze the next occurrence for 9 minutes", level: "control" },
  { action: "skip", keys: ["n"], label: "n", does: "skip the next occurrence (asks first)", level: "control" },
  { action: "mute", keys: ["m"], label: "m", does: "mute for an hour, or unmute (asks first)", level: "control" },
  { action: "unmute", keys: ["u"], label: "u", does: "end mute, skip and snooze (asks first)", level: "control" },
  { action: "remove", keys: ["Delete"], label: "del", does: "remove (asks first)", level: "control" },
  { action: "enlarge", keys: ["Enter"], label: "enter", does: "enlarge this item, or show all" },
  { action: "face", keys: ["f"], label: "f", does: "digital or analogue face" },
  { action: "rings", keys: ["o"], label: "o", does: "three rings or one of the total" },
  { action: "next", keys: ["j", "ArrowDown", "ArrowRight"], label: "j, k", does: "select another item, as the arrows do" },
  { action: "previous", keys: ["k", "ArrowUp", "ArrowLeft"], label: null },
  { action: "pageDown", keys: ["PageDown"], label: "page keys", does: "page down, page up" },
  { action: "pageUp", keys: ["PageUp"], label: null },
  { action: "first", keys: ["Home", "g"], label: "home, end", does: "first item, last item" },
  { action: "last", keys: ["End", "G"], label: null },
  { action: "back", keys: ["Escape"], label: "esc", does: "back to all items" },
  { action: "help", keys: ["?", "h"], label: "?", does: "this help" },
  { action: "search", keys: ["/"], label: "/", does: "search all items" },
  { action: "new", keys: ["a"], label: "a", does: "add an event, a timer or a stopwatch", level: "control" },
  { action: "edit", keys: ["e"], label: "e", does: "edit its file", level: "edit" },
  { action: "wall", keys: ["w"], label: "w", does: "wall display" },
  { action: "theme", keys: ["t"], label: "t", does: "dark, light or as the system has it" },
];

/** The action of a key press, null if it has none. Keys with ctrl, alt or meta belong to the browser. */
export function actionOf(event) {
  if (event.ctrlKey || event.altKey || event.metaKey || event.isComposing) return null;
  return KEYS.find((row) => row.keys.includes(event.key))?.action ?? null;
}

const isUnderWay = ({ state }) => state !== "idle" && state !== "expired";
const hasOverrides = ({ muted, skipped, snoozed }) => Boolean(muted || skipped || snoozed);
const isMuted = (item) => item.muted !== null && item.muted.until > item.asOf;

/** The control of an action for an item, as a verb and the body of its request. The daemon decides whether it fits. */
function controlOf(action, item) {
  switch (action) {
    case "pauseOrResume":
      if (item.state === "paused") return ["resume"];
      return [item.state === "idle" || item.state === "expired" ? "start" : "pause"];
    case "add": return ["start", { add: "1 minute" }];
    case "mute": return isMuted(item) ? ["unmute"] : ["mute", { for: "1 hour" }];
    default: return [action];
  }
}

/** The question before a control that loses what no other control brings back; null for others. */
export function questionOf(verb, item) {
  const name = visible(item.name);
  switch (verb) {
    case "stop": return item.kind === "timer" && isUnderWay(item) ? `Stop ${name}?` : null;
    case "reset": return item.kind !== "event" && isUnderWay(item) ? `Reset ${name}?` : null;
    case "skip": return item.kind !== "stopwatch" ? `Skip the next occurrence of ${name}?` : null;
    case "unmute": return hasOverrides(item) ? `End mute, skip and snooze of ${name}?` : null;
    case "remove": return item.file === null ? `Remove ${name}?` : `Remove ${name} from ${visible(item.file)}?`;
    default: return null;
  }
}

/** Whether a control would still do to an item what was asked. */
function fits(current, asked) {
  const told = ({ due, state, muted, skipped, snoozed }) => JSON.stringify([due, state, muted, skipped, snoozed]);
  return current !== undefined && told(current) === told(asked);
}

/** The time for an answer to a question, in milliseconds. */
const PATIENCE = 10_000;

/** Does an action to the item with an id, after its question, and says the answer. */
export async function perform(app, action, id) {
  const item = app.itemNow(id);
  if (!item) return app.say("no item is selected", { problem: true });
  const [verb, body] = controlOf(action, item);
  const question = questionOf(verb, item);
  if (question !== null) {
    const { confirm } = await import("./confirm.js");
    const answer = await confirm(question, "", "Yes", PATIENCE);
    if (!answer) return app.say(answer === null ? "no answer; nothing was done" : "nothing was done");
    if (!fits(app.model.items.get(id), item)) {
      return app.say(`${id} has changed meanwhile; nothing was done`, { problem: true });
    }
  }
  try {
    const path = `items/${part(id)}`;
    if (verb === "remove") {
      await ask("DELETE", path);
      return app.say(`${id}: removed`);
    }
    const answer = app.model.takeAnswer(await post(`${path}/${verb}`, body));
    app.say(answerLine(at(answer, answer.asOf), verb));
  } catch (problem) {
    const words = problem.message;
    app.say(words.startsWith(id) ? words : `${id}: ${words}`, { problem: true });
  }
}

/** The actions that make sense for an item, the most used first: `[action, words]`. */
function choices(item) {
  const all = [];
  const isTimer = item.kind === "timer";
  if (item.state === "disabled") return all;
  if (item.kind !== "event") {
    const word = { running: "Pause", acting: "Pause", paused: "Resume" }[item.state] ?? "Start";
    all.push(["pauseOrResume", word]);
    if (item.kind === "stopwatch" && item.state === "running") all.push(["lap", "Lap"]);
    if (isTimer && item.state === "running") all.push(["add", "+1 min"]);
    if (isUnderWay(item) || (isTimer && item.state === "expired")) all.push(["reset", "Reset"]);
    if (isUnderWay(item)) all.push(["stop", "Stop"]);
  }
  if (item.kind !== "stopwatch") {
    if (item.due !== null) all.push(["snooze", "Snooze"], ["skip", "Skip"]);
  }
  all.push(["mute", isMuted(item) ? "Unmute" : "Mute 1 h"]);
  if (item.skipped || item.snoozed) all.push(["unmute", "End mute, skip, snooze"]);
  return all;
}

/** A bar with the controls of one item. `show(item)` shows those that make sense for it. */
export class ControlBar {
  #app;
  #id = null;
  #shown = "";
  #more = el("button.quiet.more", { type: "button", "aria-expanded": "false", "aria-label": "More controls", onclick: () => this.#open() }, "⋯");

  constructor(app) {
    this.#app = app;
    this.node = el("div.controls", { role: "group", "aria-label": "Controls" });
  }

  /** Shows the controls of an item, or none for null. */
  show(item) {
    const rows = item && this.#app.may("control") ? choices(item) : [];
    const isFiled = item?.file != null;
    if (isFiled && this.#app.offers("edit")) rows.push(["edit", "Edit"]);
    if (item && this.#app.may(isFiled ? "edit" : "control")) rows.push(["remove", "Remove"]);
    this.#id = item?.id ?? null;
    const key = rows.join();
    if (key === this.#shown) return;
    this.#shown = key;
    const focused = document.activeElement?.dataset?.action;
    put(this.node, rows.map(([action, words], number) => el(`button${number === 0 ? ".primary" : ""}${number < 3 ? ".first" : ".later"}`,
      { type: "button", "data-action": action, onclick: () => this.#app.act(action, this.#id), "aria-keyshortcuts": keyOf(action) },
      words, el("kbd", { "aria-hidden": "true" }, KEYS.find((row) => row.action === action).label))), rows.length > 3 ? this.#more : null);
    // A control changes the buttons, and whoever uses the keyboard stays where he was.
    if (focused) this.node.querySelector(`[data-action="${focused}"]`)?.focus();
  }

  #open() {
    this.node.classList.toggle("open");
    this.#more.setAttribute("aria-expanded", String(this.node.classList.contains("open")));
  }
}

function keyOf(action) {
  const key = KEYS.find((row) => row.action === action)?.keys[0];
  return key === " " ? "Space" : key;
}
