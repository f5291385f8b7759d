/* Short notices at the edge of the screen: what happened and what did not. */

import { el, icon, iconButton } from "./dom.js";

const SHOWN_MS = 9000;
const recent = new Map();

/** Shows a sentence. The same trouble is heard of twice, in the answer and on the stream: a `code`
    (without one, the sentence) is shown once in a short time. */
export function toast(text, level = "error", code = text) {
  const last = recent.get(code) ?? -Infinity;
  if (performance.now() - last < 4000) return;
  recent.set(code, performance.now());
  const node = el("div", { class: `toast ${level}` },
    icon(level === "error" ? "warn" : "check"), el("p", {}, text),
    iconButton("close", "Dismiss this notice", () => node.remove()));
  const list = document.getElementById("toasts"); // dialogs carry it along while they are open
  list.append(node);
  if (list.children.length > 4) list.firstElementChild.remove();
  setTimeout(() => node.remove(), SHOWN_MS);
}

/** Reads a sentence out to a screen reader without showing it. */
export function announce(text) {
  document.getElementById("announce").textContent = text;
}

/** Runs something that may be refused, and says why if it was. True if it went well. */
export async function attempt(work) {
  try {
    return (await work()) ?? true;
  } catch (error) {
    if (!error.code) throw error;
    toast(error.message, "error", error.code);
    return false;
  }
}
