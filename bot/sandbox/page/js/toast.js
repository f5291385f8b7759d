/* Short notices at the edge of the screen: what happened and what did not. */

import { el, icon, iconButton } from "./dom.js";

const SHOWN_MS = 9000;
const recent = new Map();

function region() {
  const node = document.getElementById("toasts");
  const host = [...document.querySelectorAll("dialog[open]")].at(-1) ?? document.body;
  if (node.parentNode !== host) host.append(node); // all outside an open dialog is inert
  return node;
}

/** Shows a sentence; the same one twice in a short time is shown once. */
export function toast(text, level = "error") {
  const last = recent.get(text) ?? -Infinity;
  if (performance.now() - last < 4000) return;
  recent.set(text, performance.now());
  const node = el("div", { class: `toast ${level}` },
    icon(level === "error" ? "warn" : "check"), el("p", {}, text),
    iconButton("close", "Dismiss this notice", () => node.remove()));
  const list = region();
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
    toast(error.message);
    return false;
  }
}
